package io.offhook.cluster.event;

import java.util.regex.Pattern;

/**
 * Where an event comes from, and its number there. The four together name it among all events of all probes.
 *
 * @param probe the name of the probe: 1 to {@value Limits#PROBE} characters of {@code a-z A-Z 0-9 . _ -}
 * @param incarnation a random number that the probe chose when it started; not 0
 * @param partition of the topic, 0 or more
 * @param sequence of this incarnation and partition, from 1 without gaps
 */
public record EventOrigin(String probe, long incarnation, int partition, long sequence) {
    /** What the names of topics of Kafka may consist of. */
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1," + Limits.PROBE + "}");

    /** Checks all of them. */
    public EventOrigin {
        if (!NAME.matcher(probe).matches()) {
            throw new IllegalArgumentException("probe \"" + Limits.cut(probe, Limits.NAME) + "\" is not 1 to "
                    + Limits.PROBE + " characters of a-z A-Z 0-9 . _ -");
        }
        if (incarnation == 0) {
            throw new IllegalArgumentException("incarnation 0 is none");
        }
        Limits.range("partition", partition, 0, Integer.MAX_VALUE);
        Limits.range("sequence", sequence, 1, Long.MAX_VALUE);
    }
}
