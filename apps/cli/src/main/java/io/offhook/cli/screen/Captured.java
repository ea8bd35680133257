package io.offhook.cli.screen;

import io.offhook.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** What other commands print, as lines. */
final class Captured {
    /** Prints something. */
    @FunctionalInterface
    interface Printing {
        void to(Terminal terminal) throws IOException;
    }

    private Captured() {}

    /**
     * The lines that are printed.
     *
     * @param width of the terminal that the printing sees
     * @param unicode whether it has signs beyond ASCII
     */
    static List<String> lines(int width, boolean unicode, Printing printing) {
        Charset charset = unicode ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                out,
                new ByteArrayOutputStream(),
                InputStream.nullInputStream(),
                Map.of("OFFHOOK_COLUMNS", Integer.toString(width)),
                charset,
                "1");
        try {
            printing.to(terminal);
            terminal.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory is written
        }
        return out.toString(charset).stripTrailing().lines().toList();
    }
}
