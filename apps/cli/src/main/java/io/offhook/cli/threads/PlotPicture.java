package io.offhook.cli.threads;

import io.offhook.cli.terminal.Text;
import io.offhook.monitor.Pause;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The picture of a {@link ThreadsPlot}: where everything is on a canvas of 1,200 units across. */
final class PlotPicture {
    /** The columns of the part with the rows. */
    static final int COLUMNS = 900;

    private static final int WIDTH = 1200;
    private static final int LEFT = 220;
    private static final int TOP = 104;
    private static final int ROW = 46;
    private static final int HEIGHT = 36;
    private static final int BELOW = 62;
    private static final int SWATCH = 12;
    private static final double LETTER = 6;
    private static final int BETWEEN = 18;
    private static final int MOST_TITLE = 120;
    private static final int MOST_NAME = 26;

    private static final int STRIP = 8;
    private static final int LEGEND = 22;

    /** The states of Java, in their order, and what each means. */
    private static final PlotStyle[] STATES = {
        PlotStyle.RUNNING, PlotStyle.SLEEPING, PlotStyle.WAIT, PlotStyle.PARK, PlotStyle.MONITOR
    };

    private static final String[] MEANINGS = {
        "Java: running, or in a call to the system",
        "sleeping",
        "Object.wait",
        "parked: locks, queues, pools",
        "blocked by a monitor"
    };

    private final PlotCanvas canvas;
    private final String title;
    private final int lanes;
    private final boolean isJvm;
    private final long firstNs;
    private final long lastNs;
    private final Times times;
    private final int top;
    private final int row;

    PlotPicture(PlotCanvas canvas, String title, Frame frame, Times times) {
        this.canvas = canvas;
        this.title = title;
        this.times = times;
        lanes = frame.lanes();
        isJvm = frame.isJvm();
        firstNs = frame.firstNs();
        lastNs = frame.lastNs();
        top = TOP + (isJvm ? LEGEND : 0);
        row = ROW + (isJvm ? STRIP + 2 : 0);
    }

    /**
     * What it has to have room for.
     *
     * @param isJvm whether rows have states of Java
     */
    record Frame(int lanes, boolean isJvm, long firstNs, long lastNs) {}

    private int bottom() {
        return top + lanes * row;
    }

    private double x(long ns) {
        return LEFT + (double) (ns - firstNs) / Math.max(1, lastNs - firstNs) * COLUMNS;
    }

    void begin() {
        canvas.begin(WIDTH, bottom() + BELOW, Text.printable(title));
        text(PlotStyle.TITLE, 20, 30, PlotCanvas.Anchor.START, cut(title, MOST_TITLE));
        String range = lanes == 0
                ? "Nothing was read."
                : RecordingFile.dayAndTime(firstNs, times) + " to " + RecordingFile.dayAndTime(lastNs, times) + ", "
                        + Times.duration(lastNs - firstNs);
        text(PlotStyle.FAINT, 20, 50, PlotCanvas.Anchor.START, range);
    }

    /** What the colours mean. */
    void legend(double scale) {
        int x = entry(PlotStyle.RAW, 20, "on a processor: a reading; the highest, where a pixel has several");
        x = entry(PlotStyle.WAITED, x, "on top: could run, had no processor (run queue)");
        canvas.line(PlotStyle.MEAN, x, new double[] {74, 74, 74});
        text(PlotStyle.TEXT, x + SWATCH + 6, 78, PlotCanvas.Anchor.START, "on a processor: mean of 15 s");
        if (isJvm) {
            int at = 20;
            for (int i = 0; i < STATES.length; i++) {
                at = entry(STATES[i], at, 68 + LEGEND, MEANINGS[i]);
            }
            entry(PlotStyle.GC, at, 68 + LEGEND, "GC pause");
        }
        text(
                PlotStyle.FAINT,
                LEFT,
                top - 6,
                PlotCanvas.Anchor.START,
                "each row: 0 to " + percent(scale) + " of a processor");
    }

    private int entry(PlotStyle style, int x, String text) {
        return entry(style, x, 68, text);
    }

    private int entry(PlotStyle style, int x, int y, String text) {
        canvas.rectangle(style, x, y, SWATCH, SWATCH);
        text(PlotStyle.TEXT, x + SWATCH + 6, y + 10, PlotCanvas.Anchor.START, text);
        return x + SWATCH + 6 + (int) (LETTER * text.length()) + BETWEEN;
    }

