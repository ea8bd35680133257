package io.offhook.cli.input;

import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Captures that can be read more than once: standard input is copied to a temporary file, readable by its owner only and
 * deleted at the end, also when Ctrl-C ends the process.
 */
public final class RereadableFiles implements AutoCloseable {
    private final List<String> paths;
    private final UnaryOperator<PacketSource> selection;
    private final FirstDefect defect = new FirstDefect();
    private final @Nullable Copy copy;

    /** The copy of standard input, and the hook that deletes it if the process is terminated. */
    record Copy(Path file, Thread atExit) {
        static Copy create() throws IOException {
            Path file = Files.createTempFile("offhook-standard-input-", ".pcap");
            Thread atExit = new Thread(() -> delete(file), "offhook-delete-copy");
            Runtime.getRuntime().addShutdownHook(atExit);
            return new Copy(file, atExit);
        }

        private static void delete(Path file) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // the process is ending: nothing can report it
            }
        }

        void delete() throws IOException {
            Files.deleteIfExists(file);
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException e) {
                // the process is ending already, and the file is gone
            }
        }
    }

    RereadableFiles(List<String> paths, UnaryOperator<PacketSource> selection, @Nullable Copy copy) {
        this.paths = List.copyOf(paths);
        this.selection = selection;
        this.copy = copy;
    }

    /**
     * The files that were named.
     *
     * @param filter which of their frames are read; null for all
     * @param again whether they are read more than once; else standard input stays what it is
     * @throws IOException when standard input cannot be copied
     */
    public static RereadableFiles of(List<String> files, @Nullable FrameFilter filter, Terminal terminal, boolean again)
            throws IOException {
        List<String> paths = new ArrayList<>(CaptureFiles.expand(files));
        int input = paths.indexOf("-");
        if (!again || input < 0) {
            return new RereadableFiles(paths, OpenCapture.selection(filter), null);
        }
        Copy copy = Copy.create();
        try (OutputStream out = Files.newOutputStream(copy.file(), StandardOpenOption.WRITE)) {
            terminal.in().transferTo(out);
        } catch (IOException e) {
            copy.delete();
            throw new IOException("standard input cannot be copied to " + copy.file() + ": " + e.getMessage(), e);
        }
        paths.set(input, copy.file().toString());
        return new RereadableFiles(paths, OpenCapture.selection(filter), copy);
    }

    /** Opens them all, merged by time. */
    public OpenCapture open(Terminal terminal) {
        return OpenCapture.open(paths, selection, defect, terminal);
    }

    /** Notes that a pass failed at something and skipped it: what is opened from now on reports it. Null if none did. */
    public void failed(@Nullable RuntimeException thrown) {
        defect.keep(thrown);
    }

    /** What was contained first in any pass; null if nothing was. */
    public @Nullable RuntimeException defect() {
        return defect.thrown();
    }

    /** What is opened: paths, none of them a pattern. */
    public List<String> paths() {
        return paths;
    }

    @Override
    public void close() throws IOException {
        Copy made = copy;
        if (made != null) {
            made.delete();
        }
    }
}
