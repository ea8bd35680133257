package io.offhook.cli.ladder;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import io.offhook.cli.terminal.Times;

/**
 * Draws a ladder as text that fits a width: a line of life for each host, arrows between them, times at the left. Where
 * hosts have no room side by side they get letters, explained above; where not even these have, each arrow is a sentence.
 */
public final class LadderText {
    private static final int TIME_WIDTH = 12;
    private static final int DELAY_WIDTH = 9;
    private static final int MIN_SPACING = 12;
    private static final int MAX_SPACING = 48;
    private static final int MIN_NOTE_WIDTH = 36;

    private final Ladder ladder;
    private final Times times;
    private final boolean colored;
    private final boolean unicode;
    private final LadderCanvas canvas;
    private final StringBuilder text = new StringBuilder();
    private final int gutter;
    private final boolean withTime;
    /** Whether each arrow is a sentence, as lines have no room. */
    private final boolean isList;
    /** Where the lines of life stand. */
    private final int[] x;

    private LadderText(Ladder ladder, Times times, int width, boolean colored, boolean unicode) {
        this.ladder = ladder;
        this.times = times;
        this.colored = colored;
        this.unicode = unicode;
        canvas = new LadderCanvas(width);
        int steps = Math.max(1, ladder.columns().size() - 1);
        withTime = spacing(width, TIME_WIDTH + 1 + DELAY_WIDTH + 2, steps) >= MIN_SPACING;
        gutter = (withTime ? TIME_WIDTH + 1 : 0) + DELAY_WIDTH + 2;
        int spacing = Math.min(MAX_SPACING, spacing(width, gutter, steps));
        x = new int[ladder.columns().size()];
        for (int i = 0; i < x.length; i++) {
            x[i] = gutter + i * spacing;
        }
        isList = spacing < MIN_SPACING;
    }

    private static int spacing(int width, int gutter, int steps) {
        return (width - 1 - gutter) / steps;
    }

    /**
     * The ladder.
     *
     * @param width columns, 40 or more
     * @param unicode whether lines are drawn with box-drawing signs, else with ASCII
     */
    static String of(Ladder ladder, Times times, int width, boolean colored, boolean unicode) {
        LadderText text = new LadderText(ladder, times, width, colored, unicode);
        text.draw();
        return text.text.toString();
    }

    private void draw() {
        if (ladder.rows().isEmpty()) {
            return;
        }
        boolean lettered = isList || !headingsFit();
        if (lettered) {
            for (int i = 0; i < x.length; i++) {
                text.append("  ")
                        .append(letter(i))
                        .append("  ")
                        .append(ladder.columns().get(i))
                        .append('\n');
            }
            text.append('\n');
        }
        if (!isList) {
            heading(lettered);
        }
        long firstNs = ladder.rows().getFirst().timestampNs();
        for (LadderRow row : ladder.rows()) {
            canvas.clear();
            String delay = delay(row.timestampNs() - firstNs);
            if (withTime) {
                canvas.text(0, times.timeOfDay(row.timestampNs()), Style.PLAIN);
            }
            canvas.text(gutter - 2 - delay.length(), delay, Style.FAINT);
            if (isList) {
                sentence(row);
            } else {
                lifelines();
                arrow(row);
            }
            canvas.appendTo(text, colored);
            notes(row);
        }
    }

    private static String letter(int column) {
        return column < 26 ? String.valueOf((char) ('A' + column)) : letter(column / 26 - 1) + letter(column % 26);
    }

    /** "+0.003", "+12.345", "+1234.567": cut and not rounded, as the time of day is. */
    private static String delay(long ns) {
        String fraction = Long.toString(Math.abs(ns) % 1_000_000_000 / 1_000_000);
        return (ns < 0 ? "-" : "+") + Math.abs(ns) / 1_000_000_000 + "." + "0".repeat(3 - fraction.length()) + fraction;
    }

    /** Whether the names stand above their lines without touching. */
    private boolean headingsFit() {
        int end = -1;
        for (int i = 0; i < x.length; i++) {
            int start = headingStart(i, ladder.columns().get(i));
            if (start <= end) {
                return false;
            }
            end = start + Text.width(ladder.columns().get(i));
        }
        return true;
    }

