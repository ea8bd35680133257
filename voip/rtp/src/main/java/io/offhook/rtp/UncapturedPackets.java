package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/**
 * How many packets of a stream are missing from the capture alone: those that the receiver must have got, by the
 * cumulative number of packets lost and the highest number of its reports (RFC 3550, 6.4.1). A lower bound: what the
 * reports do not prove counts as lost by the network.
 */
public final class UncapturedPackets {
    private static final int FEWEST_REPORTS = 2;

    /** Longer than a packet and the report of it are on their way between the place of capture and the receiver. */
    private static final long ROUND_TRIP_NS = 1_000_000_000L;

    private UncapturedPackets() {}

    /**
     * Counts them; 0 if the reports prove nothing.
     *
     * @param stream as captured
     * @param summary what the receiver reports about the stream; or null
     */
    public static long of(RtpStream stream, @Nullable ReceptionSummary summary) {
        if (summary == null
                || stream.lost() == 0
                || stream.restarts() > 0
                || summary.reports() < FEWEST_REPORTS
                || !isMeasured(summary)
                || !isOfTheseNumbers(stream, summary)) {
            return 0;
        }
        // a duplicate that the receiver got makes up for a loss in its count
        long lostOnTheWay = Math.max(0, summary.cumulativeLost()) + stream.duplicates() - stream.mirrored();
        return Math.max(0, reported(stream, summary) - lostOnTheWay - stream.late());
    }

    /** Whether the receiver counts: reports without any jitter or loss may just have been left blank. */
    private static boolean isMeasured(ReceptionSummary summary) {
        return summary.maxJitterMs(1) > 0 || summary.maxLostPercent() > 0;
    }

    /** Whether the highest number of the last report is where the stream was then: a relay may have written others. */
    private static boolean isOfTheseNumbers(RtpStream stream, ReceptionSummary summary) {
        double packetNs = stream.packetTimeMs() * 1e6;
        int ahead = (short) (summary.highestSequenceNumber() - stream.highestSequenceNumber());
        long laterNs = summary.lastNs() - stream.lastNs();
        return packetNs > 0
                && ahead * packetNs <= Math.max(0, laterNs) + ROUND_TRIP_NS
                && -ahead * packetNs <= Math.max(0, -laterNs) + ROUND_TRIP_NS;
    }

    /** The numbers missing from the capture that the reports cover: of intervals after the first and before the last one. */
    private static long reported(RtpStream stream, ReceptionSummary summary) {
        long untilNs = summary.lastNs() - ROUND_TRIP_NS;
        long missing = 0;
        for (StreamInterval interval : stream.intervals()) {
            long endNs = interval.startNs() + interval.durationNs();
            boolean isBegun = endNs >= summary.firstNs();
            missing += isBegun && endNs <= untilNs ? interval.lost() : 0;
        }
        return missing;
    }
}
