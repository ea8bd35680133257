package io.offhook.rtp;

import io.offhook.packet.Endpoint;
import io.offhook.packet.WrapStatus;
import io.offhook.rtp.figures.ConversationFigures;
import io.offhook.rtp.figures.ConversationUpdate;
import io.offhook.rtp.figures.ParticipantFigures;
import io.offhook.rtp.figures.ReceptionFigures;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The RTCP reports of a conversation: what its two ends report of each other's streams, and the round trips between
 * them.
 *
 * <p>One object takes the RTCP of both directions in the order of the capture. {@link #about(long)} returns the reports
 * on a stream by its SSRC; {@link #participant(long)} returns the participant that sends under an SSRC.
 *
 * <p>Round trips: an SR passes the place of capture, reaches the other end, is held there for DLSR, and the answer that
 * names it by LSR passes the place of capture again. The answers of each end therefore measure the path from the place
 * of capture to that end and back; their sum is the round trip between the ends.
 *
 * <p>Holds {@value #LIMIT} participants and {@value #LIMIT} streams; the one that has been silent the longest is
 * evicted and counted. Single-threaded.
 */
public final class RtcpReports {
    /** The most participants, and the most streams. */
    public static final int LIMIT = 32;

    private final List<RtcpParticipant> participants = new ArrayList<>(2);
    private final List<ReceptionSummary> summaries = new ArrayList<>(2);
    private final RtcpReader reader = new RtcpReader();
    private final RtcpView view = new RtcpView();
    private final SdesReader sdes = new SdesReader();
    private final XrReader xr = new XrReader();
    private @Nullable Endpoint source;
    private long compounds;
    private long undecodable;
    private long malformed;
    private long evicted;

    private final boolean keepsHistory;
    /** Made of figures: takes no packets. */
    private boolean isClosed;

    /** Creates an object without reports, which keeps totals. */
    public RtcpReports() {
        this(false);
    }

    /**
     * Creates an object without reports.
     *
     * @param keepsHistory whether {@link ReceptionSummary#between} is to know each report, which takes 32 octets
     */
    public RtcpReports(boolean keepsHistory) {
        this.keepsHistory = keepsHistory;
    }

    /**
     * Reports that answer as those did whose {@link #figures} were taken. They take no packets: these are an {@link
     * IllegalStateException}.
     */
    public static RtcpReports of(ConversationFigures figures) {
        RtcpReports reports = new RtcpReports();
        reports.isClosed = true;
        for (ParticipantFigures participant : figures.participants()) {
            reports.participants.add(RtcpParticipant.of(participant));
        }
        for (ReceptionFigures reception : figures.receptions()) {
            reports.summaries.add(ReceptionSummary.of(reception));
        }
        reports.compounds = figures.counts().compounds();
        reports.undecodable = figures.counts().undecodable();
        reports.malformed = figures.counts().malformed();
        reports.evicted = figures.counts().evicted();
        return reports;
    }

    /** What all accessors answer from, as it is now. May be taken at any time, and changes nothing. */
    public ConversationFigures figures() {
        return figures(new ConversationMark());
    }

    /**
     * What {@link #figures} has, but of the reports one by one only those since the mark, which is set to now. Folded together
     * by {@link ConversationFigures#with}, all that was taken by one mark equals {@link #figures}.
     *
     * @param mark of this conversation and who takes its figures; a new one to begin with
     */
    public ConversationUpdate figuresSince(ConversationMark mark) {
        return new ConversationUpdate(figures(mark));
    }

    private ConversationFigures figures(ConversationMark mark) {
        List<ParticipantFigures> ofParticipants = new ArrayList<>(participants.size());
        for (RtcpParticipant participant : participants) {
            ofParticipants.add(participant.figures());
        }
        List<ReceptionFigures> ofReceptions = new ArrayList<>(summaries.size());
        for (ReceptionSummary summary : summaries) {
            ofReceptions.add(summary.figures(mark.from(summary)));
        }
        mark.set(summaries);
        return new ConversationFigures(
                ofParticipants,
                ofReceptions,
                new ConversationFigures.Counts(compounds, undecodable, malformed, evicted));
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("reports of figures take no packets");
        }
    }

    /**
     * Reads a UDP payload of RTCP.
     *
     * @param segment native memory with the payload
     * @param offset the first octet of the payload
     * @param length captured octets
     * @param wireLength octets sent
     * @param arrivalNs the arrival, in nanoseconds since the epoch
     * @return the status of {@link RtcpReader#wrap}; nothing is read from a MALFORMED payload, which is most often
     *     encrypted
     */
    public WrapStatus read(MemorySegment segment, long offset, int length, int wireLength, long arrivalNs) {
        return read(segment, offset, length, wireLength, arrivalNs, null);
    }

    /**
     * Likewise, with the endpoint that it came from, so that {@link RtcpParticipant#source()} has it.
     *
     * @param source of the datagram; null if unknown
     */
    public WrapStatus read(
            MemorySegment segment, long offset, int length, int wireLength, long arrivalNs, @Nullable Endpoint source) {
        requireOpen();
        this.source = source;
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
                // feedback and APP do not describe reception
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
                    // run lengths, receipt times and their summaries detail what report blocks state
                }
            }
        }
        malformed += xr.malformed();
    }

    /**
     * Adds the sender info of an SR.
     *
     * @param arrivalNs the arrival, in nanoseconds since the epoch
     * @param ssrc the sender
     * @param ntpMiddle as {@link RtcpView#ntpMiddle()}
     * @param packetCount RTP packets sent so far
     * @param octetCount octets of payload sent so far
     */
    public void senderReport(long arrivalNs, long ssrc, long ntpMiddle, long packetCount, long octetCount) {
        requireOpen();
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
    void report(
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
        found.touch(arrivalNs, source);
        return found;
    }

    private ReceptionSummary summary(long ssrc) {
        ReceptionSummary found = about(ssrc);
        if (found == null) {
            if (summaries.size() == LIMIT) {
                evictOldest(summaries, ReceptionSummary::lastNs);
            }
            found = new ReceptionSummary(ssrc, keepsHistory);
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

    /** The reports on a stream; null if there are none. */
    public @Nullable ReceptionSummary about(long ssrc) {
        for (ReceptionSummary summary : summaries) {
            if (summary.ssrc() == ssrc) {
                return summary;
            }
        }
        return null;
    }

    /** The participant that sends RTCP under an SSRC; null if there is none. */
    public @Nullable RtcpParticipant participant(long ssrc) {
        for (RtcpParticipant participant : participants) {
            if (participant.ssrc() == ssrc) {
                return participant;
            }
        }
        return null;
    }

    /** All streams with reports, in order of the first report. */
    public List<ReceptionSummary> summaries() {
        return List.copyOf(summaries);
    }

    /** All participants that send RTCP, in order of their first packet. */
    public List<RtcpParticipant> participants() {
        return List.copyOf(participants);
    }

    /**
     * The round trip between a stream's sender and its receiver, in milliseconds: the medians of its two halves; empty
     * unless both were measured.
     *
     * @param ssrc the SSRC of the stream
     */
    public OptionalDouble roundTripMs(long ssrc) {
        ReceptionSummary summary = about(ssrc);
        RtcpParticipant sender = participant(ssrc);
        RtcpParticipant receiver = summary == null ? null : participant(summary.reporterSsrc());
        if (sender == null || receiver == null) {
            return OptionalDouble.empty();
        }
        RtcpRoundTrip near = sender.roundTrip();
        RtcpRoundTrip far = receiver.roundTrip();
        return near.count() == 0 || far.count() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(near.medianMs() + far.medianMs());
    }

    /** UDP payloads read. */
    public long compounds() {
        return compounds;
    }

    /** Payloads whose lengths do not add up: encrypted, or not RTCP. */
    public long undecodable() {
        return undecodable;
    }

    /** Packets and XR blocks whose content does not fit their length. */
    public long malformed() {
        return malformed;
    }

    /** Participants and streams that were evicted. */
    public long evicted() {
        return evicted;
    }
}
