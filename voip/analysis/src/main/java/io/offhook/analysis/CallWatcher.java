package io.offhook.analysis;

import io.offhook.calls.CallReport;
import java.util.List;

/** Is told of calls while the capture goes on. One thread at a time calls it, between rounds: no packet is read meanwhile. */
public interface CallWatcher {
    /** The time, nanoseconds since the epoch, by the clock that packets are stamped with. */
    long nowNs();

    /**
     * How things stand; about every {@value Analysis#LOOK_MS} milliseconds, less often where it takes long.
     *
     * @param standing the capture so far; of its calls those that go on or ended a few seconds ago. The statistics of
     *     streams go on changing once this returns
     * @param changed of these, what is news: calls that are new or have got further, that have other problems than before,
     *     or that are over for good
     */
    void look(AnalysisResult standing, List<CallReport> changed);

    /**
     * A lane, a thread that packets are worked on by, says on its own that it begins or ends: who wants to pin it does it
     * here. Several at once may call it.
     *
     * @param lane from 0; the first is the thread that {@link Analysis#watch} was called on
     * @param begins false where it ends
     */
    default void lane(int lane, boolean begins) {}
}
