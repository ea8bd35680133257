package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.cli.calls.CallSelection;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Pages of a capture, with keys pressed by a test. */
final class Walkthrough implements AutoCloseable {
    private static final Path GOLDEN = Path.of("src/test/resources/io/offhook/cli/screen");
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final @Nullable RereadableFiles files;
    private final CallSource calls;
    private final ScreenStack screens;
    private int columns;
    private int rows;

    private Walkthrough(RereadableFiles files, View view, int columns, int rows) {
        this.files = files;
        this.columns = columns;
        this.rows = rows;
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(2);
        FileCalls read = new FileCalls(files, options.withMedia(options.media().withIntervals(true)), view);
        read.start();
        calls = read;
        screens = new ScreenStack(calls, view, new ListScreen(calls, view, CallSelection.typed("")));
    }

    private Walkthrough(CallSource calls, View view, int columns, int rows) {
        files = null;
        this.calls = calls;
        this.columns = columns;
        this.rows = rows;
        screens = new ScreenStack(calls, view, new ListScreen(calls, view, CallSelection.typed("")));
    }

    /** The pages of a source, which is closed with them. */
    static Walkthrough of(CallSource calls, View view, int columns, int rows) {
        return new Walkthrough(calls, view, columns, rows);
    }

    static Walkthrough of(int columns, int rows, String... paths) {
        return of(true, columns, rows, paths);
    }

    static Walkthrough ascii(int columns, int rows, String... paths) {
        return of(false, columns, rows, paths);
    }

    private static Walkthrough of(boolean unicode, int columns, int rows, String... paths) {
        Terminal terminal = new Terminal(
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                InputStream.nullInputStream(),
                Map.of(),
                StandardCharsets.UTF_8,
                "");
        try {
            RereadableFiles files = RereadableFiles.of(List.of(paths), null, terminal, true);
            Walkthrough walkthrough = new Walkthrough(files, new View(Times.of(true), unicode), columns, rows);
            walkthrough.until(_ -> !walkthrough.calls.isReading());
            return walkthrough;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Cells cells() {
        return screens.page(columns, rows);
    }

    String page() {
        return cells().toString();
    }

    boolean isOver() {
        return screens.isEmpty();
    }

    Walkthrough resized(int newColumns, int newRows) {
        columns = newColumns;
        rows = newRows;
        return this;
    }

    Walkthrough press(Key... keys) {
        for (Key key : keys) {
            screens.page(columns, rows); // a page is shown before somebody presses a key
            screens.on(key, columns, rows);
        }
        return this;
    }

    Walkthrough press(Key.Kind... kinds) {
        for (Key.Kind kind : kinds) {
            press(Key.of(kind));
        }
        return this;
    }

    Walkthrough type(String text) {
        text.codePoints().forEach(code -> press(Key.character(code)));
        return this;
    }

    /** Waits until the page is as wanted, however long that takes within a minute. */
    Walkthrough until(Predicate<String> wanted) {
        long startNs = System.nanoTime();
        while (!wanted.test(page())) {
            assertThat(System.nanoTime() - startNs).as(page()).isLessThan(PATIENCE_NS);
            Thread.onSpinWait();
        }
        return this;
    }

    Walkthrough untilShown(String text) {
        return until(page -> page.contains(text));
    }

    /** Holds the page against the file of that name; with -Doffhook.write=true, writes it. */
    void looksLike(String name) throws IOException {
        looksLike(name, page());
    }

    static void looksLike(String name, String page) throws IOException {
        Path file = GOLDEN.resolve(name + ".txt");
        if (Boolean.getBoolean("offhook.write")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, page);
        }
        assertThat(page).isEqualTo(Files.readString(file));
    }

    @Override
    public void close() {
        calls.close();
        try {
            if (files != null) {
                files.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
