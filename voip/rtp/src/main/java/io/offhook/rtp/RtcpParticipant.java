package io.offhook.rtp;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.figures.ParticipantFigures;
import org.jspecify.annotations.Nullable;

/**
 * One SSRC that sends RTCP, and what it reports of itself. Only its {@link RtcpReports} changes it; single-threaded.
 */
public final class RtcpParticipant {
    /** The references that are kept, because an answer may name any of them; receivers answer the last one they saw. */
    private static final int REFERENCES = 8;

    private final long ssrc;
    private final int[] referenceTime = new int[REFERENCES];
    private final long[] referenceNs = new long[REFERENCES];
    private int references;
    private int nextReference;
    private final RtcpRoundTrip roundTrip;
    private final ReportedCounts sentPackets;
    private long senderReports;
    private long packetCount;
    private long octetCount;
    private long lastNs;
    private @Nullable Endpoint source;
    private @Nullable String cname;
    private @Nullable String byeReason;
    private long byeNs;

    RtcpParticipant(long ssrc) {
        this(ssrc, new RtcpRoundTrip(), new ReportedCounts());
    }

    private RtcpParticipant(long ssrc, RtcpRoundTrip roundTrip, ReportedCounts sentPackets) {
        this.ssrc = ssrc;
        this.roundTrip = roundTrip;
        this.sentPackets = sentPackets;
    }

    /** The participant as figures have it, to which no report may be added. */
    static RtcpParticipant of(ParticipantFigures figures) {
        RtcpParticipant participant = new RtcpParticipant(
                figures.ssrc(), RtcpRoundTrip.of(figures.roundTrip()), ReportedCounts.of(figures.sentPackets()));
        participant.senderReports = figures.sent().reports();
        participant.packetCount = figures.sent().packets();
        participant.octetCount = figures.sent().octets();
        participant.lastNs = figures.lastNs();
        participant.source = figures.source();
        participant.cname = figures.names().cname();
        participant.byeReason = figures.names().byeReason();
        participant.byeNs = figures.names().byeNs();
        return participant;
    }

    ParticipantFigures figures() {
        return new ParticipantFigures(
                ssrc,
                new ParticipantFigures.Sent(senderReports, packetCount, octetCount),
                lastNs,
                source,
                new ParticipantFigures.Names(cname, byeReason, byeNs),
                sentPackets.figures(),
                roundTrip.figures());
    }

    void touch(long arrivalNs, @Nullable Endpoint source) {
        lastNs = arrivalNs;
        this.source = source;
    }

    void senderReport(long arrivalNs, long ntpMiddle, long packetCount, long octetCount) {
        senderReports++;
        this.packetCount = packetCount;
        this.octetCount = octetCount;
        sentPackets.add(arrivalNs, packetCount);
        reference(arrivalNs, ntpMiddle);
    }

    /** Notes the time in an SR or a reference time block. A repeated one is a copy: the first counts. */
    void reference(long arrivalNs, long ntpMiddle) {
        if (sentNs(ntpMiddle) != Long.MIN_VALUE) {
            return;
        }
        referenceTime[nextReference] = (int) ntpMiddle;
        referenceNs[nextReference] = arrivalNs;
        nextReference = (nextReference + 1) % REFERENCES;
        references = Math.min(references + 1, REFERENCES);
    }

    /** When a reference of this participant passed the place of capture; Long.MIN_VALUE if unknown. */
    long sentNs(long ntpMiddle) {
        for (int i = 0; i < references; i++) {
            if (referenceTime[i] == (int) ntpMiddle) {
                return referenceNs[i];
            }
        }
        return Long.MIN_VALUE;
    }

    void cname(String cname) {
        this.cname = cname;
    }

    void bye(long arrivalNs, String reason) {
        if (byeReason == null) {
            byeNs = arrivalNs;
            byeReason = reason;
        } else if (byeReason.isEmpty()) {
            byeReason = reason;
        }
    }

    /** The SSRC, 32 bits, unsigned. */
    public long ssrc() {
        return ssrc;
    }

    /** Where its last packet came from; null if that was not stated. */
    public @Nullable Endpoint source() {
        return source;
    }

    /** The canonical name of SDES; null if not seen yet. */
    public @Nullable String cname() {
        return cname;
    }

    /** The number of sender reports seen. */
    public long senderReports() {
        return senderReports;
    }

    /**
     * RTP packets sent, by the last sender report. If it exceeds the captured packets, the difference was lost before
     * the place of capture.
     */
    public long packetCount() {
        return packetCount;
    }

    /** RTP packets sent, report by report. */
    public ReportedCounts sentPackets() {
        return sentPackets;
    }

    /** Octets of payload sent, by the last sender report. */
    public long octetCount() {
        return octetCount;
    }

    /** Round trips between the place of capture and this participant, from its answers to reports that passed by. */
    public RtcpRoundTrip roundTrip() {
        return roundTrip;
    }

    /** Whether the participant sent BYE. */
    public boolean saidBye() {
        return byeReason != null;
    }

    /** The reason given in BYE, empty if there is none; null before BYE. */
    public @Nullable String byeReason() {
        return byeReason;
    }

    /** The arrival of the first BYE, in nanoseconds since the epoch; 0 before BYE. */
    public long byeNs() {
        return byeNs;
    }

    /** The arrival of the last packet, in nanoseconds since the epoch. */
    public long lastNs() {
        return lastNs;
    }
}
