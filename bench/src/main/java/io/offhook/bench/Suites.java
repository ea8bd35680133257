package io.offhook.bench;

import io.offhook.bench.call.CallSuite;
import io.offhook.bench.handover.HandoverSuite;
import io.offhook.bench.threads.ThreadsSuite;
import io.offhook.bench.timestamps.TimestampsSuite;
import java.util.List;

/** All suites, in the order of the report. */
final class Suites {
    private Suites() {}

    static List<Suite> all() {
        return List.of(new CallSuite(), new TimestampsSuite(), new HandoverSuite(), new ThreadsSuite());
    }
}
