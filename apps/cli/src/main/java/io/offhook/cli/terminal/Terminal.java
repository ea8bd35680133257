package io.offhook.cli.terminal;

import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The standard streams of the process, and the properties of the terminal that they are connected to.
 *
 * <p>Java cannot query the size of a terminal without native access, so the launcher passes it: {@code OFFHOOK_TTY} holds the
 * numbers of the descriptors that are terminals ("12": output and errors, "": none), {@code OFFHOOK_COLUMNS} and {@code
 * OFFHOOK_LINES} the size. Without the launcher, {@link System#console()}, {@code COLUMNS} and {@code LINES} are used.
 *
 * <p>Single-threaded, but {@link #error} may be called from any thread.
 */
public final class Terminal {
    /** The width assumed for a terminal that does not report one. */
    public static final int DEFAULT_WIDTH = 100;

    private static final int MIN_WIDTH = 40;
    private static final int DEFAULT_HEIGHT = 24;
    private static final int MIN_HEIGHT = 10;

    /** Receives the exit code; set by {@link Interruption}, which only live capture loads. */
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
    private TimeForm timeForm = TimeForm.EPOCH;

    /**
     * @param charset the character set of the terminal; pipes receive UTF-8
     * @param terminals the numbers of the descriptors that are terminals, as in {@code OFFHOOK_TTY}
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

    /** A terminal with the same properties that discards its output. */
    public Terminal toNowhere() {
        return new Terminal(
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                in,
                environment,
                StandardCharsets.UTF_8,
                (terminal ? "1" : "") + (errTerminal ? "2" : ""));
    }

    /** The terminal of this process. */
    @SuppressWarnings("SystemConsoleNull")
    public // in JDK 25, null again if there is no terminal
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

    /** How times are written for programs. */
    public TimeForm timeForm() {
        return timeForm;
    }

    public void timeForm(TimeForm form) {
        timeForm = form;
    }

    /** Standard output as text, buffered; {@code Main} flushes it at the end. */
    public Writer out() {
        return out;
    }

    /** Standard output as bytes; output buffered by {@link #out} is written first. */
    public OutputStream bytes() throws IOException {
        out.flush();
        return bytes;
    }

    public void flush() throws IOException {
        out.flush();
    }

    /** A JSON document on standard output. */
    public JsonFields json() throws IOException {
        return new JsonFields(bytes(), timeForm);
    }

    /** CSV on standard output, with its heading. On a terminal, characters that would control it are masked. */
    public CsvFields csv(List<String> csvColumns) throws IOException {
        return new CsvFields(out, csvColumns, terminal ? Text::printableLines : UnaryOperator.identity(), timeForm);
    }

    /**
     * Lets a separate thread write standard output until the result is closed, so that a capturing thread does not lose
     * packets meanwhile. Callers wait only while {@link QueuedOutput#MOST_BYTES} are queued.
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
        /** Waits until all queued output is written. */
        @Override
        void close() throws IOException;
    }

    /** Whether flushed output is still queued; false if output is not being queued. */
    public boolean isBehind() {
        return bytes.isBehind();
    }

    /** Standard input. */
    public InputStream in() {
        return in;
    }

    /** Prints a message on standard error. Control characters, which may come from the network, are masked. */
    public void error(String line) {
        err.println("offhook: " + Text.printable(line));
    }

    /** Reports an internal error on one line, or with its stack trace if {@code OFFHOOK_DEBUG} is 1. */
    public void defect(String what, Throwable thrown) {
        if ("1".equals(environment("OFFHOOK_DEBUG"))) {
            thrown.printStackTrace(err);
        } else {
            error(what + ": " + thrown
                    + "; please report it with the file if you can (OFFHOOK_DEBUG=1 prints the stack trace)");
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

    /** Whether standard error is a terminal, on which progress is shown. */
    boolean isErrTerminal() {
        return errTerminal;
    }

    /** The width for lines, in columns; {@link Integer#MAX_VALUE} for a pipe or a file. */
    public int width() {
        return terminal ? columns() : Integer.MAX_VALUE;
    }

    /** The width for wrapped text such as help, in columns; always limited. */
    public int helpWidth() {
        return terminal ? Math.min(columns(), 120) : DEFAULT_WIDTH;
    }

    /** The height of the terminal, in lines. */
    public int height() {
        return Math.max(MIN_HEIGHT, lines > 0 ? lines : size("OFFHOOK_LINES", "LINES", DEFAULT_HEIGHT));
    }

    private int columns() {
        return Math.max(MIN_WIDTH, columns > 0 ? columns : size("OFFHOOK_COLUMNS", "COLUMNS", DEFAULT_WIDTH));
    }

    /** Sets the new size of the window, for callers with native access. */
    public void resize(int lines, int columns) {
        this.lines = lines;
        this.columns = columns;
    }

    private int size(String ours, String shells, int otherwise) {
        for (String name : new String[] {ours, shells}) {
            String value = environment.get(name);
            // some terminals report 0 if the size is unknown
            if (value != null && value.matches("[1-9][0-9]{0,4}")) {
                return Integer.parseInt(value);
            }
        }
        return otherwise;
    }

    /** Whether characters beyond ASCII, such as the ellipsis, can be shown. */
    public boolean isUnicode() {
        return unicode;
    }

    /** Whether to use colours. AUTO: on a terminal that is not dumb, unless NO_COLOR is set (no-color.org). */
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
    public @Nullable String environment(String name) {
        return environment.get(name);
    }

    /** The values of {@code --color}. */
    public enum ColorMode {
        AUTO,
        ALWAYS,
        NEVER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Sets the receiver of the exit code before the process ends; null for none. */
    static void beforeExit(@Nullable IntConsumer notified) {
        ending = notified;
    }

    /** Announces that the process is about to exit with this code. */
    public static void exits(int code) {
        IntConsumer notified = ending;
        if (notified != null) {
            notified.accept(code);
        }
    }
}
