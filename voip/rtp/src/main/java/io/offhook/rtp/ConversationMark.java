package io.offhook.rtp;

import java.util.IdentityHashMap;
import java.util.List;

/**
 * Up to where somebody has the figures of a conversation, so that {@link RtcpReports#figuresSince} needs not to repeat all
 * reports. Belongs to one conversation; single-threaded.
 */
public final class ConversationMark {
    /** The reports that were taken, by stream; one that was evicted and came again is another one. */
    private final IdentityHashMap<ReceptionSummary, Integer> taken = new IdentityHashMap<>(4);

    /** Before anything was taken. */
    public ConversationMark() {}

    /** The first report that was not taken; the last one that was is repeated, as its packet may have gone on. */
    int from(ReceptionSummary summary) {
        return Math.max(0, taken.getOrDefault(summary, 0) - 1);
    }

    void set(List<ReceptionSummary> summaries) {
        taken.clear();
        for (ReceptionSummary summary : summaries) {
            taken.put(summary, summary.keptReports());
        }
    }
}
