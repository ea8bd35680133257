package io.offhook.rtp;

import io.offhook.rtp.playout.Playout;

/**
 * What a receiver's jitter buffer would have made of a stream: the buffer, and its discards beside the losses.
 *
 * @param buffer its delays and how often it began anew
 * @param expected as {@link RtpStream#expected()}
 * @param lost as {@link RtpStream#lost()}
 * @param discardedBursts runs of discarded numbers, in order of the numbers
 * @param impairedBursts runs of numbers that were lost or discarded
 */
public record PlayoutSummary(
        Playout buffer, long expected, long lost, LossBursts discardedBursts, LossBursts impairedBursts) {

    PlayoutSummary(Playout buffer, long expected, long lost, Impairments impairments) {
        this(buffer, expected, lost, impairments.discardedBursts(), impairments.impairedBursts());
    }

    /** Packets that came too late to be played. */
    public long discarded() {
        return buffer.discarded();
    }

    /** {@link #discarded()} as a percentage of the expected packets, 0 to 100. */
    public double discardPercent() {
        return expected == 0 ? 0 : 100.0 * discarded() / expected;
    }

    /** What was lost or discarded, as a percentage of the expected packets, 0 to 100: Ppl of ITU-T G.107. */
    public double lossPercent() {
        return expected == 0 ? 0 : 100.0 * (lost + discarded()) / expected;
    }

    /** BurstR of ITU-T G.107 over what was lost or discarded. */
    public double burstRatio() {
        return Math.max(1, impairedBursts.meanLength() * (1 - lossPercent() / 100));
    }
}