    /** Centred above the line, or shifted so that it stays in the width. */
    private int headingStart(int column, String name) {
        int width = Text.width(name);
        return Math.max(0, Math.min(x[column] - width / 2, canvas.width() - width));
    }

    private void heading(boolean lettered) {
        canvas.clear();
        for (int i = 0; i < x.length; i++) {
            String name = lettered ? letter(i) : ladder.columns().get(i);
            canvas.text(headingStart(i, name), name, Style.HEADING);
        }
        canvas.appendTo(text, colored);
    }

    private void lifelines() {
        for (int column : x) {
            canvas.sign(column, unicode ? '│' : '|', Style.FAINT);
        }
    }

    private void arrow(LadderRow row) {
        if (row.from() == row.to()) {
            ownArrow(row);
            return;
        }
        boolean right = row.from() < row.to();
        int low = x[Math.min(row.from(), row.to())];
        int high = x[Math.max(row.from(), row.to())];
        char line = row.media() ? unicode ? '═' : '=' : unicode ? '─' : '-';
        for (int at = low + 1; at < high; at++) {
            canvas.sign(at, line, row.style());
        }
        for (int i = Math.min(row.from(), row.to()) + 1; i < Math.max(row.from(), row.to()); i++) {
            canvas.sign(x[i], row.media() ? unicode ? '╪' : '+' : unicode ? '┼' : '+', row.style());
        }
        if (right) {
            canvas.sign(high - 1, unicode ? '▶' : '>', row.style());
        } else {
            canvas.sign(low + 1, unicode ? '◀' : '<', row.style());
        }
        // a space at either side of the label, and the head
        int room = high - low - 1 - 3;
        String label = Text.cut(row.label(), room, unicode ? "…" : "~");
        int start = low + 1 + (high - low - 1 - Text.width(label) + (right ? 0 : 1)) / 2;
        canvas.text(start - 1, " " + label + " ", row.style());
    }

    /** A host's message to itself: a sign at its line, and what it is beside it. */
    private void ownArrow(LadderRow row) {
        int at = x[row.from()];
        String label = (row.media() ? "= " : "") + row.label() + " (to itself)";
        int right = canvas.width() - at - 4;
        int left = at - gutter - 2;
        if (right >= Math.min(Text.width(label), MIN_SPACING) || right >= left) {
            canvas.text(
                    at + 1, (unicode ? "◀╴" : "<-") + " " + Text.cut(label, right, unicode ? "…" : "~"), row.style());
        } else {
            String cut = Text.cut(label, left - 2, unicode ? "…" : "~");
            canvas.text(at - 3 - Text.width(cut), cut + " " + (unicode ? "╶▶" : "->"), row.style());
        }
    }

    /** "A -> C  INVITE", where lines have no room. */
    private void sentence(LadderRow row) {
        String arrow = row.media() ? " => " : " -> ";
        String sentence = letter(row.from()) + arrow + letter(row.to()) + "  " + row.label();
        canvas.text(gutter, Text.cut(sentence, canvas.width() - gutter, unicode ? "…" : "~"), row.style());
    }

    /** Below the arrow, from its left end on; further left where there would be no room. */
    private void notes(LadderRow row) {
        int start = isList ? gutter + 2 : x[Math.min(row.from(), row.to())] + 2;
        start = Math.max(gutter + 2, Math.min(start, canvas.width() - MIN_NOTE_WIDTH));
        for (String note : row.notes()) {
            for (String line : Text.wrap(note, canvas.width() - start)) {
                canvas.clear();
                if (!isList) {
                    lifelines();
                    // a line of life right before or behind a text would read as part of it
                    blank(start - 1, start + Text.width(line) + 1);
                }
                canvas.text(start, line, Style.FAINT);
                canvas.appendTo(text, colored);
            }
        }
    }

    private void blank(int from, int to) {
        for (int at = from; at < to; at++) {
            if (at != x[0]) {
                canvas.sign(at, ' ', Style.PLAIN);
            }
        }
    }
}
