package io.offhook.rtp;

import io.offhook.rtp.figures.LossFigures;

/**
 * What became of the numbers of a stream for which it is settled: lost, discarded by the jitter buffer, or played. Fed in
 * ascending order, from the first irregular number on; counts bursts of each kind, and what each interval lost.
 *
 * <p>A lost number, and all of its run, belong to the interval in which the next higher number that was captured arrived:
 * there the hole shows.
 */
final class Impairments {
    private final LossBursts lost;
    private final LossBursts discarded;
    private final LossBursts impaired;
    private final BurstsAndGaps burstsAndGaps;
    private final IntervalLosses intervals;
    private long openFirst;
    private int openCount;
    private long lastImpaired = Long.MIN_VALUE;
    private int lastInterval;

    Impairments() {
        lost = new LossBursts();
        discarded = new LossBursts();
        impaired = new LossBursts();
        burstsAndGaps = new BurstsAndGaps();
        intervals = new IntervalLosses();
    }

    private Impairments(BurstsAndGaps gaps) {
        lost = LossBursts.NONE;
        discarded = LossBursts.NONE;
        impaired = LossBursts.NONE;
        burstsAndGaps = gaps;
        intervals = IntervalLosses.NONE;
    }

    /** Of a run in which all numbers arrived in order, and in time; not to be added to. */
    static Impairments none(long lowest, long highest) {
        BurstsAndGaps gaps = new BurstsAndGaps();
        gaps.closeRun(lowest, highest);
        return new Impairments(gaps);
    }

    private Impairments(LossFigures figures, IntervalLosses intervals) {
        lost = LossBursts.of(figures.lost());
        discarded = LossBursts.of(figures.discarded());
        impaired = LossBursts.of(figures.impaired());
        burstsAndGaps = BurstsAndGaps.of(figures.groups());
        this.intervals = intervals;
    }

    /** As figures have them; not to be added to. */
    static Impairments of(LossFigures figures, IntervalLosses intervals) {
        return new Impairments(figures, intervals);
    }

    /** All but the losses of intervals; of runs that are closed. */
    LossFigures figures() {
        return new LossFigures(lost.figures(), discarded.figures(), impaired.figures(), burstsAndGaps.figures());
    }

    private Impairments(Impairments other) {
        lost = other.lost.copy();
        discarded = other.discarded.copy();
        impaired = other.impaired.copy();
        burstsAndGaps = other.burstsAndGaps.copy();
        intervals = other.intervals.copy();
        openFirst = other.openFirst;
        openCount = other.openCount;
        lastImpaired = other.lastImpaired;
        lastInterval = other.lastInterval;
    }

    Impairments copy() {
        return new Impairments(this);
    }

    /** Numbers that were not captured. */
    void lost(long first, int count) {
        if (openCount == 0) {
            openFirst = first;
        }
        openCount += count;
    }

    /** Whether the next number that was captured decides where lost ones belong. */
    boolean isOpen() {
        return openCount > 0;
    }

    /** A number that was captured, in an interval; to be called for all of them while {@link #isOpen()}. */
    void captured(int interval) {
        if (openCount > 0) {
            lost.add(openFirst, openCount);
            impair(openFirst, openCount, interval, true);
            openCount = 0;
        }
    }

    /** A number that was captured in an interval, too late to be played. */
    void discarded(long number, int interval) {
        captured(interval);
        discarded.add(number, 1);
        impair(number, 1, interval, false);
    }

    /** A discarded number of an interval that had been taken for played; a burst of its own. */
    void discardedAfterAll(int interval) {
        discarded.single();
        impaired.single();
        intervals.add(interval, 0, 1, 1);
    }

    private void impair(long first, int count, int interval, boolean isLoss) {
        impaired.add(first, count);
        burstsAndGaps.impair(first, count);
        boolean continues = lastImpaired == first - 1 && lastInterval == interval;
        intervals.add(interval, isLoss ? count : 0, isLoss ? 0 : count, continues ? 0 : 1);
        lastImpaired = first + count - 1;
        lastInterval = interval;
    }

    /** Ends a run of the sender's numbers. */
    void closeRun(long lowest, long highest) {
        lost.close();
        discarded.close();
        impaired.close();
        burstsAndGaps.closeRun(lowest, highest);
        lastImpaired = Long.MIN_VALUE;
    }

    LossBursts lostBursts() {
        return lost;
    }

    LossBursts discardedBursts() {
        return discarded;
    }

    LossBursts impairedBursts() {
        return impaired;
    }

    BurstsAndGaps burstsAndGaps() {
        return burstsAndGaps;
    }

    IntervalLosses intervals() {
        return intervals;
    }
}
