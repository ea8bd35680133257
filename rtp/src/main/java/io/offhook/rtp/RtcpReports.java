package io.offhook.rtp;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the two ends of a conversation say of each other's streams in RTCP, and how far away they are.
 *
 * <p>One object takes the RTCP of both directions in order of capture. What is said of a stream is found by the
 * stream's SSRC ({@link #about(long)}), who says it by its own ({@link #participant(long)}).
 *
 * <p>Round trips: an SR passes the capture point, reaches the other end, is held there for DLSR, and the answer that
 * names it by LSR passes the capture point again. So each end's answers tell the way from here to that end and back,
 * and the two together the whole way between the ends.
 *
 * <p>Holds {@value #LIMIT} participants and {@value #LIMIT} streams; the one that was silent for longest makes room,
 * and is counted. Plain mutable state of one thread.
 */
public final class RtcpReports {
    /** The most participants, and the most streams, that are kept. */
    public static final int LIMIT = 32;

    private final List<RtcpParticipant> participants = new ArrayList<>(2);
    private final List<ReceptionSummary> summaries = new ArrayList<>(2);
    private final RtcpReader reader = new RtcpReader();
    private final RtcpView view = new RtcpView();
    private final SdesReader sdes = new SdesReader();
    private final XrReader xr = new XrReader();
    private long compounds;
    private long undecodable;
    private long malformed;
    private long evicted;

    /** Nothing has been said yet. */
    public RtcpReports() {}

    /**
     * Takes a UDP payload of RTCP.
     *
     * @param segment native
     * @param length octets that are here
     * @param wireLength octets that were sent
     * @param arrivalNs nanoseconds since the epoch
     * @return what {@link RtcpReader#wrap} says; of what is MALFORMED (most often encrypted) nothing is taken
     */
    public WrapStatus read(MemorySegment segment, long offset, int length, int wireLength, long arrivalNs) {
        compounds++;
        WrapStatus status = reader.wrap(segment, offset, length, wireLength);
        if (status == WrapStatus.MALFORMED) {
            undecodable++;
            return status;
        }
        while (true) {
            WrapStatus next = reader.next(view);
            if (next == WrapStatus.OK) {
                take(arrivalNs);
            } else if (next == WrapStatus.MALFORMED) {
                malformed++;
            } else {
                return status;
            }
        }
    }

    private void take(long arrivalNs) {
        switch (view.packetType()) {
            case RtcpView.SENDER_REPORT -> {
                senderReport(arrivalNs, view.senderSsrc(), view.ntpMiddle(), view.packetCount(), view.octetCount());
                takeReports(arrivalNs);
            }
            case RtcpView.RECEIVER_REPORT -> takeReports(arrivalNs);
            case RtcpView.SOURCE_DESCRIPTION -> {
                sdes.wrap(view);
                while (sdes.next()) {
                    if (sdes.type() == SdesReader.CNAME) {
                        touch(arrivalNs, sdes.ssrc()).cname(sdes.text());
                    }
                }
            }
            case RtcpView.BYE -> {
                for (int i = 0; i < view.count(); i++) {
                    touch(arrivalNs, view.byeSource(i)).bye(arrivalNs, view.byeReason());
                }
            }
            case RtcpView.EXTENDED_REPORT -> takeExtended(arrivalNs);
            default -> {
                // feedback and APP say nothing of reception
            }
        }
    }

    private void takeReports(long arrivalNs) {
        touch(arrivalNs, view.senderSsrc());
        for (int i = 0; i < view.reportCount(); i++) {
            report(
                    arrivalNs,
                    view.senderSsrc(),
                    view.reportSsrc(i),
                    view.fractionLost(i),
                    view.cumulativeLost(i),
                    view.highestSequenceNumber(i),
                    view.jitter(i),
                    view.lastSenderReport(i),
                    view.delaySinceLastSenderReport(i));
        }
    }

    private void takeExtended(long arrivalNs) {
        long sender = view.senderSsrc();
        RtcpParticipant participant = touch(arrivalNs, sender);
        xr.wrap(view);
        while (xr.next()) {
            switch (xr.blockType()) {
                case XrReader.RECEIVER_REFERENCE_TIME ->
                    participant.reference(arrivalNs, xr.ntpTimestamp() >>> 16 & 0xffff_ffffL);
                case XrReader.DLRR -> {
                    for (int i = 0; i < xr.dlrrCount(); i++) {
                        long delay = xr.delaySinceLastReceiverReport(i);
                        answer(arrivalNs, participant, xr.dlrrSsrc(i), xr.lastReceiverReport(i), delay);
                    }
                }
                case XrReader.VOIP_METRICS -> {
                    ReceptionSummary summary = summary(xr.ssrc());
                    summary.touch(arrivalNs, sender);
                    summary.voipMetrics(xr.voipMetrics());
                }
                default -> {
                    // run lengths, receipt times and summaries of them are details of what report blocks say
                }
            }
        }
        malformed += xr.malformed();
    }

    /**
     * Takes the sender info of an SR.
     *
     * @param arrivalNs nanoseconds since the epoch
     * @param ntpMiddle see {@link RtcpView#ntpMiddle()}
     */
    public void senderReport(long arrivalNs, long ssrc, long ntpMiddle, long packetCount, long octetCount) {
        touch(arrivalNs, ssrc).senderReport(arrivalNs, ntpMiddle, packetCount, octetCount);
    }

    /**
     * Takes a report block of an SR or RR.
     *
     * @param arrivalNs nanoseconds since the epoch
     * @param reporterSsrc who says it
     * @param ssrc of which stream
     * @param fractionLost in 1/256
     * @param jitter in ticks of the stream's clock
     * @param lastSenderReport LSR, 0 for none
     * @param delaySinceLastSenderReport DLSR, in 1/65536 s
     */
    public void report(
            long arrivalNs,
            long reporterSsrc,
            long ssrc,
            int fractionLost,
            int cumulativeLost,
            long highestSequenceNumber,
            long jitter,
            long lastSenderReport,
            long delaySinceLastSenderReport) {
        RtcpParticipant reporter = touch(arrivalNs, reporterSsrc);
        ReceptionSummary summary = summary(ssrc);
        summary.touch(arrivalNs, reporterSsrc);
        summary.report(fractionLost, cumulativeLost, highestSequenceNumber, jitter);
        answer(arrivalNs, reporter, ssrc, lastSenderReport, delaySinceLastSenderReport);
    }

    private void answer(long arrivalNs, RtcpParticipant from, long toSsrc, long reference, long delay) {
        RtcpParticipant to = participant(toSsrc);
        if (to == null || reference == 0) {
            return;
        }
        long sentNs = to.sentNs(reference);
        if (sentNs != Long.MIN_VALUE) {
            from.roundTrip().add(sentNs, arrivalNs, delay);
        }
    }

    private RtcpParticipant touch(long arrivalNs, long ssrc) {
        RtcpParticipant found = participant(ssrc);
        if (found == null) {
            if (participants.size() == LIMIT) {
                evictOldest(participants, RtcpParticipant::lastNs);
            }
            found = new RtcpParticipant(ssrc);
            participants.add(found);
        }
        found.touch(arrivalNs);
        return found;
    }

    private ReceptionSummary summary(long ssrc) {
        ReceptionSummary found = about(ssrc);
        if (found == null) {
            if (summaries.size() == LIMIT) {
                evictOldest(summaries, ReceptionSummary::lastNs);
            }
            found = new ReceptionSummary(ssrc);
            summaries.add(found);
        }
        return found;
    }

    private <T> void evictOldest(List<T> table, ToLongFunction<T> lastNs) {
        int oldest = 0;
        for (int i = 1; i < table.size(); i++) {
            if (lastNs.applyAsLong(table.get(i)) < lastNs.applyAsLong(table.get(oldest))) {
                oldest = i;
            }
        }
        table.remove(oldest);
        evicted++;
    }

    /** What is said of a stream; null when nothing was. */
    public @Nullable ReceptionSummary about(long ssrc) {
        for (ReceptionSummary summary : summaries) {
            if (summary.ssrc() == ssrc) {
                return summary;
            }
        }
        return null;
    }

    /** Who sends RTCP under an SSRC; null when nobody did. */
    public @Nullable RtcpParticipant participant(long ssrc) {
        for (RtcpParticipant participant : participants) {
            if (participant.ssrc() == ssrc) {
                return participant;
            }
        }
        return null;
    }

    /** All streams of which something is said, in order of the first time. */
    public List<ReceptionSummary> summaries() {
        return List.copyOf(summaries);
    }

    /** All who send RTCP, in order of their first packet. */
    public List<RtcpParticipant> participants() {
        return List.copyOf(participants);
    }

    /**
     * The mean round trip between a stream's sender and its receiver, both halves measured here; empty where one is
     * missing.
     *
     * @param ssrc of the stream
     */
    public OptionalDouble roundTripMs(long ssrc) {
        ReceptionSummary summary = about(ssrc);
        RtcpParticipant sender = participant(ssrc);
        RtcpParticipant receiver = summary == null ? null : participant(summary.reporterSsrc());
        if (sender == null || receiver == null) {
            return OptionalDouble.empty();
        }
        RoundTrip near = sender.roundTrip();
        RoundTrip far = receiver.roundTrip();
        return near.count() == 0 || far.count() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(near.meanMs() + far.meanMs());
    }

    /** UDP payloads that were given. */
    public long compounds() {
        return compounds;
    }

    /** Payloads whose lengths do not add up: encrypted, or no RTCP. */
    public long undecodable() {
        return undecodable;
    }

    /** Packets and XR blocks whose content does not fit their length. */
    public long malformed() {
        return malformed;
    }

    /** Participants and streams that had to make room. */
    public long evicted() {
        return evicted;
    }
}
