package io.offhook.cli.terminal;

import io.offhook.linux.TerminalSize;
import java.io.IOException;
import java.io.Writer;

/** A page of its own on a terminal, redrawn in place. {@link #close} restores what was there before. */
public final class RedrawnPage implements AutoCloseable {
    /** Control sequences of xterm: enter and leave the alternate screen, hide and show the cursor, move to the top left. */
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";

    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final int STANDARD_OUTPUT = 1;
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private final Terminal terminal;
    private boolean isEntered;

    public RedrawnPage(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Takes over the size that the terminal has now. */
    public void measure() {
        TerminalSize size = TerminalSize.of(STANDARD_OUTPUT);
        if (size != null) {
            terminal.resize(size.lines(), size.columns());
        }
    }

    /** Draws the page anew. Lines of a table fit already; others are cut. */
    public void draw(StringBuilder page) throws IOException {
        Writer out = terminal.out();
        out.append(isEntered ? "" : ENTER).append(HOME);
        isEntered = true;
        int width = terminal.width();
        int start = 0;
        while (start < page.length()) {
            int end = page.indexOf("\n", start);
            boolean isLast = end < 0;
            end = isLast ? page.length() : end;
            String line = page.substring(start, end);
            // cutting lines of a table would break colours
            out.append(CLEAR_LINE)
                    .append(line.indexOf('\u001b') < 0 ? Text.cut(line, width, "") : line)
                    .append(isLast ? "" : "\n");
            start = end + 1;
        }
        out.append(CLEAR_BELOW);
        terminal.flush();
    }

    @Override
    public void close() {
        if (isEntered) {
            isEntered = false;
            terminal.err().flush();
            try {
                terminal.out().append(LEAVE);
                terminal.flush();
            } catch (IOException e) {
                // the page is no longer on screen
            }
        }
    }
}
