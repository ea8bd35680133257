package io.offhook.cli.threads;

import io.offhook.cli.terminal.Text;
import io.offhook.monitor.Pause;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import java.util.Arrays;

/** The picture of a {@link ThreadsPlot}, in pixels. */
final class PlotSvg {
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

    /** The styles of the states of Java, in their order, and what each means. */
    private static final String[] STATES = {"running", "sleeping", "wait", "park", "monitor"};

    private static final String[] MEANINGS = {
        "Java: running, or in a call to the system",
        "sleeping",
        "Object.wait",
        "parked: locks, queues, pools",
        "blocked by a monitor"
    };

    /** Colours that are told apart also by those who confuse red and green; dark, where the viewer's are. */
    private static final String STYLE = """
            text{font:12px system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:#1f2328}
            .title{font-size:16px;font-weight:600}
            .faint{fill:#5c6470}
            .paper{fill:#ffffff}
            .lane{fill:#f1f3f6}
            .grid{stroke:#d5d9e0;stroke-width:1}
            .raw{fill:#93c1f2}
            .waited{fill:#e5534b}
            .running{fill:#57ab5a}
            .sleeping{fill:#b8a1e8}
            .wait{fill:#e3c04b}
            .park{fill:#e08b3d}
            .monitor{fill:#c4233b}
            .gc{fill:#bf3989;fill-opacity:.55}
            .mean{fill:none;stroke:#0a4a9c;stroke-width:1.6;stroke-linejoin:round}
            @media (prefers-color-scheme:dark){
            text{fill:#d5d9e0}
            .faint{fill:#949ba8}
            .paper{fill:#16181d}
            .lane{fill:#1f232b}
            .grid{stroke:#343a46}
            .raw{fill:#2f5f96}
            .waited{fill:#e5534b}
            .mean{stroke:#9ccbff}
            }
            """;

    private final StringBuilder out = new StringBuilder();
    private final String title;
    private final int lanes;
    private final boolean isJvm;
    private final long firstNs;
    private final long lastNs;
    private final Times times;
    private final int top;
    private final int row;

