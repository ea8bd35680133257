package io.offhook.cluster.operator;

import io.offhook.calls.MediaOptions;
import io.offhook.calls.ProblemLimits;

/**
 * How calls are made, and how long state is kept.
 *
 * @param media what is computed of streams
 * @param limits from where on something is a problem
 * @param retainNs how long the state of a call is kept after its end, for events that come late; nanoseconds
 * @param openNs how long that of a call without an end is kept after its last message; nanoseconds
 */
public record OperatorOptions(MediaOptions media, ProblemLimits limits, long retainNs, long openNs) {
    private static final long SECOND_NS = 1_000_000_000L;

    /** Ten minutes, and twelve hours. */
    public static OperatorOptions of(MediaOptions media, ProblemLimits limits) {
        return new OperatorOptions(media, limits, 600 * SECOND_NS, 12 * 3600 * SECOND_NS);
    }

    /** Checks the times. */
    public OperatorOptions {
        if (retainNs < 60 * SECOND_NS || openNs < retainNs) {
            throw new IllegalArgumentException(
                    "state is kept for a minute or more, and that of open calls not shorter: " + retainNs + ", "
                            + openNs);
        }
    }
}
