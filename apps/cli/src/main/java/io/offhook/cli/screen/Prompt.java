package io.offhook.cli.screen;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;

/** A line that is typed. */
final class Prompt {
    private static final int LONGEST = 1000;

    private final String question;
    private final StringBuilder text;

    /** @param question what is asked, which stands before the text */
    Prompt(String question, String text) {
        this.question = question;
        this.text = new StringBuilder(text);
    }

    /** What was typed. */
    String text() {
        return text.toString();
    }

    /** Takes a key of the text; false if it is none. */
    boolean on(Key key) {
        switch (key.kind()) {
            case CHARACTER -> {
                if (text.length() < LONGEST && !Text.isHarmful(key.value())) {
                    text.appendCodePoint(key.value());
                }
            }
            case BACKSPACE -> {
                if (!text.isEmpty()) {
                    text.setLength(text.offsetByCodePoints(text.length(), -1));
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Draws it in a row, with the end of the text in sight. */
    void draw(Cells cells, int row) {
        cells.mark(row, Cells.Mark.NONE);
        int at = cells.text(row, 1, question + " ", Style.HEADING);
        String shown = text.toString();
        while (Text.width(shown) > cells.width() - at - 2 && !shown.isEmpty()) {
            shown = shown.substring(shown.offsetByCodePoints(0, 1));
        }
        at = cells.text(row, at, shown, Style.PLAIN);
        cells.text(row, at, "_", Style.HEADING);
    }
}
