package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.live.LiveCounts;
import java.io.IOException;
import java.util.List;

/** How calls that go on are shown. One thread at a time calls it; what cannot be written ends the capture. */
interface LiveCallsView {
    /**
     * How things stand.
     *
     * @param standing as a {@link io.offhook.analysis.CallWatcher} gets it
     * @param changed the calls that are news, of those that are wanted
     * @param counts what became of the packets
     * @param nowNs the time, nanoseconds since the epoch
     */
    void show(AnalysisResult standing, List<CallReport> changed, LiveCounts counts, long nowNs) throws IOException;

    /** No more will be shown: the place is made free for what comes at the end. */
    default void end() {}
}