    /** Draws a row. */
    void lane(int index, String name, String under, PlotColumns columns, double scale) {
        int top = this.top + index * row;
        text(PlotStyle.TEXT, LEFT - 8, top + 16, PlotCanvas.Anchor.END, cut(name, MOST_NAME));
        text(PlotStyle.FAINT, LEFT - 8, top + 31, PlotCanvas.Anchor.END, under);
        int begin = 0;
        while (begin < columns.count()) {
            int end = begin;
            while (end < columns.count() && columns.isKnown(end) == columns.isKnown(begin)) {
                end++;
            }
            if (columns.isKnown(begin)) {
                known(top, columns, begin, end, scale);
            }
            begin = end;
        }
        if (isJvm) {
            states(top + HEIGHT + 2, columns.states());
        }
        text(PlotStyle.FAINT, LEFT + COLUMNS + 6, top + 11, PlotCanvas.Anchor.START, percent(scale));
        text(PlotStyle.FAINT, LEFT + COLUMNS + 6, top + HEIGHT, PlotCanvas.Anchor.START, "0");
    }

    /** A stretch without gaps. */
    private void known(int top, PlotColumns columns, int begin, int end, double scale) {
        canvas.rectangle(PlotStyle.LANE, LEFT + begin, top, end - begin, HEIGHT);
        double base = top + HEIGHT;
        double[] raw = new double[end - begin];
        double[] both = new double[end - begin];
        double[] mean = new double[end - begin];
        for (int i = begin; i < end; i++) {
            raw[i - begin] = y(base, columns.raw(i), scale);
            both[i - begin] = y(base, columns.raw(i) + columns.waited(i), scale);
            mean[i - begin] = y(base, columns.mean(i), scale);
        }
        canvas.area(PlotStyle.WAITED, LEFT + begin, base, both);
        canvas.area(PlotStyle.RAW, LEFT + begin, base, raw);
        canvas.line(PlotStyle.MEAN, LEFT + begin, mean);
    }

    /** The states of Java as a strip: in each column, the share of each. */
    private void states(int top, PlotStates states) {
        for (int state = 0; state < STATES.length; state++) {
            List<PlotCanvas.Box> boxes = new ArrayList<>();
            int begin = 0;
            for (int i = 1; i <= COLUMNS; i++) {
                int[] ends = states.ends(begin, STRIP);
                if (i < COLUMNS && Arrays.equals(ends, states.ends(i, STRIP))) {
                    continue;
                }
                int from = state == 0 ? 0 : ends[state - 1];
                if (ends[state] > from) {
                    int height = ends[state] - from;
                    boxes.add(new PlotCanvas.Box(LEFT + begin, top + STRIP - ends[state], i - begin, height));
                }
                begin = i;
            }
            canvas.boxes(STATES[state], boxes);
        }
    }

    /** Draws the pauses across all rows, those of a pixel as one. */
    void pauses(Iterable<Pause> pauses) {
        boolean[] isPaused = new boolean[COLUMNS];
        for (Pause pause : pauses) {
            if (pause.kind() == Pause.Kind.GC) {
                int from = (int) Math.clamp(x(pause.startNs()) - LEFT, 0, COLUMNS - 1);
                int to = (int) Math.clamp(x(pause.startNs() + pause.durationNs()) - LEFT, 0, COLUMNS - 1);
                Arrays.fill(isPaused, from, to + 1, true);
            }
        }
        int begin = -1;
        for (int i = 0; i <= COLUMNS; i++) {
            boolean is = i < COLUMNS && isPaused[i];
            if (is && begin < 0) {
                begin = i;
            } else if (!is && begin >= 0) {
                canvas.rectangle(PlotStyle.GC, LEFT + begin, top, i - begin, lanes * row);
                begin = -1;
            }
        }
    }

    private static double y(double base, double share, double scale) {
        return base - Math.min(1, share / scale) * HEIGHT;
    }

    /**
     * Draws the axis below, and returns the contents of the file.
     *
     * @param note below the rows
     */
    byte[] end(String note) {
        int bottom = bottom();
        if (lanes > 0) {
            for (PlotAxis.Mark mark : PlotAxis.marks(firstNs, lastNs, times)) {
                canvas.rule(x(mark.atNs()), top, bottom);
                text(PlotStyle.FAINT, x(mark.atNs()), bottom + 16, PlotCanvas.Anchor.MIDDLE, mark.text());
            }
            text(
                    PlotStyle.FAINT,
                    LEFT + COLUMNS / 2.0,
                    bottom + 36,
                    PlotCanvas.Anchor.MIDDLE,
                    "time of day, " + times.dateLine(firstNs));
        }
        text(PlotStyle.FAINT, 20, bottom + 52, PlotCanvas.Anchor.START, note);
        return canvas.end();
    }

    private void text(PlotStyle style, double x, double y, PlotCanvas.Anchor anchor, String text) {
        if (!text.isEmpty()) {
            canvas.text(style, x, y, anchor, Text.printable(text));
        }
    }

    private static String cut(String text, int most) {
        return Text.cut(Text.printable(text), most, "…");
    }

    private static String percent(double share) {
        return Decimals.shortest(share * 100, 1) + " %";
    }
}
