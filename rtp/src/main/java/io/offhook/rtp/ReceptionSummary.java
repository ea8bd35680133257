package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/**
 * What the far end says of one stream that it receives: its report blocks and XR blocks in RTCP, added up. Changed by
 * its {@link RtcpReports} only; single-threaded.
 */
public final class ReceptionSummary {
    private final long ssrc;
    private long reporterSsrc;
    private long reports;
    private int fractionLost;
    private int maxFractionLost;
    private long fractionLostSum;
    private int cumulativeLost;
    private long highestSequenceNumber;
    private long jitter;
    private long maxJitter;
    private double jitterSum;
    private long firstNs;
    private long lastNs;
    private @Nullable VoipMetrics voipMetrics;
    private int minMosLq = VoipMetrics.UNAVAILABLE;
    private int minMosCq = VoipMetrics.UNAVAILABLE;
    private int minRFactor = VoipMetrics.UNAVAILABLE;

    ReceptionSummary(long ssrc) {
        this.ssrc = ssrc;
    }

    void touch(long arrivalNs, long reporterSsrc) {
        if (lastNs == 0) {
            firstNs = arrivalNs;
        }
        lastNs = arrivalNs;
        this.reporterSsrc = reporterSsrc;
    }

    void report(int fractionLost, int cumulativeLost, long highestSequenceNumber, long jitter) {
        reports++;
        this.fractionLost = fractionLost;
        maxFractionLost = Math.max(maxFractionLost, fractionLost);
        fractionLostSum += fractionLost;
        this.cumulativeLost = cumulativeLost;
        this.highestSequenceNumber = highestSequenceNumber;
        this.jitter = jitter;
        maxJitter = Math.max(maxJitter, jitter);
        jitterSum += jitter;
    }

    void voipMetrics(VoipMetrics metrics) {
        voipMetrics = metrics;
        minMosLq = Math.min(minMosLq, metrics.mosLq());
        minMosCq = Math.min(minMosCq, metrics.mosCq());
        minRFactor = Math.min(minRFactor, metrics.rFactor());
    }

    /** The stream that it is about. */
    public long ssrc() {
        return ssrc;
    }

    /** Who reported last. */
    public long reporterSsrc() {
        return reporterSsrc;
    }

    /** Report blocks that were seen. */
    public long reports() {
        return reports;
    }

    /** Lost packets of the last report's interval, 0 to 100. */
    public double lastLostPercent() {
        return fractionLost * 100.0 / 256;
    }

    /** Lost packets of the worst report's interval, 0 to 100. */
    public double maxLostPercent() {
        return maxFractionLost * 100.0 / 256;
    }

    /** Lost packets on average of the reports, 0 to 100. */
    public double meanLostPercent() {
        return reports == 0 ? 0 : fractionLostSum * 100.0 / 256 / reports;
    }

    /** Packets lost from the start to the last report; below 0 where duplicates outnumber losses. */
    public int cumulativeLost() {
        return cumulativeLost;
    }

    /** Of the last report: cycles in the upper 16 bits, the highest sequence number in the lower. */
    public long highestSequenceNumber() {
        return highestSequenceNumber;
    }

    /**
     * The jitter reported last, in milliseconds.
     *
     * @param clockRate of the stream's codec, above 0
     */
    public double lastJitterMs(int clockRate) {
        return jitter * 1000.0 / clockRate;
    }

    /**
     * The highest jitter reported, in milliseconds.
     *
     * @param clockRate of the stream's codec, above 0
     */
    public double maxJitterMs(int clockRate) {
        return maxJitter * 1000.0 / clockRate;
    }

    /**
     * The mean of the reported jitter, in milliseconds.
     *
     * @param clockRate of the stream's codec, above 0
     */
    public double meanJitterMs(int clockRate) {
        return reports == 0 ? 0 : jitterSum * 1000.0 / clockRate / reports;
    }

    /** The last VoIP metrics block; null when none was seen. */
    public @Nullable VoipMetrics voipMetrics() {
        return voipMetrics;
    }

    /** The lowest listening quality of all VoIP metrics blocks, times ten; {@link VoipMetrics#UNAVAILABLE} for none. */
    public int minMosLq() {
        return minMosLq;
    }

    /** The lowest conversational quality, likewise. */
    public int minMosCq() {
        return minMosCq;
    }

    /** The lowest R factor, likewise. */
    public int minRFactor() {
        return minRFactor;
    }

    /** When the first report came, nanoseconds since the epoch. */
    public long firstNs() {
        return firstNs;
    }

    /** When the last report came, nanoseconds since the epoch. */
    public long lastNs() {
        return lastNs;
    }
}
