package io.offhook.cli.screen;

import io.offhook.report.text.Times;

/**
 * How pages are drawn.
 *
 * @param times formats times
 * @param unicode whether signs beyond ASCII can be shown
 */
record View(Times times, boolean unicode) {
    /** Whether lines of other commands carry styles; the palette decides what becomes of them. */
    static final boolean STYLED = true;

    /** The least width for which lines of other commands are made. */
    static final int LEAST_WIDTH = 40;

    /** The width of text on a page: a column is free at both sides. */
    static int textWidth(int columns) {
        return Math.max(LEAST_WIDTH, columns - 2);
    }
}
