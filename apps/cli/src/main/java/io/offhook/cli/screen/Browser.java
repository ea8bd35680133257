package io.offhook.cli.screen;

import io.offhook.cli.terminal.Terminal;
import java.io.IOException;

/** Shows pages on the terminal until somebody quits: draws the uppermost one, waits for a key, and lets it act. */
final class Browser {
    /** How long to wait for a key before the page is looked at again, in milliseconds. */
    private static final int TICK_MS = 100;

    /** What a terminal is taken to have if it does not say. */
    private static final int USUAL_COLUMNS = 80;

    private static final int USUAL_ROWS = 24;

    private final CallSource source;
    private final Terminal terminal;
    private final Painter painter;
    private volatile boolean isStopped;

    Browser(CallSource source, Terminal terminal, Palette palette) {
        this.source = source;
        this.terminal = terminal;
        painter = new Painter(palette);
    }

    /** Ends it soon; may be called by any thread. */
    void stop() {
        isStopped = true;
    }

    /** Shows pages until somebody quits. However it ends, the terminal is as it was. */
    void run(ScreenStack screens) throws IOException {
        try (KeyInput input = KeyInput.open()) {
            try {
                write(Painter.enter());
                loop(screens, input);
            } finally {
                write(Painter.leave());
            }
        }
    }

    private void loop(ScreenStack screens, KeyInput input) throws IOException {
        KeyDecoder decoder = new KeyDecoder(input::read);
        while (!screens.isEmpty() && !isStopped && !source.isOver()) {
            int columns = input.columns() > 0 ? input.columns() : USUAL_COLUMNS;
            int rows = input.rows() > 0 ? input.rows() : USUAL_ROWS;
            write(painter.paint(screens.page(columns, rows)));
            Key key = decoder.next(TICK_MS);
            switch (key.kind()) {
                case NONE -> {}
                case GONE, INTERRUPT -> screens.quit();
                case REDRAW -> painter.forget();
                default -> screens.on(key, columns, rows);
            }
        }
    }

    private void write(String text) throws IOException {
        if (!text.isEmpty()) {
            terminal.out().append(text);
            terminal.flush();
        }
    }
}
