package io.offhook.cli.ladder;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Times;

/**
 * Draws a ladder as text of a given width: a lifeline for each host, arrows in between, numbers and times of packets at the left. Hosts that do not
 * fit side by side are abbreviated to letters, with a legend above; if these do not fit either, each arrow is a sentence.
 */
public final class LadderText {
    private static final int MIN_SPACING = 12;
    /** "180 Ringing" fits in. */
    private static final int COMFORTABLE_SPACING = 18;

    private static final int MAX_SPACING = 48;
    private static final int MIN_NOTE_WIDTH = 36;
    /** A note, and what is left of it. */
    private static final int NOTE_ROOM = MIN_NOTE_WIDTH + 6;

    private final Ladder ladder;
    private final boolean colored;
    private final boolean unicode;
    private final LadderCanvas canvas;
    private final StringBuilder text = new StringBuilder();
    private final LadderGutter figures;
    private final int gutter;
    /** Whether the columns at the left have titles, which the name of the first host leaves room for. */
    private boolean isTitled;
    /** Whether each arrow is a sentence, because lifelines do not fit. */
    private final boolean isList;
    /** The columns of the lifelines. */
    private final int[] x;
    /** Where each row begins in the text; the last one where the text ends. */
    private final int[] starts;

    private LadderText(Ladder ladder, Times times, int width, boolean colored, boolean unicode) {
        this.ladder = ladder;
        this.colored = colored;
        this.unicode = unicode;
        canvas = new LadderCanvas(width);
        int steps = Math.max(1, ladder.columns().size() - 1);
        int comfortable = Math.max(NOTE_ROOM, 1 + COMFORTABLE_SPACING * steps);
        figures = LadderGutter.of(ladder, times, width, 1 + MIN_SPACING * steps, comfortable);
        gutter = figures.width();
        int spacing = Math.min(MAX_SPACING, spacing(width, gutter, steps));
        x = new int[ladder.columns().size()];
        for (int i = 0; i < x.length; i++) {
            x[i] = gutter + i * spacing;
        }
        isList = spacing < MIN_SPACING;
        starts = new int[ladder.rows().size() + 1];
    }

    private static int spacing(int width, int gutter, int steps) {
        return (width - 1 - gutter) / steps;
    }

    /**
     * Draws a ladder.
     *
     * @param width columns, 40 or more
     * @param unicode whether to draw with box-drawing characters instead of ASCII
     */
    static String of(Ladder ladder, Times times, int width, boolean colored, boolean unicode) {
        LadderText text = new LadderText(ladder, times, width, colored, unicode);
        text.draw();
        return text.text.toString();
    }

    /**
     * A ladder, and where its rows are.
     *
     * @param text of all lines
     * @param starts where each row begins in the text, after those the end
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Drawn(String text, int[] starts) {}

    /** As {@link #of}, with the places of the rows. */
    static Drawn drawn(Ladder ladder, Times times, int width, boolean colored, boolean unicode) {
        LadderText text = new LadderText(ladder, times, width, colored, unicode);
        text.draw();
        return new Drawn(text.text.toString(), text.starts);
    }

    private void draw() {
        if (ladder.rows().isEmpty()) {
            return;
        }
        isTitled = figures.isTitled();
        isTitled = isTitled && headingsFit();
        boolean lettered = isList || !isTitled && !headingsFit();
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
        long previousNs = firstNs;
        int at = 0;
        for (LadderRow row : ladder.rows()) {
            starts[at++] = text.length();
            canvas.clear();
            figures.row(canvas, row, firstNs, previousNs);
            previousNs = row.timestampNs();
            if (isList) {
                sentence(row);
            } else {
                lifelines();
                arrow(row);
            }
            canvas.appendTo(text, colored);
            notes(row);
        }
        starts[at] = text.length();
    }

    private static String letter(int column) {
        return column < 26 ? String.valueOf((char) ('A' + column)) : letter(column / 26 - 1) + letter(column % 26);
    }

    /** Whether the names fit above their lifelines without touching. */
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

    /** The column where a name starts: centred above its lifeline, or shifted to stay within the width and beside titles. */
    private int headingStart(int column, String name) {
        int width = Text.width(name);
        int least = isTitled && column == 0 ? gutter : 0;
        return Math.max(least, Math.min(x[column] - width / 2, canvas.width() - width));
    }

    private void heading(boolean lettered) {
        canvas.clear();
        if (figures.isTitled() && (isTitled || lettered)) {
            figures.heading(canvas);
        }
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
        // minus a space on either side of the label, and the arrowhead
        int room = high - low - 1 - 3;
        String label = Text.cut(row.label(), room, unicode ? "…" : "~");
        int start = low + 1 + (high - low - 1 - Text.width(label) + (right ? 0 : 1)) / 2;
        canvas.text(start - 1, " " + label + " ", row.style());
    }

    /** Draws a host's message to itself: a mark at its lifeline, and the label beside it. */
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

    /** Draws "A -> C  INVITE", if lifelines do not fit. */
    private void sentence(LadderRow row) {
        String arrow = row.media() ? " => " : " -> ";
        String sentence = letter(row.from()) + arrow + letter(row.to()) + "  " + row.label();
        canvas.text(gutter, Text.cut(sentence, canvas.width() - gutter, unicode ? "…" : "~"), row.style());
    }

    /** Draws notes below the arrow, from its left end on, or further left if they would not fit. */
    private void notes(LadderRow row) {
        int start = isList ? gutter + 2 : x[Math.min(row.from(), row.to())] + 2;
        start = Math.max(gutter + 2, Math.min(start, canvas.width() - MIN_NOTE_WIDTH));
        for (String note : row.notes()) {
            for (String line : Text.wrap(note, canvas.width() - start)) {
                canvas.clear();
                if (!isList) {
                    lifelines();
                    // a lifeline right beside text would read as part of it
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
