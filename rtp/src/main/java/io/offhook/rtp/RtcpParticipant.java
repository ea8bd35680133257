package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/** One SSRC that sends RTCP, and what it said of itself. Changed by its {@link RtcpReports} only; single-threaded. */
public final class RtcpParticipant {
    /** References that an answer may still name; receivers answer the last one they saw. */
    private static final int REFERENCES = 8;

    private final long ssrc;
    private final int[] referenceTime = new int[REFERENCES];
    private final long[] referenceNs = new long[REFERENCES];
    private int references;
    private final RoundTrip roundTrip = new RoundTrip();
    private long senderReports;
    private long packetCount;
    private long octetCount;
    private long lastNs;
    private @Nullable String cname;
    private @Nullable String byeReason;
    private long byeNs;

    RtcpParticipant(long ssrc) {
        this.ssrc = ssrc;
    }

    void touch(long arrivalNs) {
        lastNs = arrivalNs;
    }

    void senderReport(long arrivalNs, long ntpMiddle, long packetCount, long octetCount) {
        senderReports++;
        this.packetCount = packetCount;
        this.octetCount = octetCount;
        reference(arrivalNs, ntpMiddle);
    }

    /** It said what time it is, in an SR or a reference time block. A repeated one is a copy: the first one counts. */
    void reference(long arrivalNs, long ntpMiddle) {
        if (sentNs(ntpMiddle) != Long.MIN_VALUE) {
            return;
        }
        referenceTime[references % REFERENCES] = (int) ntpMiddle;
        referenceNs[references % REFERENCES] = arrivalNs;
        references++;
    }

    /** When a reference of this participant passed the capture point; Long.MIN_VALUE when it is not known. */
    long sentNs(long ntpMiddle) {
        for (int i = 0; i < Math.min(references, REFERENCES); i++) {
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

    /** Who it is. */
    public long ssrc() {
        return ssrc;
    }

    /** The canonical name of SDES; null while it has not been seen. */
    public @Nullable String cname() {
        return cname;
    }

    /** Sender reports that were seen. */
    public long senderReports() {
        return senderReports;
    }

    /**
     * RTP packets sent, by its last sender report: what it sent beyond the packets captured was lost before the
     * capture.
     */
    public long packetCount() {
        return packetCount;
    }

    /** Octets of payload sent, by its last sender report. */
    public long octetCount() {
        return octetCount;
    }

    /** Between the capture point and this participant, from the time it takes to answer what passed by. */
    public RoundTrip roundTrip() {
        return roundTrip;
    }

    /** Whether it said BYE. */
    public boolean saidBye() {
        return byeReason != null;
    }

    /** The reason it gave with BYE, empty for none; null while it has not said BYE. */
    public @Nullable String byeReason() {
        return byeReason;
    }

    /** When its first BYE came, nanoseconds since the epoch; 0 while none has. */
    public long byeNs() {
        return byeNs;
    }

    /** When its last packet came, nanoseconds since the epoch. */
    public long lastNs() {
        return lastNs;
    }
}
