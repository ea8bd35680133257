package io.offhook.bench;

import io.offhook.bench.call.CallSuite;
import io.offhook.bench.forwarding.ForwardingSuite;
import io.offhook.bench.handover.HandoverSuite;
import io.offhook.bench.language.LanguageSuite;
import io.offhook.bench.layout.LayoutSuite;
import io.offhook.bench.messages.MessagesSuite;
import io.offhook.bench.sharing.SharingSuite;
import io.offhook.bench.threads.ThreadsSuite;
import io.offhook.bench.timestamps.TimestampsSuite;
import java.util.List;

/** All suites, in the order of the report. */
final class Suites {
    private Suites() {}

    static List<Suite> all() {
        return List.of(
                new LanguageSuite(),
                new SharingSuite(),
                new LayoutSuite(),
                new CallSuite(),
                new MessagesSuite(),
                new HandoverSuite(),
                new TimestampsSuite(),
                new ThreadsSuite(),
                new ForwardingSuite());
    }
}
