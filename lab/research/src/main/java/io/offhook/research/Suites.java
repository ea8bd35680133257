package io.offhook.research;

import io.offhook.research.call.CallSuite;
import io.offhook.research.forwarding.ForwardingSuite;
import io.offhook.research.handover.HandoverSuite;
import io.offhook.research.language.LanguageSuite;
import io.offhook.research.layout.LayoutSuite;
import io.offhook.research.messages.MessagesSuite;
import io.offhook.research.sharing.SharingSuite;
import io.offhook.research.threads.ThreadsSuite;
import io.offhook.research.timestamps.TimestampsSuite;
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
