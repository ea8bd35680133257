package io.offhook.cli.screen;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import java.util.Arrays;

/**
 * A page of the terminal: a sign, a style and a mark for each cell. Text outside of the page is cut; text from the network is
 * masked, and in an ASCII page, signs beyond ASCII become question marks.
 */
final class Cells {
    /** What is behind a sign. */
    enum Mark {
        NONE,
        /** A title or a status line. */
        BAR,
        /** The row that keys act on. */
        CURSOR
    }

    private static final String SPACE = " ";
    /** The second column of a wide sign. */
    private static final String CONTINUED = "";

    private final int width;
    private final int height;
    private final boolean unicode;
    private final String[] signs;
    private final Style[] styles;
    private final Mark[] marks;

    /**
     * An empty page.
     *
     * @param unicode whether it may have signs beyond ASCII
     */
    Cells(int width, int height, boolean unicode) {
        this.width = width;
        this.height = height;
        this.unicode = unicode;
        signs = new String[width * height];
        styles = new Style[width * height];
        marks = new Mark[width * height];
        Arrays.fill(signs, SPACE);
        Arrays.fill(styles, Style.PLAIN);
        Arrays.fill(marks, Mark.NONE);
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    boolean isUnicode() {
        return unicode;
    }

    /** What marks text that was cut. */
    String ellipsis() {
        return unicode ? "…" : "~";
    }

    /**
     * Writes text.
     *
     * @return the column behind it
     */
    int text(int row, int column, String text, Style style) {
        return text(row, column, width, text, style);
    }

    /** Writes text that ends before a column at the latest, with a mark where it was cut. */
    int cut(int row, int column, int end, String text, Style style) {
        String printable = Text.printable(text);
        int last = Math.min(end, width);
        return text(row, column, last, Text.cut(printable, Math.max(0, last - column), ellipsis()), style);
    }

    /** Writes text that ends before a column, as numbers do. */
    void right(int row, int end, String text, Style style) {
        text(row, end - Text.width(text), text, style);
    }

    private int text(int row, int column, int end, String text, Style style) {
        int at = column;
        if (row < 0 || row >= height) {
            return at;
        }
        for (int i = 0; i < text.length(); ) {
            int code = text.codePointAt(i);
            i += Character.charCount(code);
            String sign = sign(code);
            int columns = Text.width(sign);
            if (at < 0 || at + columns > end) {
                return at;
            }
            if (columns == 0) {
                combine(row, at, sign);
                continue;
            }
            put(row, at, sign, style);
            if (columns == 2) {
                put(row, at + 1, CONTINUED, style);
            }
            at += columns;
        }
        return at;
    }

    private String sign(int code) {
        if (code >= ' ' && code < 0x7f) {
            return String.valueOf((char) code);
        }
        if (!unicode) {
            return "?";
        }
        return Text.isHarmful(code) ? "\ufffd" : Character.toString(code);
    }

    private void combine(int row, int at, String sign) {
        if (at > 0 && !signs[row * width + at - 1].isEmpty()) {
            signs[row * width + at - 1] += sign;
        }
    }

    private void put(int row, int column, String sign, Style style) {
        signs[row * width + column] = sign;
        styles[row * width + column] = style;
    }

    /** Writes a line of another command: text with the escape sequences of {@link Style#append}. */
    void styled(int row, int column, String line) {
        int at = column;
        int from = 0;
        Style style = Style.PLAIN;
        while (from < line.length()) {
            int escape = line.indexOf('\u001b', from);
            int until = escape < 0 ? line.length() : escape;
            at = text(row, at, line.substring(from, until), style);
            if (escape < 0) {
                return;
            }
            int end = line.indexOf('m', escape);
            style = Style.of(line.substring(escape + 2, end));
            from = end + 1;
        }
    }

    /** Marks a row from edge to edge. */
    void mark(int row, Mark mark) {
        if (row >= 0 && row < height) {
            Arrays.fill(marks, row * width, (row + 1) * width, mark);
        }
    }

    /** The sign of a cell; empty behind a wide one. */
    String sign(int row, int column) {
        return signs[row * width + column];
    }

    Style style(int row, int column) {
        return styles[row * width + column];
    }

    Mark mark(int row, int column) {
        return marks[row * width + column];
    }

    /** Whether a cell looks the same on another page of the same size. */
    boolean isSame(Cells other, int row, int column) {
        int at = row * width + column;
        return signs[at].equals(other.signs[at]) && styles[at] == other.styles[at] && marks[at] == other.marks[at];
    }

    /** A row as text, without trailing spaces. */
    String line(int row) {
        StringBuilder line = new StringBuilder(width);
        for (int column = 0; column < width; column++) {
            line.append(sign(row, column));
        }
        return line.toString().stripTrailing();
    }

    /** The page as text, a line each row. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(width * height);
        for (int row = 0; row < height; row++) {
            text.append(line(row)).append('\n');
        }
        return text.toString();
    }
}
