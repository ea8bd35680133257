package io.offhook.rtp;

import io.offhook.rtp.figures.ReceptionFigures;
import org.jspecify.annotations.Nullable;

/**
 * The far end's view of one stream that it receives: the totals of its report blocks and XR blocks in RTCP. Only its
 * {@link RtcpReports} changes it; single-threaded.
 */
public final class ReceptionSummary {
    private final long ssrc;
    private long reporterSsrc;
    private final ReportedCounts receivedNumbers;
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

    /** The reports one by one; null if only the totals are wanted. */
    private final @Nullable ReceptionHistory history;

    /** @param keepsHistory whether {@link #between} is to know the reports */
    ReceptionSummary(long ssrc, boolean keepsHistory) {
        this(ssrc, new ReportedCounts(), keepsHistory ? new ReceptionHistory() : null);
    }

    private ReceptionSummary(long ssrc, ReportedCounts receivedNumbers, @Nullable ReceptionHistory history) {
        this.ssrc = ssrc;
        this.receivedNumbers = receivedNumbers;
        this.history = history;
    }

    /** The reports as figures have them, to which none may be added. */
    static ReceptionSummary of(ReceptionFigures figures) {
        ReceptionFigures.History reports = figures.history();
        ReceptionSummary summary = new ReceptionSummary(
                figures.subject().ssrc(),
                ReportedCounts.of(figures.received()),
                reports == null ? null : ReceptionHistory.of(reports));
        summary.reporterSsrc = figures.subject().reporterSsrc();
        summary.firstNs = figures.subject().firstNs();
        summary.lastNs = figures.subject().lastNs();
        summary.reports = figures.lost().reports();
        summary.fractionLost = figures.lost().fraction();
        summary.maxFractionLost = figures.lost().maxFraction();
        summary.fractionLostSum = figures.lost().fractionSum();
        summary.cumulativeLost = figures.lost().cumulative();
        summary.highestSequenceNumber = figures.lost().highestNumber();
        summary.jitter = figures.jitter().last();
        summary.maxJitter = figures.jitter().max();
        summary.jitterSum = figures.jitter().sum();
        summary.voipMetrics = figures.metrics() == null ? null : VoipMetrics.of(figures.metrics());
        summary.minMosLq = figures.worst().mosLq();
        summary.minMosCq = figures.worst().mosCq();
        summary.minRFactor = figures.worst().rFactor();
        return summary;
    }

    /** @param from the first report that is wanted one by one, 0 to {@link #keptReports} */
    ReceptionFigures figures(int from) {
        return new ReceptionFigures(
                new ReceptionFigures.Subject(ssrc, reporterSsrc, firstNs, lastNs),
                new ReceptionFigures.Lost(
                        reports, fractionLost, maxFractionLost, fractionLostSum, cumulativeLost, highestSequenceNumber),
                new ReceptionFigures.Jitter(jitter, maxJitter, jitterSum),
                receivedNumbers.figures(),
                voipMetrics == null ? null : voipMetrics.figures(),
                new ReceptionFigures.Worst(minMosLq, minMosCq, minRFactor),
                history == null ? null : history.figures(from));
    }

    /** The reports that are kept one by one. */
    int keptReports() {
        return history == null ? 0 : history.count();
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
        receivedNumbers.add(lastNs, highestSequenceNumber);
        this.jitter = jitter;
        maxJitter = Math.max(maxJitter, jitter);
        jitterSum += jitter;
        if (history != null) {
            history.report(lastNs, fractionLost, jitter);
        }
    }

    void voipMetrics(VoipMetrics metrics) {
        voipMetrics = metrics;
        minMosLq = Math.min(minMosLq, metrics.mosLq());
        minMosCq = Math.min(minMosCq, metrics.mosCq());
        minRFactor = Math.min(minRFactor, metrics.rFactor());
        if (history != null) {
            history.voipMetrics(lastNs, metrics);
        }
    }

    /**
     * What was reported in a stretch of time; null if nothing was, or if its {@link RtcpReports} keep the totals only.
     *
     * @param fromNs nanoseconds since the epoch
     * @param untilNs its end, exclusive
     */
    public @Nullable ReceptionInterval between(long fromNs, long untilNs) {
        return history == null ? null : history.between(fromNs, untilNs);
    }

    /** The SSRC of the stream, 32 bits, unsigned. */
    public long ssrc() {
        return ssrc;
    }

    /** The SSRC of the last reporter, 32 bits, unsigned. */
    public long reporterSsrc() {
        return reporterSsrc;
    }

    /** The number of report blocks seen. */
    public long reports() {
        return reports;
    }

    /** The loss in the interval of the last report, in percent, 0 to 100. */
    public double lastLostPercent() {
        return fractionLost * 100.0 / 256;
    }

    /** The highest loss in the interval of any report, in percent, 0 to 100. */
    public double maxLostPercent() {
        return maxFractionLost * 100.0 / 256;
    }

    /** The mean loss over all reports, in percent, 0 to 100. */
    public double meanLostPercent() {
        return reports == 0 ? 0 : fractionLostSum * 100.0 / 256 / reports;
    }

    /** Packets lost from the start to the last report; negative if duplicates outnumber losses. */
    public int cumulativeLost() {
        return cumulativeLost;
    }

    /**
     * The highest sequence number of the last report: cycles in the upper 16 bits, the sequence number in the lower.
     */
    public long highestSequenceNumber() {
        return highestSequenceNumber;
    }

    /** {@link #highestSequenceNumber()}, report by report. */
    public ReportedCounts receivedNumbers() {
        return receivedNumbers;
    }

    /**
     * The jitter reported last, in milliseconds.
     *
     * @param clockRate the clock rate of the stream's codec in Hz, above 0
     */
    public double lastJitterMs(int clockRate) {
        return jitter * 1000.0 / clockRate;
    }

    /**
     * The highest jitter reported, in milliseconds.
     *
     * @param clockRate the clock rate of the stream's codec in Hz, above 0
     */
    public double maxJitterMs(int clockRate) {
        return maxJitter * 1000.0 / clockRate;
    }

    /**
     * The mean of the reported jitter, in milliseconds.
     *
     * @param clockRate the clock rate of the stream's codec in Hz, above 0
     */
    public double meanJitterMs(int clockRate) {
        return reports == 0 ? 0 : jitterSum * 1000.0 / clockRate / reports;
    }

    /** The last VoIP metrics block; null if none was seen. */
    public @Nullable VoipMetrics voipMetrics() {
        return voipMetrics;
    }

    /**
     * The lowest MOS for listening quality of all VoIP metrics blocks, times ten; {@link VoipMetrics#UNAVAILABLE} if
     * there is none.
     */
    public int minMosLq() {
        return minMosLq;
    }

    /**
     * The lowest MOS for conversational quality of all VoIP metrics blocks, times ten; {@link VoipMetrics#UNAVAILABLE}
     * if there is none.
     */
    public int minMosCq() {
        return minMosCq;
    }

    /** The lowest R factor of all VoIP metrics blocks, 0 to 100; {@link VoipMetrics#UNAVAILABLE} if there is none. */
    public int minRFactor() {
        return minRFactor;
    }

    /** The arrival of the first report, in nanoseconds since the epoch. */
    public long firstNs() {
        return firstNs;
    }

    /** The arrival of the last report, in nanoseconds since the epoch. */
    public long lastNs() {
        return lastNs;
    }
}
