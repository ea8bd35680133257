package io.offhook.cli.threads;

import io.offhook.monitor.ThreadWatch;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** What a thread did, by columns of a plot: of several readings in one column, the highest; of their means of 15 s, the last. */
final class PlotColumns {
    private static final double NOTHING = -1;
    private static final int SLACK_PART = 2;

    private final long firstNs;
    private final double nsAColumn;
    private final double[] raw;
    private final double[] waited;
    private final double[] mean;
    private final PlotStates states;
    /** Behind the last column of the last reading. */
    private int next = Integer.MAX_VALUE / 2;

    /**
     * Columns without anything.
     *
     * @param firstNs where the first begins
     * @param lastNs where the last ends
     */
    PlotColumns(long firstNs, long lastNs, int count) {
        this.firstNs = firstNs;
        nsAColumn = Math.max(1, lastNs - firstNs) / (double) count;
        raw = filled(count);
        waited = filled(count);
        mean = filled(count);
        states = new PlotStates(count);
    }

    private static double[] filled(int count) {
        double[] columns = new double[count];
        Arrays.fill(columns, NOTHING);
        return columns;
    }

    /** @param samples in the order of time */
    void add(List<ThreadHistory.Sample> samples) {
        Deque<ThreadHistory.Sample> recent = new ArrayDeque<>();
        long spanNs = 0;
        long ranNs = 0;
        for (ThreadHistory.Sample sample : samples) {
            recent.addLast(sample);
            spanNs += sample.use().elapsedNs();
            ranNs += ranNs(sample);
            while (recent.size() > 1 && spanNs > ThreadWatch.MEAN_NS) {
                ThreadHistory.Sample oldest = recent.removeFirst();
                spanNs -= oldest.use().elapsedNs();
                ranNs -= ranNs(oldest);
            }
            double share = spanNs <= 0 ? 0 : Math.clamp((double) ranNs / spanNs, 0, 1);
            add(sample, share);
        }
    }

    private static long ranNs(ThreadHistory.Sample sample) {
        return sample.use().userNs() + sample.use().systemNs();
    }

    /** A reading begins where the one before ended, but for real gaps: when it was is known less exactly than how long it is. */
    private void add(ThreadHistory.Sample sample, double share) {
        int begin = column(sample.atNs() - sample.use().elapsedNs());
        int to = Math.max(begin, column(sample.atNs() - 1));
        int slack = 1 + (to - begin) / SLACK_PART;
        int from = Math.abs(begin - next) <= slack ? Math.min(next, to) : begin;
        next = to + 1;
        double wait = sample.use().waitedNs() < 0 ? 0 : sample.use().waited();
        for (int i = from; i <= to; i++) {
            raw[i] = Math.max(raw[i], sample.use().cpu());
            waited[i] = Math.max(waited[i], wait);
            mean[i] = share;
        }
        states.add(from, to, sample.states());
    }

    int column(long ns) {
        return Math.clamp((long) ((ns - firstNs) / nsAColumn), 0, raw.length - 1);
    }

    int count() {
        return raw.length;
    }

    /** Whether anything is known of a column. */
    boolean isKnown(int column) {
        return raw[column] >= 0;
    }

    /** The share of a processor, 0 to 1. */
    double raw(int column) {
        return raw[column];
    }

    /** The share of the time in which it waited for one. */
    double waited(int column) {
        return waited[column];
    }

    /** The mean of 15 s of the share of a processor. */
    double mean(int column) {
        return mean[column];
    }

    /** What it did in Java. */
    PlotStates states() {
        return states;
    }

    /** The highest that is drawn. */
    double highest() {
        double highest = 0;
        for (int i = 0; i < raw.length; i++) {
            highest = Math.max(highest, raw[i] + Math.max(0, waited[i]));
        }
        return Math.min(1, highest);
    }
}
