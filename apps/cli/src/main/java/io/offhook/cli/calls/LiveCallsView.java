package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.live.LiveCounts;
import java.io.IOException;
import java.util.List;

/** Shows live calls. Called by one thread at a time; an {@link IOException} ends the capture. */
interface LiveCallsView {
    /**
     * Shows the current state.
     *
     * @param standing the result so far, as passed to a {@link io.offhook.analysis.CallWatcher}
     * @param changed the selected calls that changed
     * @param counts the packets received and dropped
     * @param nowNs the time, nanoseconds since the epoch
     */
    void show(AnalysisResult standing, List<CallReport> changed, LiveCounts counts, long nowNs) throws IOException;

    /** Ends the display and clears the screen for the final output. */
    default void end() {}
}
