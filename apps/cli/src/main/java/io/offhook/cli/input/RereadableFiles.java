package io.offhook.cli.input;

import io.offhook.cli.command.ParseResult;
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
 * Captures that can be read more than once. Standard input is copied to a temporary file, which is readable by its owner only
 * and deleted at the end, even if Ctrl-C ends the process.
 */
public final class RereadableFiles implements AutoCloseable {
    private final List<String> paths;
    private final UnaryOperator<PacketSource> selection;
    private final FirstDefect defect = new FirstDefect();
    private final @Nullable Copy copy;
    private @Nullable KeyOptions keys;
    private boolean borrowsKeys;

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
     * The files of the command line.
     *
     * @param filter selects the frames that are read; null for all
     * @param again whether the files are read more than once; if not, standard input is not copied
     * @throws IOException if standard input cannot be copied
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

    /**
     * These files, whose analyses use the keys that the options give.
     *
     * @throws IOException if the copy of standard input cannot be deleted after a misuse
     */
    public RereadableFiles decrypted(ParseResult arguments) throws IOException {
        try {
            keys = KeyOptions.of(arguments, paths);
            return this;
        } catch (RuntimeException e) {
            if (copy != null) {
                copy.delete();
            }
            throw e;
        }
    }

    /** These files, whose analyses use keys that their owner closes after them; null for none. */
    public RereadableFiles borrowing(@Nullable KeyOptions owned) {
        keys = owned;
        borrowsKeys = true;
        return this;
    }

    /** The keys that were given; null if none were. */
    public @Nullable KeyOptions keys() {
        return keys;
    }

    /** Opens all files, merged by time. */
    public OpenCapture open(Terminal terminal) {
        return OpenCapture.open(paths, selection, defect, keys, terminal);
    }

    /** Records a failure that a pass contained, for captures opened later to report; null if there was none. */
    public void failed(@Nullable RuntimeException thrown) {
        defect.keep(thrown);
    }

    /** The first contained exception of any pass; null if there was none. */
    public @Nullable RuntimeException defect() {
        return defect.thrown();
    }

    /** The paths of the files, with patterns expanded. */
    public List<String> paths() {
        return paths;
    }

    @Override
    public void close() throws IOException {
        if (keys != null && !borrowsKeys) {
            keys.close();
        }
        Copy made = copy;
        if (made != null) {
            made.delete();
        }
    }
}
