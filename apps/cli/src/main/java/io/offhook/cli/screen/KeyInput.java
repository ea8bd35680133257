package io.offhook.cli.screen;

import io.offhook.cli.command.MisuseException;
import java.io.IOException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.ClosedException;
import org.jline.utils.NonBlockingReader;

/**
 * The keyboard of this process's terminal, character by character, by JLine's provider on foreign functions. {@link #close}
 * gives the terminal back as it was.
 */
final class KeyInput implements AutoCloseable {
    /** The provider; the others would load a library through JNI, or run stty. */
    private static final String FOREIGN_FUNCTIONS = "ffm";

    private final Terminal terminal;
    private final Attributes before;
    private final NonBlockingReader reader;

    private KeyInput(Terminal terminal) {
        this.terminal = terminal;
        before = terminal.enterRawMode();
        reader = terminal.reader();
    }

    /**
     * Takes the keyboard, without asking the terminal what it can do: answers that come late would be keys, and keys that come
     * early would be taken for answers.
     *
     * @throws MisuseException if standard input or output is no terminal
     */
    static KeyInput open() {
        try {
            return new KeyInput(TerminalBuilder.builder()
                    .system(true)
                    .provider(FOREIGN_FUNCTIONS)
                    .dumb(false)
                    .graphemeCluster(false)
                    .build());
        } catch (IOException | IllegalStateException e) {
            throw new MisuseException(noTerminal("standard input is none"));
        }
    }

    /** What is said where there is no terminal. */
    static String noTerminal(String why) {
        return "offhook browse needs a terminal for keys and screens, and " + why
                + "; offhook calls prints the same calls to any output";
    }

    /** The next UTF-16 unit, as {@link KeyDecoder.Source} has it. */
    int read(int timeoutMs) throws IOException {
        try {
            return reader.read(timeoutMs);
        } catch (ClosedException | IllegalStateException e) {
            return KeyDecoder.END; // JLine closes the terminal when the process is told to end
        }
    }

    /** The columns of the window; 0 if unknown. */
    int columns() {
        return size().getColumns();
    }

    /** The rows of the window; 0 if unknown. */
    int rows() {
        return size().getRows();
    }

    private Size size() {
        try {
            return terminal.getSize();
        } catch (IllegalStateException e) {
            return Size.of(0, 0); // closed
        }
    }

    @Override
    public void close() throws IOException {
        try {
            terminal.setAttributes(before);
        } catch (IllegalStateException e) {
            // closed, which has restored them
        }
        terminal.close();
    }
}
