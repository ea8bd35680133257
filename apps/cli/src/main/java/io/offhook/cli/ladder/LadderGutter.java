package io.offhook.cli.ladder;

import io.offhook.cli.terminal.Style;
import io.offhook.report.text.Times;

/**
 * The columns left of a ladder: the number of the packet, the time of day, the time since the first row, and the time since
 * the row before. Narrow ladders lack the time of day first, then the time since the row before, then the number.
 */
final class LadderGutter {
    private static final int TIME_WIDTH = 12;
    private static final int DELAY_WIDTH = 9;
    private static final int GAP = 2;
    private static final String FRAME = "Frame";

    /** Where each column ends; 0 if it is left out. */
    private final int frameEnd;

    private final int timeEnd;
    private final int startEnd;
    private final int stepEnd;

    private final Times times;

    private LadderGutter(Times times, int frameWidth, boolean withTime, boolean withStep) {
        this.times = times;
        int at = 0;
        at += frameWidth > 0 ? frameWidth + GAP : 0;
        frameEnd = frameWidth;
        at += withTime ? TIME_WIDTH + 1 : 0;
        timeEnd = withTime ? at - 1 : 0;
        startEnd = at + DELAY_WIDTH;
        stepEnd = withStep ? startEnd + 1 + DELAY_WIDTH : 0;
    }

    /**
     * The widest gutter that leaves enough room.
     *
     * @param room the columns that all but the gutter need
     * @param comfortableRoom the columns that they need for labels to be readable
     */
    static LadderGutter of(Ladder ladder, Times times, int width, int room, int comfortableRoom) {
        long lastFrame =
                ladder.rows().stream().mapToLong(LadderRow::frame).max().orElse(0);
        // what a proxy remembers of its messages has no frames
        int frameWidth = lastFrame == 0
                ? 0
                : Math.max(FRAME.length(), Long.toString(lastFrame).length());
        LadderGutter whole = new LadderGutter(times, frameWidth, true, true);
        if (whole.width() + comfortableRoom <= width) {
            return whole;
        }
        LadderGutter withoutTime = new LadderGutter(times, frameWidth, false, true);
        if (withoutTime.width() + comfortableRoom <= width) {
            return withoutTime;
        }
        LadderGutter withoutStep = new LadderGutter(times, frameWidth, false, false);
        if (withoutStep.width() + comfortableRoom <= width) {
            return withoutStep;
        }
        LadderGutter timesOnly = new LadderGutter(times, 0, true, false);
        return timesOnly.width() + room <= width ? timesOnly : new LadderGutter(times, 0, false, false);
    }

    /** The column of the first lifeline. */
    int width() {
        return Math.max(startEnd, stepEnd) + GAP;
    }

    /** Whether there are so many columns that they need titles. */
    boolean isTitled() {
        return frameEnd > 0;
    }

    /** Draws the titles. */
    void heading(LadderCanvas canvas) {
        right(canvas, frameEnd, FRAME, Style.FAINT);
        if (timeEnd > 0) {
            canvas.text(timeEnd - TIME_WIDTH, "Time", Style.FAINT);
        }
        right(canvas, startEnd, "Start", Style.FAINT);
        right(canvas, stepEnd, "Step", Style.FAINT);
    }

    /**
     * Draws the figures of a row.
     *
     * @param startNs of the first row
     * @param previousNs of the row before, or of the first row itself
     */
    void row(LadderCanvas canvas, LadderRow row, long startNs, long previousNs) {
        if (row.frame() > 0) {
            right(canvas, frameEnd, Long.toString(row.frame()), Style.FAINT);
        }
        if (timeEnd > 0) {
            canvas.text(timeEnd - TIME_WIDTH, times.timeOfDay(row.timestampNs()), Style.PLAIN);
        }
        right(canvas, startEnd, delay(row.timestampNs() - startNs), Style.FAINT);
        right(canvas, stepEnd, delay(row.timestampNs() - previousNs), Style.FAINT);
    }

    private static void right(LadderCanvas canvas, int end, String text, Style style) {
        if (end > 0) {
            canvas.text(end - text.length(), text, style);
        }
    }

    /** "+0.003", "+12.345", "+1234.567": truncated, like times of day. */
    private static String delay(long ns) {
        String fraction = Long.toString(Math.abs(ns) % 1_000_000_000 / 1_000_000);
        return (ns < 0 ? "-" : "+") + Math.abs(ns) / 1_000_000_000 + "." + "0".repeat(3 - fraction.length()) + fraction;
    }
}
