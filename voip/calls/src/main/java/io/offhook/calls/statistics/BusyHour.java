package io.offhook.calls.statistics;

import io.offhook.calls.CallReport;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The continuous hour with the most call attempts (ITU-T E.600): it begins with one of them.
 *
 * @param fromNs its beginning, nanoseconds since the epoch
 * @param attempts the calls whose INVITE was sent in it, whatever came of them: busy hour call attempts, BHCA
 */
public record BusyHour(long fromNs, int attempts) {
    /** Its length in nanoseconds. */
    public static final long LENGTH_NS = 3_600_000_000_000L;

    /** The first such hour; null if no INVITE was captured. */
    static @Nullable BusyHour of(List<CallReport> calls) {
        long[] invited = calls.stream()
                .mapToLong(call -> call.times().invitedNs())
                .filter(ns -> ns != CallReport.NEVER)
                .toArray();
        Arrays.sort(invited);
        BusyHour busiest = null;
        int end = 0;
        for (int first = 0; first < invited.length; first++) {
            while (end < invited.length && invited[end] - invited[first] < LENGTH_NS) {
                end++;
            }
            if (busiest == null || end - first > busiest.attempts) {
                busiest = new BusyHour(invited[first], end - first);
            }
        }
        return busiest;
    }
}
