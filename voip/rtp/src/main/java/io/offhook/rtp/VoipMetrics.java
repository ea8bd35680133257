package io.offhook.rtp;

/**
 * What a receiver says of a call's quality: the fields of an RTCP XR VoIP metrics block (RFC 3611, 4.7), as they were
 * sent. 127 stands for "unavailable" in levels, R factors and MOS.
 *
 * @param ssrc the stream that it is about
 * @param lossRate packets lost in the network, in 1/256
 * @param discardRate packets thrown away by the jitter buffer, in 1/256
 * @param bursts where packets were missing close together
 * @param roundTripDelayMs between the RTP ends, 0 when not measured
 * @param endSystemDelayMs inside the reporting end
 * @param levels of speech and noise
 * @param rFactor of this part of the call, 0 to 100
 * @param externalRFactor of another part of the call, outside of RTP
 * @param mosLq listening quality times ten, 10 to 50
 * @param mosCq conversational quality times ten, 10 to 50
 * @param receiverConfiguration loss concealment in the two highest bits (3 enhanced, 2 standard, 1 disabled, 0
 *     unspecified), then two of the jitter buffer's kind (3 adaptive, 2 fixed), then four of its adjustment rate
 * @param jitterBuffer how long packets are held back
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
     * @param gmin packets received in a row that end a burst
     */
    public record Bursts(int burstDensity, int gapDensity, int burstDurationMs, int gapDurationMs, int gmin) {}

    /**
     * How loud it was.
     *
     * @param signal of speech, dBm0, signed
     * @param noise of silence, dBm0, signed
     * @param residualEchoReturnLoss in dB
     */
    public record Levels(int signal, int noise, int residualEchoReturnLoss) {}

    /**
     * The delay of the jitter buffer.
     *
     * @param nominalMs delay now
     * @param maximumMs delay of a packet that is just not discarded
     * @param absoluteMaximumMs highest delay that the buffer can grow to
     */
    public record JitterBufferDelay(int nominalMs, int maximumMs, int absoluteMaximumMs) {}

    /** What "unavailable" is sent as. */
    public static final int UNAVAILABLE = 127;

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

    /** Packets that the listener did not hear, lost or discarded, 0 to 100. */
    public double unheardPercent() {
        return Math.min(100, (lossRate + discardRate) * 100.0 / 256);
    }
}
