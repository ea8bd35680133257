package io.offhook.rtp.figures;

/**
 * A VoIP metrics block (RFC 3611, 4.7), as {@code io.offhook.rtp.VoipMetrics} has it: values as sent.
 *
 * @param ssrc the stream reported on
 * @param missing packets that were lost or discarded
 * @param delays in milliseconds
 * @param levels of speech and noise
 * @param scores of quality
 * @param receiverConfiguration loss concealment and kind of jitter buffer
 */
public record MetricsFigures(
        long ssrc, Missing missing, Delays delays, Levels levels, Scores scores, int receiverConfiguration) {
    /**
     * Packets that were lost or discarded.
     *
     * @param lossRate lost, in 1/256
     * @param discardRate discarded, in 1/256
     * @param burstDensity either, within bursts, in 1/256
     * @param gapDensity either, between bursts, in 1/256
     * @param burstDurationMs mean length of a burst
     * @param gapDurationMs mean length of a gap
     * @param gmin packets that end a burst
     */
    public record Missing(
            int lossRate,
            int discardRate,
            int burstDensity,
            int gapDensity,
            int burstDurationMs,
            int gapDurationMs,
            int gmin) {}

    /**
     * Delays in milliseconds.
     *
     * @param roundTripMs between the RTP ends
     * @param endSystemMs inside the reporting end
     * @param nominalMs of the jitter buffer
     * @param maximumMs of the jitter buffer, now
     * @param absoluteMaximumMs that it can reach
     */
    public record Delays(int roundTripMs, int endSystemMs, int nominalMs, int maximumMs, int absoluteMaximumMs) {}

    /**
     * Levels; 127 if not available.
     *
     * @param signal of speech, dBm0
     * @param noise in silence, dBm0
     * @param residualEchoReturnLoss in dB
     */
    public record Levels(int signal, int noise, int residualEchoReturnLoss) {}

    /**
     * Scores; 127 if not available.
     *
     * @param rFactor of this segment, 0 to 100
     * @param externalRFactor of another segment
     * @param mosLq listening quality, times ten
     * @param mosCq conversational quality, times ten
     */
    public record Scores(int rFactor, int externalRFactor, int mosLq, int mosCq) {}
}
