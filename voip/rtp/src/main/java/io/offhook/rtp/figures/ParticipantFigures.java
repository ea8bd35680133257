package io.offhook.rtp.figures;

import io.offhook.packet.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One SSRC that sends RTCP, and what it reports of itself, as {@code io.offhook.rtp.RtcpParticipant} has it.
 *
 * @param ssrc 32 bits, unsigned
 * @param sent by its last sender report
 * @param lastNs the arrival of its last packet, nanoseconds since the epoch
 * @param source where that came from; null if unknown
 * @param names what it says in words
 * @param sentPackets packets sent, report by report
 * @param roundTrip between the place of capture and it
 */
public record ParticipantFigures(
        long ssrc,
        Sent sent,
        long lastNs,
        @Nullable Endpoint source,
        Names names,
        Counted sentPackets,
        RoundTrip roundTrip) {
    /**
     * What sender reports state.
     *
     * @param reports how many were seen
     * @param packets of RTP, by the last one
     * @param octets of payload, by the last one
     */
    public record Sent(long reports, long packets, long octets) {}

    /**
     * What it says in words.
     *
     * @param cname the canonical name of SDES; null if not seen
     * @param byeReason of BYE, "" if there is none; null before BYE
     * @param byeNs the arrival of the first BYE; 0 before BYE
     */
    public record Names(@Nullable String cname, @Nullable String byeReason, long byeNs) {}

    /**
     * A count by time, at most 256 reports.
     *
     * @param startNs the first report, nanoseconds since the epoch
     * @param reports in order
     */
    public record Counted(long startNs, List<CountAt> reports) {
        /** Copies the list. */
        public Counted {
            reports = List.copyOf(reports);
        }
    }

    /**
     * A count at a time.
     *
     * @param ms since the first report
     * @param count 32 bits
     */
    public record CountAt(int ms, int count) {}

    /**
     * Round trips in nanoseconds.
     *
     * @param lastNs the last one
     * @param maxNs the longest
     * @param sumNs of all
     * @param count how many
     * @param implausible those that were rejected
     * @param recent the last 64, in any order
     */
    public record RoundTrip(long lastNs, long maxNs, long sumNs, int count, int implausible, List<Long> recent) {
        /** Copies the list. */
        public RoundTrip {
            recent = List.copyOf(recent);
        }
    }
}
