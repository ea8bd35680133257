package io.offhook.rtp;

/**
 * What the receiver of a stream reported about it in a stretch of time: the worst of its report blocks (RFC 3550, 6.4.1)
 * and VoIP metrics blocks (RFC 3611, 4.7) that were captured in it.
 *
 * @param reports the reports, 1 or more; those of one packet count once
 * @param lostPercent the highest fraction lost, 0 to 100; NaN without a report block
 * @param jitter the highest interarrival jitter, in ticks of the stream's clock; -1 without a report block
 * @param discardPercent the highest share that its jitter buffer discarded, 0 to 100; NaN without VoIP metrics
 * @param mosLq the lowest listening quality, times ten; {@link VoipMetrics#UNAVAILABLE} if there is none
 * @param mosCq the lowest conversational quality, likewise
 * @param rFactor the lowest R factor, 0 to 100, likewise
 */
public record ReceptionInterval(
        int reports, double lostPercent, long jitter, double discardPercent, int mosLq, int mosCq, int rFactor) {

    /**
     * The jitter in milliseconds; NaN if it is unknown.
     *
     * @param clockRate of the stream's codec in Hz; 0 where unknown
     */
    public double jitterMs(int clockRate) {
        return jitter < 0 || clockRate <= 0 ? Double.NaN : jitter * 1000.0 / clockRate;
    }
}
