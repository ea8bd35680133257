package io.offhook.cli.screen;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;

/**
 * What all pages have around their content: a title, with what the calls come from at its right; live, a line of drops; at the
 * bottom a line for messages, and the keys.
 */
final class Chrome {
    private final CallSource source;

    Chrome(CallSource source) {
        this.source = source;
    }

    /** The first row of content. */
    int top() {
        return source.state().drops().isEmpty() ? 1 : 2;
    }

    /** The number of rows of content, on a page with that many; 1 or more. */
    int shown(int rows) {
        return Math.max(1, rows - top() - 2);
    }

    /**
     * Draws it.
     *
     * @param message may be empty
     */
    void draw(Cells cells, String title, String message, Style style, String keys) {
        CallSource.State state = source.state();
        cells.mark(0, Cells.Mark.BAR);
        String activity = state.activity();
        int room = cells.width() - Text.width(activity) - 2;
        boolean fits = room >= Math.min(Text.width(title), cells.width() / 2);
        cells.cut(0, 1, fits ? room : cells.width(), title, Style.HEADING);
        if (fits) {
            cells.right(0, cells.width() - 1, Text.printable(activity), Style.PLAIN);
        }
        if (!state.drops().isEmpty()) {
            cells.cut(1, 1, cells.width(), state.drops(), state.hasDropped() ? Style.BAD : Style.FAINT);
        }
        int last = cells.height() - 1;
        if (last > top()) {
            cells.cut(last - 1, 1, cells.width(), message, style);
            cells.mark(last, Cells.Mark.BAR);
            keys(cells, last, keys);
        }
    }

    /** "Enter call  Space select": as many as have room, the last of which is the help. */
    private static void keys(Cells cells, int row, String keys) {
        int at = 1;
        String help = "? help";
        int room = cells.width() - help.length() - 1;
        for (String key : keys.split(" {2}", -1)) {
            if (at + key.length() > room) {
                break;
            }
            int space = key.indexOf(' ');
            cells.text(row, at, key.substring(0, Math.max(0, space)), Style.HEADING);
            cells.text(row, at + Math.max(0, space), key.substring(Math.max(0, space)), Style.PLAIN);
            at += key.length() + 2;
        }
        cells.text(row, cells.width() - help.length() - 1, "?", Style.HEADING);
        cells.text(row, cells.width() - help.length(), " help", Style.PLAIN);
    }
}
