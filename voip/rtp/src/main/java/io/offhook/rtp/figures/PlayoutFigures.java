package io.offhook.rtp.figures;

/**
 * What a jitter buffer did with the packets of a stream.
 *
 * @param sizeNs the delay that it has, or aims at
 * @param played packets that were played, without comfort noise
 * @param discarded packets that came too late to be played, likewise
 * @param waits how long the played ones waited
 * @param resyncs how often it began anew
 * @param skewSteps how often a fixed one followed a clock that is faster or slower
 * @param discardedByAdaptive what an adaptive buffer would have discarded
 */
public record PlayoutFigures(
        long sizeNs,
        long played,
        long discarded,
        Waits waits,
        Resyncs resyncs,
        int skewSteps,
        long discardedByAdaptive) {
    /**
     * Waits in the buffer.
     *
     * @param sumNs of all played packets
     * @param maxNs the longest
     */
    public record Waits(long sumNs, long maxNs) {}

    /**
     * How often a buffer began anew after the first packet, by {@code io.offhook.rtp.playout.Resync}.
     *
     * @param restarts the sender began with other numbers
     * @param jumps of the transit time, or the clock of the media
     * @param late a packet came 1 s or more too late
     * @param early a packet came 1 s or more too early
     * @param starved everything was too late for 200 ms
     */
    public record Resyncs(int restarts, int jumps, int late, int early, int starved) {}
}
