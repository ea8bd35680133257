package io.offhook.rtp;

import io.offhook.rtp.figures.IntervalFigures;
import io.offhook.rtp.figures.StreamUpdate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time of a stream in intervals: three octets each, or 31 with {@link StreamInterval.Figures}. What comes after the
 * last interval that can be kept is counted for the stream alone.
 */
final class StreamIntervals {
    private static final byte NO_PAYLOAD = -1;
    private static final int COUNTS = 6;
    private static final int TIMES = 4;
    private static final int MAX_COUNT = 0xffff;
    private static final char[] NO_COUNTS = {};
    private static final float[] NO_TIMES = {};
    private static final long[] NOTHING_BEFORE = {};

    private final boolean detailed;
    private long firstNs;
    private long endNs;
    private int open;
    private char[] arrived = new char[1];
    private byte[] payloadTypes = new byte[1];
    private char[] counts = NO_COUNTS;
    private float[] times = NO_TIMES;
    private long distinctBefore;
    private final long[] countsBefore;
    private double jitterSumBefore;
    private long jitterSamplesBefore;

    /** @param detailed whether to keep {@link StreamInterval.Figures} */
    StreamIntervals(boolean detailed) {
        this.detailed = detailed;
        countsBefore = detailed ? new long[COUNTS] : NOTHING_BEFORE;
    }

    /**
     * The intervals as figures have them, none of which may be closed any more.
     *
     * @param firstNs when the stream began
     * @param losses takes what they lost
     */
    static StreamIntervals of(IntervalFigures figures, long firstNs, IntervalLosses losses) {
        IntervalFigures.Before before = figures.open().before();
        StreamIntervals intervals = new StreamIntervals(before != null);
        intervals.begin(firstNs);
        int closed = Math.min(figures.closed().size(), StreamInterval.LIMIT);
        intervals.arrived = new char[closed];
        intervals.payloadTypes = new byte[closed];
        if (before != null) {
            intervals.counts = new char[closed * COUNTS];
            intervals.times = new float[closed * TIMES];
        }
        for (int row = 0; row < closed; row++) {
            IntervalFigures.Interval interval = figures.closed().get(row);
            intervals.arrived[row] = saturated(interval.arrived());
            intervals.payloadTypes[row] = (byte) interval.payloadType();
            losses.add(row, interval.losses());
            if (before != null) {
                intervals.detail(row, interval.detail());
            }
        }
        intervals.open = closed;
        losses.add(closed, figures.open().losses());
        intervals.distinctBefore = figures.open().distinctBefore();
        if (before != null) {
            intervals.before(before);
        }
        return intervals;
    }

    private void before(IntervalFigures.Before figures) {
        countsBefore[0] = figures.packets();
        countsBefore[1] = figures.duplicates();
        countsBefore[2] = figures.reordered();
        countsBefore[3] = figures.late();
        countsBefore[4] = figures.strays();
        countsBefore[5] = figures.markers();
        jitterSumBefore = figures.jitter().sumMs();
        jitterSamplesBefore = figures.jitter().count();
    }

    private void detail(int row, IntervalFigures.@Nullable Detail figures) {
        int t = row * TIMES;
        if (figures == null) {
            Arrays.fill(times, t, t + TIMES - 1, Float.NaN);
            return;
        }
        int c = row * COUNTS;
        counts[c] = (char) figures.packets();
        counts[c + 1] = (char) figures.duplicates();
        counts[c + 2] = (char) figures.reordered();
        counts[c + 3] = (char) figures.late();
        counts[c + 4] = (char) figures.strays();
        counts[c + 5] = (char) figures.markers();
        times[t] = figures.times().jitter();
        times[t + 1] = figures.times().meanJitter();
        times[t + 2] = figures.times().maxJitter();
        times[t + 3] = figures.times().maxDelta();
    }

