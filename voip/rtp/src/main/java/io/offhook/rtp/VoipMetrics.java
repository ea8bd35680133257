package io.offhook.rtp;

import io.offhook.rtp.figures.MetricsFigures;

/**
 * An RTCP XR VoIP metrics block (RFC 3611, 4.7): a receiver's report on call quality, with the values as sent. 127
 * stands for "unavailable" in levels, R factors and MOS.
 *
 * @param ssrc the stream reported on
 * @param lossRate packets lost in the network, in 1/256
 * @param discardRate packets discarded by the jitter buffer, in 1/256
 * @param bursts periods in which many packets were missing
 * @param roundTripDelayMs between the RTP ends, 0 if not measured
 * @param endSystemDelayMs inside the reporting end
 * @param levels of speech and noise
 * @param rFactor of this segment of the call, 0 to 100
 * @param externalRFactor of another segment of the call, outside of RTP
 * @param mosLq listening quality times ten, 10 to 50
 * @param mosCq conversational quality times ten, 10 to 50
 * @param receiverConfiguration two bits for loss concealment, the highest ones (3 enhanced, 2 standard, 1 disabled, 0
 *     unspecified), two for the kind of jitter buffer (3 adaptive, 2 fixed), four for its adjustment rate
 * @param jitterBuffer its delay
 */
public record VoipMetrics(
        long ssrc,
        int lossRate,
        int discardRate,
        Bursts bursts,
        int roundTripDelayMs,
        int endSystemDelayMs,
        Levels levels,
        int rFactor,
        int externalRFactor,
        int mosLq,
        int mosCq,
        int receiverConfiguration,
        JitterBufferDelay jitterBuffer) {
    /**
     * Bursts, in which packets are missing, and the gaps between them.
     *
     * @param burstDensity packets lost or discarded within bursts, in 1/256
     * @param gapDensity packets lost or discarded between bursts, in 1/256
     * @param burstDurationMs mean length of a burst
     * @param gapDurationMs mean length of a gap
     * @param gmin consecutive packets received that end a burst
     */
    public record Bursts(int burstDensity, int gapDensity, int burstDurationMs, int gapDurationMs, int gmin) {}

    /**
     * Levels of speech, noise and echo.
     *
     * @param signal speech, dBm0, signed
     * @param noise silence, dBm0, signed
     * @param residualEchoReturnLoss in dB
     */
    public record Levels(int signal, int noise, int residualEchoReturnLoss) {}

    /**
     * The delay of the jitter buffer.
     *
     * @param nominalMs the current delay
     * @param maximumMs the longest delay at which a packet is not discarded now
     * @param absoluteMaximumMs the largest delay that the buffer can reach
     */
    public record JitterBufferDelay(int nominalMs, int maximumMs, int absoluteMaximumMs) {}

    /** The value sent for "unavailable". */
    public static final int UNAVAILABLE = 127;

    /** The block as figures have it. */
    static VoipMetrics of(MetricsFigures figures) {
        MetricsFigures.Missing missing = figures.missing();
        MetricsFigures.Delays delays = figures.delays();
        MetricsFigures.Levels levels = figures.levels();
        MetricsFigures.Scores scores = figures.scores();
        return new VoipMetrics(
                figures.ssrc(),
                missing.lossRate(),
                missing.discardRate(),
                new Bursts(
                        missing.burstDensity(),
                        missing.gapDensity(),
                        missing.burstDurationMs(),
                        missing.gapDurationMs(),
                        missing.gmin()),
                delays.roundTripMs(),
                delays.endSystemMs(),
                new Levels(levels.signal(), levels.noise(), levels.residualEchoReturnLoss()),
                scores.rFactor(),
                scores.externalRFactor(),
                scores.mosLq(),
                scores.mosCq(),
                figures.receiverConfiguration(),
                new JitterBufferDelay(delays.nominalMs(), delays.maximumMs(), delays.absoluteMaximumMs()));
    }

    MetricsFigures figures() {
        return new MetricsFigures(
                ssrc,
                new MetricsFigures.Missing(
                        lossRate,
                        discardRate,
                        bursts.burstDensity(),
                        bursts.gapDensity(),
                        bursts.burstDurationMs(),
                        bursts.gapDurationMs(),
                        bursts.gmin()),
                new MetricsFigures.Delays(
                        roundTripDelayMs,
                        endSystemDelayMs,
                        jitterBuffer.nominalMs(),
                        jitterBuffer.maximumMs(),
                        jitterBuffer.absoluteMaximumMs()),
                new MetricsFigures.Levels(levels.signal(), levels.noise(), levels.residualEchoReturnLoss()),
                new MetricsFigures.Scores(rFactor, externalRFactor, mosLq, mosCq),
                receiverConfiguration);
    }

    /** Whether there is an R factor. */
    public boolean hasRFactor() {
        return rFactor != UNAVAILABLE;
    }

    /** Whether there is a MOS for the quality of listening. */
    public boolean hasMosLq() {
        return mosLq != UNAVAILABLE;
    }

    /** Whether there is a MOS for the quality of the conversation. */
    public boolean hasMosCq() {
        return mosCq != UNAVAILABLE;
    }

    /** Packets that the listener did not hear, lost or discarded, in percent, 0 to 100. */
    public double unheardPercent() {
        return Math.min(100, (lossRate + discardRate) * 100.0 / 256);
    }
}
