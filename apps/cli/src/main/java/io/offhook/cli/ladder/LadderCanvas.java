package io.offhook.cli.ladder;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import java.util.Arrays;

/** A line of a ladder while it is drawn: a character and a style for each column of the terminal. */
final class LadderCanvas {
    private final String[] cells;
    private final Style[] styles;

    LadderCanvas(int width) {
        cells = new String[width];
        styles = new Style[width];
        clear();
    }

    void clear() {
        Arrays.fill(cells, " ");
        Arrays.fill(styles, Style.PLAIN);
    }

    int width() {
        return cells.length;
    }

    /** Draws a character that is one column wide; ignored outside of the line. */
    void sign(int column, char sign, Style style) {
        if (column >= 0 && column < cells.length) {
            cells[column] = String.valueOf(sign);
            styles[column] = style;
        }
    }

    /** Draws text, cut at the end of the line. Wide characters take two columns, combining ones none. */
    void text(int column, String text, Style style) {
        int at = column;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            String sign = Character.toString(codePoint);
            i += sign.length();
            int columns = Text.width(sign);
            if (at < 0 || at + columns > cells.length) {
                return;
            }
            if (columns == 0) {
                if (at > column) {
                    cells[at - 1] += sign;
                }
                continue;
            }
            cells[at] = sign;
            styles[at] = style;
            if (columns == 2) {
                cells[at + 1] = "";
                styles[at + 1] = style;
            }
            at += columns;
        }
    }

    /** Appends the line without trailing spaces. */
    void appendTo(StringBuilder to, boolean colored) {
        int end = cells.length;
        while (end > 0 && cells[end - 1].equals(" ")) {
            end--;
        }
        int from = 0;
        while (from < end) {
            int until = from;
            StringBuilder run = new StringBuilder();
            Style style = styles[from];
            while (until < end && styles[until] == style) {
                run.append(cells[until++]);
            }
            style.append(to, run.toString(), colored);
            from = until;
        }
        to.append('\n');
    }
}