    private IntervalFigures.@Nullable Detail detail(int row) {
        if (!detailed) {
            return null;
        }
        int c = row * COUNTS;
        int t = row * TIMES;
        return new IntervalFigures.Detail(
                counts[c],
                counts[c + 1],
                counts[c + 2],
                counts[c + 3],
                counts[c + 4],
                counts[c + 5],
                new IntervalFigures.Times(times[t], times[t + 1], times[t + 2], times[t + 3]));
    }

    private IntervalFigures.Interval closed(int row, IntervalLosses losses) {
        return new IntervalFigures.Interval(payloadTypes[row], arrived[row], losses.figures(row), detail(row));
    }

    private IntervalFigures.Open open(IntervalLosses losses) {
        IntervalFigures.Before before = !detailed
                ? null
                : new IntervalFigures.Before(
                        countsBefore[0],
                        countsBefore[1],
                        countsBefore[2],
                        countsBefore[3],
                        countsBefore[4],
                        countsBefore[5],
                        new IntervalFigures.Samples(jitterSumBefore, jitterSamplesBefore));
        return new IntervalFigures.Open(losses.figures(open), distinctBefore, before);
    }

    /** All intervals. */
    IntervalFigures figures(IntervalLosses losses) {
        List<IntervalFigures.Interval> closed = new ArrayList<>(open);
        for (int row = 0; row < open; row++) {
            closed.add(closed(row, losses));
        }
        return new IntervalFigures(closed, open(losses));
    }

    /** The open interval alone. */
    IntervalFigures openFigures(IntervalLosses losses) {
        return new IntervalFigures(List.of(), open(losses));
    }

    /** Closed intervals that changed since a mark, which is set to now. */
    List<StreamUpdate.Changed> changedSince(FiguresMark mark, IntervalLosses losses) {
        List<StreamUpdate.Changed> changed = new ArrayList<>(open - mark.closed + 1);
        losses.forEachChangedSince(
                mark.losses, mark.closed, row -> changed.add(new StreamUpdate.Changed(row, closed(row, losses))));
        for (int row = mark.closed; row < open; row++) {
            changed.add(new StreamUpdate.Changed(row, closed(row, losses)));
        }
        mark.closed = open;
        mark.losses = losses;
        return changed;
    }

    void begin(long arrivalNs) {
        firstNs = arrivalNs;
        endNs = arrivalNs + StreamInterval.LENGTH_NS;
    }

    long endNs() {
        return endNs;
    }

    /** The interval that is open; the limit once no more are kept. */
    int open() {
        return open;
    }

    /** The interval of an arrival that is not after the open one. */
    int of(long arrivalNs) {
        return Math.clamp((arrivalNs - firstNs) / StreamInterval.LENGTH_NS, 0, open);
    }

    /** Closes the open interval, and those without packets before that of an arrival. */
    void close(long arrivalNs, RtpStream stream, PayloadTimeline timeline) {
        long further = (arrivalNs - endNs) / StreamInterval.LENGTH_NS;
        endNs += (further + 1) * StreamInterval.LENGTH_NS;
        if (open == StreamInterval.LIMIT) {
            return;
        }
        keep(stream, timeline);
        for (int next = (int) Math.min(open + 1 + further, StreamInterval.LIMIT); open < next; ) {
            if (++open < StreamInterval.LIMIT) {
                makeRoom();
                payloadTypes[open] = NO_PAYLOAD;
                if (detailed) {
                    Arrays.fill(times, open * TIMES, open * TIMES + TIMES - 1, Float.NaN);
                }
            }
        }
        timeline.beginInterval();
    }

    private void keep(RtpStream stream, PayloadTimeline timeline) {
        arrived[open] = saturated(stream.distinct() - distinctBefore);
        distinctBefore = stream.distinct();
        payloadTypes[open] = (byte) timeline.intervalPayloadType();
        if (detailed) {
            makeRoom();
            writeFigures(stream, timeline.jitter(), counts, times, open);
            for (int column = 0; column < COUNTS; column++) {
                countsBefore[column] = count(stream, column);
            }
            jitterSumBefore = timeline.jitter().sum();
            jitterSamplesBefore = timeline.jitter().samples();
        }
    }

