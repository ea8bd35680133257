package io.offhook.cli.screen;

import io.offhook.cli.terminal.Style;
import org.jspecify.annotations.Nullable;

/** Turns pages into what a terminal must receive: of each row, the stretch that changed since the page before. */
final class Painter {
    /** Control sequences of xterm: the alternate screen, the cursor, and clicks and wheel as SGR reports (1000, 1006). */
    private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[?1000h\u001b[?1006h";

    private static final String LEAVE = "\u001b[0m\u001b[?1006l\u001b[?1000l\u001b[?25h\u001b[?1049l";
    private static final String CLEAR = "\u001b[0m\u001b[2J";

    private final Palette palette;
    private @Nullable Cells shown;

    Painter(Palette palette) {
        this.palette = palette;
    }

    /** What prepares the terminal. */
    static String enter() {
        return ENTER;
    }

    /** What restores the terminal. */
    static String leave() {
        return LEAVE;
    }

    /** Forgets what is shown: the next page is sent whole. */
    void forget() {
        shown = null;
    }

    /** What makes the terminal show this page; empty if it does already. */
    String paint(Cells page) {
        Cells before = shown;
        StringBuilder out = new StringBuilder();
        if (before == null || before.width() != page.width() || before.height() != page.height()) {
            out.append(CLEAR);
            before = new Cells(page.width(), page.height(), page.isUnicode());
        }
        for (int row = 0; row < page.height(); row++) {
            row(out, before, page, row);
        }
        shown = page;
        return out.toString();
    }

    private void row(StringBuilder out, Cells before, Cells page, int row) {
        int first = 0;
        int end = page.width();
        while (first < end && page.isSame(before, row, first)) {
            first++;
        }
        while (end > first && page.isSame(before, row, end - 1)) {
            end--;
        }
        if (first == end) {
            return;
        }
        // a wide sign is sent whole, whichever half of it changed, now or before
        while (first > 0
                && (page.sign(row, first).isEmpty() || before.sign(row, first).isEmpty())) {
            first--;
        }
        while (end < page.width()
                && (page.sign(row, end).isEmpty() || before.sign(row, end).isEmpty())) {
            end++;
        }
        out.append("\u001b[").append(row + 1).append(';').append(first + 1).append('H');
        Style style = null;
        Cells.Mark mark = null;
        for (int column = first; column < end; column++) {
            if (page.style(row, column) != style || page.mark(row, column) != mark) {
                style = page.style(row, column);
                mark = page.mark(row, column);
                out.append(palette.sequence(style, mark));
            }
            out.append(page.sign(row, column));
        }
    }
}
