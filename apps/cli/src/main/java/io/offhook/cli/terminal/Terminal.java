package io.offhook.cli.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The streams of the process and what is at their ends.
 *
 * <p>Java cannot ask for the width of a terminal without native access, so the launcher says it: {@code OFFHOOK_TTY} holds
 * the numbers of the descriptors that are terminals ("12": output and errors, "" none), {@code OFFHOOK_COLUMNS} and {@code
 * OFFHOOK_LINES} its size.
 * Without a launcher, {@link System#console()}, {@code COLUMNS} and {@code LINES} stand in.
 *
 * <p>Single-threaded, but {@link #error} may be called from any thread.
 */
public final class Terminal {
    /** The width assumed for a terminal that does not report one. */
    public static final int DEFAULT_WIDTH = 100;

    private static final int MIN_WIDTH = 40;
    private static final int DEFAULT_HEIGHT = 24;
    private static final int MIN_HEIGHT = 10;

    /** Who wants the exit code; set by {@link Interruption}, which only live capture loads. */
    private static volatile @Nullable IntConsumer ending;

    private final StandardOutput bytes;
    private final Writer out;
    private final PrintStream err;
    private final InputStream in;
    private final Map<String, String> environment;
    private final boolean terminal;
    private final boolean errTerminal;
    private final boolean unicode;
    /** The size of the window when it was last queried; 0 if it never was. */
    private int lines;

    private int columns;

    /**
     * @param charset of the terminal; a pipe gets UTF-8
     * @param terminals numbers of the descriptors that are terminals, as in {@code OFFHOOK_TTY}
     */
    public Terminal(
            OutputStream out,
            OutputStream err,
            InputStream in,
            Map<String, String> environment,
            Charset charset,
            String terminals) {
        terminal = terminals.contains("1");
        errTerminal = terminals.contains("2");
        Charset outCharset = terminal ? charset : StandardCharsets.UTF_8;
        unicode = outCharset.newEncoder().canEncode('…');
        bytes = new StandardOutput(out);
        this.out = new OutputStreamWriter(bytes, outCharset);
        this.err = new PrintStream(err, true, errTerminal ? charset : StandardCharsets.UTF_8);
        this.in = in;
        this.environment = environment;
    }

    /** One of the same form, whose output goes nowhere. */
    public Terminal toNowhere() {
        return new Terminal(
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                in,
                environment,
                StandardCharsets.UTF_8,
                (terminal ? "1" : "") + (errTerminal ? "2" : ""));
    }

    /** That of this process. */
    @SuppressWarnings("SystemConsoleNull")
    public // JDK 25 is back to null where there is no terminal
    static Terminal ofProcess() {
        Map<String, String> environment = System.getenv();
        String terminals = environment.get("OFFHOOK_TTY");
        if (terminals == null) {
            Console console = System.console();
            terminals = console != null && console.isTerminal() ? "12" : "";
        }
        return new Terminal(
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                new FileInputStream(FileDescriptor.in),
                environment,
                Charset.forName(System.getProperty("stdout.encoding", "UTF-8"), StandardCharsets.UTF_8),
                terminals);
    }

    /** Standard output as text, buffered; {@code Main} flushes it at the end. */
    public Writer out() {
        return out;
    }

    /** Standard output as bytes; what {@link #out} has gathered before goes first. */
    public OutputStream bytes() throws IOException {
        out.flush();
        return bytes;
    }

    public void flush() throws IOException {
        out.flush();
    }

    /**
     * Until what is returned is closed, standard output is written by a thread of its own, and only {@link
     * QueuedOutput#MOST_BYTES} that wait hold up who writes: for those whose packets would be lost meanwhile.
     */
    public Queued queued() throws IOException {
        flush();
        bytes.beginQueue();
        return () -> {
            try {
                flush();
            } finally {
                bytes.endQueue();
            }
        };
    }

    /** Output that is being queued. */
    public interface Queued extends AutoCloseable {
        /** Waits until all of it is written. */
        @Override
        void close() throws IOException;
    }

    /** Whether the reader, or the disk, is behind what was flushed; never so while nothing is queued. */
    public boolean isBehind() {
        return bytes.isBehind();
    }

    /** Standard input. */
    public InputStream in() {
        return in;
    }

    /** A line on standard error, for a person. Control characters in it, which may come from the network, are masked. */
    public void error(String line) {
        err.println("offhook: " + Text.printable(line));
    }

    /** An internal error: a line for a person, or the stack trace if {@code OFFHOOK_DEBUG} asks for it. */
    public void defect(String what, Throwable thrown) {
        if ("1".equals(environment("OFFHOOK_DEBUG"))) {
            thrown.printStackTrace(err);
        } else {
            error(what + ": " + thrown + "; please report it, with the file if you can (OFFHOOK_DEBUG=1 shows where)");
        }
    }

    /** Standard error, for progress and help. */
    public PrintStream err() {
        return err;
    }

    /** Whether standard output is a terminal. */
    public boolean isTerminal() {
        return terminal;
    }

    /** Whether standard error is a terminal: progress is for those. */
    boolean isErrTerminal() {
        return errTerminal;
    }

    /** Columns that a line may take; {@link Integer#MAX_VALUE} in a pipe or a file. */
    public int width() {
        return terminal ? columns() : Integer.MAX_VALUE;
    }

    /** Columns for text that is broken into lines, as help is; never without limit. */
    public int helpWidth() {
        return terminal ? Math.min(columns(), 120) : DEFAULT_WIDTH;
    }

    /** Lines that fit on the terminal at a time. */
    public int height() {
        return Math.max(MIN_HEIGHT, lines > 0 ? lines : size("OFFHOOK_LINES", "LINES", DEFAULT_HEIGHT));
    }

    private int columns() {
        return Math.max(MIN_WIDTH, columns > 0 ? columns : size("OFFHOOK_COLUMNS", "COLUMNS", DEFAULT_WIDTH));
    }

    /** The window has another size now, say those who can ask for it. */
    public void resize(int lines, int columns) {
        this.lines = lines;
        this.columns = columns;
    }

    private int size(String ours, String shells, int otherwise) {
        for (String name : new String[] {ours, shells}) {
            String value = environment.get(name);
            // some terminals say 0 when they do not know
            if (value != null && value.matches("[1-9][0-9]{0,4}")) {
                return Integer.parseInt(value);
            }
        }
        return otherwise;
    }

    /** Whether the ellipsis and other signs beyond ASCII can be shown. */
    public boolean isUnicode() {
        return unicode;
    }

    /** Whether to colour: as requested, else on a terminal that is not dumb, unless NO_COLOR is set (no-color.org). */
    public boolean isColored(ColorMode mode) {
        return switch (mode) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO -> terminal && isUnset("NO_COLOR") && !"dumb".equals(environment.get("TERM"));
        };
    }

    private boolean isUnset(String name) {
        String value = environment.get(name);
        return value == null || value.isEmpty();
    }

    /** A variable of the environment, or null. */
    @Nullable
    String environment(String name) {
        return environment.get(name);
    }

    /** {@code --color}. */
    public enum ColorMode {
        AUTO,
        ALWAYS,
        NEVER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Sets who is given the exit code before the process ends; null for nobody. */
    static void beforeExit(@Nullable IntConsumer notified) {
        ending = notified;
    }

    /** The process is about to end with this code. */
    public static void exits(int code) {
        IntConsumer notified = ending;
        if (notified != null) {
            notified.accept(code);
        }
    }
}