    PlotSvg(String title, Frame frame, Times times) {
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
        int height = bottom() + BELOW;
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + height
                + "\" viewBox=\"0 0 " + WIDTH + " " + height + "\" role=\"img\">\n");
        out.append("<title>").append(escaped(title)).append("</title>\n");
        out.append("<style>\n").append(STYLE).append("</style>\n");
        rectangle("paper", 0, 0, WIDTH, height);
        text("title", 20, 30, "start", cut(title, MOST_TITLE));
        String range = lanes == 0
                ? "Nothing was read."
                : RecordingFile.dayAndTime(firstNs, times) + " to " + RecordingFile.dayAndTime(lastNs, times) + ", "
                        + Times.duration(lastNs - firstNs);
        text("faint", 20, 50, "start", range);
    }

    /** What the colours mean. */
    void legend(double scale) {
        int x = entry("raw", 20, "on a processor: a reading; the highest, where a pixel has several");
        x = entry("waited", x, "on top: could run, had no processor (run queue)");
        out.append("<path class=\"mean\" d=\"M" + x + " 74h" + SWATCH + "\"/>\n");
        text("", x + SWATCH + 6, 78, "start", "on a processor: mean of 15 s");
        if (isJvm) {
            int at = 20;
            for (int i = 0; i < STATES.length; i++) {
                at = entry(STATES[i], at, 68 + LEGEND, MEANINGS[i]);
            }
            entry("gc", at, 68 + LEGEND, "GC pause");
        }
        text("faint", LEFT, top - 6, "start", "each row: 0 to " + percent(scale) + " of a processor");
    }

    private int entry(String style, int x, String text) {
        return entry(style, x, 68, text);
    }

    private int entry(String style, int x, int y, String text) {
        rectangle(style, x, y, SWATCH, SWATCH);
        text("", x + SWATCH + 6, y + 10, "start", text);
        return x + SWATCH + 6 + (int) (LETTER * text.length()) + BETWEEN;
    }

    /** Draws a row. */
    void lane(int index, String name, String under, PlotColumns columns, double scale) {
        int top = this.top + index * row;
        text("", LEFT - 8, top + 16, "end", cut(name, MOST_NAME));
        text("faint", LEFT - 8, top + 31, "end", under);
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
        text("faint", LEFT + COLUMNS + 6, top + 11, "start", percent(scale));
        text("faint", LEFT + COLUMNS + 6, top + HEIGHT, "start", "0");
    }

    /** A stretch without gaps. */
    private void known(int top, PlotColumns columns, int begin, int end, double scale) {
        rectangle("lane", LEFT + begin, top, end - begin, HEIGHT);
        double base = top + HEIGHT;
        double[] raw = new double[end - begin];
        double[] both = new double[end - begin];
        double[] mean = new double[end - begin];
        for (int i = begin; i < end; i++) {
            raw[i - begin] = y(base, columns.raw(i), scale);
            both[i - begin] = y(base, columns.raw(i) + columns.waited(i), scale);
            mean[i - begin] = y(base, columns.mean(i), scale);
        }
        area("waited", LEFT + begin, base, both);
        area("raw", LEFT + begin, base, raw);
        line(LEFT + begin, mean);
    }

    /** The states of Java as a strip: in each column, the share of each. */
    private void states(int top, PlotStates states) {
        for (int state = 0; state < STATES.length; state++) {
            StringBuilder path = new StringBuilder();
            int begin = 0;
            for (int i = 1; i <= COLUMNS; i++) {
                int[] ends = states.ends(begin, STRIP);
                if (i < COLUMNS && Arrays.equals(ends, states.ends(i, STRIP))) {
                    continue;
                }
                int from = state == 0 ? 0 : ends[state - 1];
                if (ends[state] > from) {
                    path.append("M" + (LEFT + begin) + " " + (top + STRIP - from) + "h" + (i - begin) + "v-"
                            + (ends[state] - from) + "h-" + (i - begin) + "z");
                }
                begin = i;
            }
            if (!path.isEmpty()) {
                out.append("<path class=\"" + STATES[state] + "\" d=\"" + path + "\"/>\n");
            }
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
                rectangle("gc", LEFT + begin, top, i - begin, lanes * row);
                begin = -1;
            }
        }
    }

    private static double y(double base, double share, double scale) {
        return base - Math.min(1, share / scale) * HEIGHT;
    }

    /** A filled line in steps. */
    private void area(String style, int x, double base, double[] y) {
        out.append("<path class=\"" + style + "\" d=\"M" + x + " " + number(base));
        steps(y);
        out.append("V" + number(base) + "z\"/>\n");
    }

    private void steps(double[] y) {
        int run = 0;
        for (int i = 0; i <= y.length; i++) {
            if (i == y.length || i > 0 && Math.abs(y[i] - y[i - 1]) >= 0.05) {
                out.append("h" + run);
                run = 0;
            }
            if (i < y.length) {
                if (run == 0) {
                    out.append("V" + number(y[i]));
                }
                run++;
            }
        }
    }

    private void line(int x, double[] y) {
        out.append("<path class=\"mean\" d=\"M" + x + " " + number(y[0]));
        steps(y);
        out.append("\"/>\n");
    }

    /**
     * Draws the axis below, and returns the picture.
     *
     * @param note below the rows
     */
    String end(String note) {
        int bottom = bottom();
        if (lanes > 0) {
            for (PlotAxis.Mark mark : PlotAxis.marks(firstNs, lastNs, times)) {
                String x = number(x(mark.atNs()));
                out.append("<path class=\"grid\" d=\"M" + x + " " + top + "V" + bottom + "\"/>\n");
                text("faint", x(mark.atNs()), bottom + 16, "middle", mark.text());
            }
            text("faint", LEFT + COLUMNS / 2.0, bottom + 36, "middle", "time of day, " + times.dateLine(firstNs));
        }
        text("faint", 20, bottom + 52, "start", note);
        return out.append("</svg>\n").toString();
    }

    private void rectangle(String style, double x, double y, double width, double height) {
        out.append("<rect class=\"" + style + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\""
                + number(width) + "\" height=\"" + number(height) + "\"/>\n");
    }

    private void text(String style, double x, double y, String anchor, String text) {
        if (!text.isEmpty()) {
            out.append("<text class=\"" + style + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\""
                            + anchor + "\">")
                    .append(escaped(text))
                    .append("</text>\n");
        }
    }

    private static String cut(String text, int most) {
        return Text.cut(Text.printable(text), most, "…");
    }

    private static String percent(double share) {
        return Decimals.shortest(share * 100, 1) + " %";
    }

    private static String number(double value) {
        return Decimals.shortest(value, 1);
    }

    private static String escaped(String text) {
        return Text.printable(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