    private void makeRoom() {
        if (open >= arrived.length) {
            arrived = Arrays.copyOf(arrived, arrived.length * 2);
            payloadTypes = Arrays.copyOf(payloadTypes, payloadTypes.length * 2);
        }
        if (detailed && (open + 1) * COUNTS > counts.length) {
            counts = Arrays.copyOf(counts, arrived.length * COUNTS);
            times = Arrays.copyOf(times, arrived.length * TIMES);
        }
    }

    private static char saturated(long count) {
        return (char) Math.clamp(count, 0, MAX_COUNT);
    }

    private static long count(RtpStream stream, int column) {
        return switch (column) {
            case 0 -> stream.packets();
            case 1 -> stream.duplicates();
            case 2 -> stream.reordered();
            case 3 -> stream.late();
            case 4 -> stream.strays();
            default -> stream.markers();
        };
    }

    /** Writes the figures of the time since the last interval was closed. */
    private void writeFigures(RtpStream stream, Jitter jitter, char[] counts, float[] times, int row) {
        for (int column = 0; column < COUNTS; column++) {
            counts[row * COUNTS + column] = saturated(count(stream, column) - countsBefore[column]);
        }
        // statistics that began anew, because the clock was another, have fewer samples than before
        boolean anew = jitter.samples() < jitterSamplesBefore;
        long samples = jitter.samples() - (anew ? 0 : jitterSamplesBefore);
        double sum = jitter.sum() - (anew ? 0 : jitterSumBefore);
        times[row * TIMES] = jitter.isKnown() ? (float) jitter.currentMs() : Float.NaN;
        times[row * TIMES + 1] = samples == 0 ? Float.NaN : (float) (sum / samples);
        times[row * TIMES + 2] = samples == 0 ? Float.NaN : (float) jitter.intervalMaxMs();
        times[row * TIMES + 3] = (float) stream.intervalMaxDeltaMs();
    }

    /** All intervals so far. */
    List<StreamInterval> list(RtpStream stream, PayloadTimeline timeline, IntervalLosses losses) {
        List<StreamInterval> list = new ArrayList<>(open + 1);
        if (stream.packets() == 0) {
            return list;
        }
        for (int row = 0; row < open; row++) {
            list.add(interval(
                    row,
                    StreamInterval.LENGTH_NS,
                    payloadTypes[row],
                    arrived[row],
                    losses,
                    detailed ? figures(counts, times, row) : null));
        }
        if (open < StreamInterval.LIMIT) {
            long startNs = firstNs + open * StreamInterval.LENGTH_NS;
            list.add(interval(
                    open,
                    Math.max(0, stream.lastNs() - startNs),
                    timeline.intervalPayloadType(),
                    stream.distinct() - distinctBefore,
                    losses,
                    detailed ? openFigures(stream, timeline) : null));
        }
        return list;
    }

    private StreamInterval interval(
            int row,
            long durationNs,
            int payloadType,
            long arrived,
            IntervalLosses losses,
            StreamInterval.@Nullable Figures figures) {
        int lost = losses.lost(row);
        return new StreamInterval(
                firstNs + row * StreamInterval.LENGTH_NS,
                durationNs,
                payloadType,
                arrived + lost,
                lost,
                losses.discarded(row),
                losses.runs(row),
                figures);
    }

    private StreamInterval.Figures openFigures(RtpStream stream, PayloadTimeline timeline) {
        char[] counts = new char[COUNTS];
        float[] times = new float[TIMES];
        writeFigures(stream, timeline.jitter(), counts, times, 0);
        return figures(counts, times, 0);
    }

    private static StreamInterval.Figures figures(char[] counts, float[] times, int row) {
        int c = row * COUNTS;
        int t = row * TIMES;
        return new StreamInterval.Figures(
                counts[c],
                counts[c + 1],
                counts[c + 2],
                counts[c + 3],
                counts[c + 4],
                counts[c + 5],
                times[t],
                times[t + 1],
                times[t + 2],
                times[t + 3]);
    }
}
