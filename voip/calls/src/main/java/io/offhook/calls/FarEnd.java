package io.offhook.calls;

import io.offhook.rtp.ReceptionSummary;
import io.offhook.rtp.ReportedCounts;
import io.offhook.rtp.VoipMetrics;
import java.util.OptionalDouble;

/**
 * What the receiver of a stream reported about it by RTCP (RFC 3550, 6.4.1; RFC 3611), beside what was captured. {@link
 * Double#NaN} and -1 stand for unknown values.
 *
 * @param reports report blocks seen
 * @param cumulativeLost packets lost according to the last report; duplicates compensate for losses, so it can be
 *     negative
 * @param lostPercent the mean of the reports' fraction lost, 0 to 100
 * @param maxLostPercent the highest fraction lost, 0 to 100
 * @param jitterMs interarrival jitter of the last report
 * @param maxJitterMs the highest interarrival jitter
 * @param roundTripMs from the sender to the receiver and back: the medians of both halves
 * @param mosListening the lowest MOS-LQ of its VoIP metrics blocks, 1 to 5
 * @param mosConversational the lowest MOS-CQ of these blocks
 * @param rFactor the lowest R factor of these blocks, 0 to 100
 * @param receivedNumbers the highest sequence number received, report by report
 * @param uncaptured packets missing from the capture that the receiver got, as far as its reports prove it
 */
public record FarEnd(
        long reports,
        long cumulativeLost,
        double lostPercent,
        double maxLostPercent,
        double jitterMs,
        double maxJitterMs,
        double roundTripMs,
        double mosListening,
        double mosConversational,
        int rFactor,
        ReportedCounts receivedNumbers,
        long uncaptured) {

    /** @param clockRate of the stream's codec in Hz; 0 where unknown, then nothing is known of jitter */
    static FarEnd of(ReceptionSummary summary, OptionalDouble roundTripMs, int clockRate, long uncaptured) {
        return new FarEnd(
                summary.reports(),
                summary.cumulativeLost(),
                summary.meanLostPercent(),
                summary.maxLostPercent(),
                clockRate > 0 ? summary.lastJitterMs(clockRate) : Double.NaN,
                clockRate > 0 ? summary.maxJitterMs(clockRate) : Double.NaN,
                roundTripMs.orElse(Double.NaN),
                tenths(summary.minMosLq()),
                tenths(summary.minMosCq()),
                summary.minRFactor() == VoipMetrics.UNAVAILABLE ? -1 : summary.minRFactor(),
                summary.receivedNumbers(),
                uncaptured);
    }

    private static double tenths(int value) {
        return value == VoipMetrics.UNAVAILABLE ? Double.NaN : value / 10.0;
    }
}
