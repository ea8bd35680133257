package io.offhook.rtp.figures;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream in intervals of five seconds, counted from its first packet.
 *
 * @param closed the intervals before the open one, at most 17,280
 * @param open the last one, of which most follows from the figures of the whole stream
 */
public record IntervalFigures(List<Interval> closed, Open open) {
    /** Copies the list. */
    public IntervalFigures {
        closed = List.copyOf(closed);
    }

    /** Stands for an interval whose figures did not come. */
    public static final Interval MISSING = new Interval(-1, -1, new Losses(0, 0, 0), null);

    /** How many closed intervals are {@link #MISSING}. */
    public int missing() {
        int missing = 0;
        for (Interval interval : closed) {
            missing += interval.equals(MISSING) ? 1 : 0;
        }
        return missing;
    }

    /**
     * A closed interval.
     *
     * @param payloadType of most of its packets; -1 without packets
     * @param arrived new numbers that arrived in it, at most 65,535; -1 if that is not known
     * @param losses of it
     * @param detail what is kept only where it was asked for; else null
     */
    public record Interval(
            int payloadType,
            int arrived,
            Losses losses,
            @Nullable Detail detail) {}

    /**
     * What an interval lost.
     *
     * @param lost numbers that were not captured
     * @param discarded numbers that the jitter buffer discarded
     * @param runs of numbers that were either
     */
    public record Losses(int lost, int discarded, int runs) {}

    /**
     * The further figures of an interval, each at most 65,535.
     *
     * @param packets of any kind
     * @param duplicates whose number had been captured
     * @param reordered new ones behind a higher number
     * @param late too far behind
     * @param strays with a distant number
     * @param markers with the marker bit
     * @param times in milliseconds
     */
    public record Detail(int packets, int duplicates, int reordered, int late, int strays, int markers, Times times) {}

    /**
     * Jitter and deltas in milliseconds; NaN where they are not known.
     *
     * @param jitter after its last packet
     * @param meanJitter over its packets
     * @param maxJitter the highest
     * @param maxDelta the longest time between two packets; 0 without packets
     */
    public record Times(float jitter, float meanJitter, float maxJitter, float maxDelta) {}

    /**
     * The open interval: what it lost, and what the whole stream had before it.
     *
     * @param losses so far
     * @param distinctBefore numbers that arrived before it
     * @param before what is kept only where it was asked for; else null
     */
    public record Open(
            Losses losses, long distinctBefore, @Nullable Before before) {}

    /**
     * What the stream had before the open interval.
     *
     * @param packets of any kind
     * @param duplicates whose number had been captured
     * @param reordered new ones behind a higher number
     * @param late too far behind
     * @param strays with a distant number
     * @param markers with the marker bit
     * @param jitter its samples
     */
    public record Before(
            long packets, long duplicates, long reordered, long late, long strays, long markers, Samples jitter) {}

    /**
     * Samples of jitter.
     *
     * @param sumMs of the jitter after each
     * @param count how many
     */
    public record Samples(double sumMs, long count) {}
}
