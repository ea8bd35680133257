package io.offhook.analysis;

import io.offhook.calls.CallReport;
import java.util.List;

/**
 * Receives calls while a capture is running. Called by one thread at a time, between rounds; no packet is read
 * meanwhile.
 */
public interface CallWatcher {
    /** The current time in nanoseconds since the epoch, by the clock that packets are stamped with. */
    long nowNs();

    /**
     * Called about every {@value Analysis#LOOK_MS} milliseconds, less often if it takes long.
     *
     * @param standing the capture so far, with the calls that are running or ended a few seconds ago. The statistics of
     *     streams keep changing after this returns
     * @param changed those of the calls that are new, have progressed, have other problems than before, or are over for
     *     good
     */
    void look(AnalysisResult standing, List<CallReport> changed);

    /** Whether the legs of a call are one report; otherwise each is reported for itself, and names the others. */
    default boolean joinsLegs() {
        return false;
    }

    /**
     * Called on each lane when it begins and before it ends, to pin its thread for example; by several lanes at a time.
     * An exception at the beginning ends the capture, and the lane is not called again.
     *
     * @param lane from 0, which is the thread that called {@link Analysis#watch}
     * @param begins false when it ends
     */
    default void lane(int lane, boolean begins) {}

    /**
     * Called on a lane when it begins to wait for others, and when it has waited; where there are several lanes. It must be
     * quick, and not throw.
     *
     * @param begins false when it has waited
     */
    default void waits(boolean begins) {}
}
