package io.offhook.cli;

import io.offhook.pcap.CaptureFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Captures that can be read more than once: standard input is copied to a temporary file, readable by its owner only and
 * deleted at the end.
 */
final class CallExtractFiles implements AutoCloseable {
    private final List<String> paths;
    private final @Nullable Path copy;

    private CallExtractFiles(List<String> paths, @Nullable Path copy) {
        this.paths = List.copyOf(paths);
        this.copy = copy;
    }

    /**
     * The files that were named.
     *
     * @param again whether they are read more than once; else standard input stays what it is
     * @throws IOException when standard input cannot be copied
     */
    static CallExtractFiles of(List<String> files, Terminal terminal, boolean again) throws IOException {
        List<String> paths = new ArrayList<>(CaptureFiles.expand(files));
        int input = paths.indexOf("-");
        if (!again || input < 0) {
            return new CallExtractFiles(paths, null);
        }
        Path copy = Files.createTempFile("offhook-standard-input-", ".pcap");
        try {
            Files.copy(terminal.in(), copy, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(copy);
            throw new IOException("standard input cannot be copied to " + copy + ": " + e.getMessage(), e);
        }
        paths.set(input, copy.toString());
        return new CallExtractFiles(paths, copy);
    }

    /** What to open: paths, none of them a pattern. */
    List<String> paths() {
        return paths;
    }

    @Override
    public void close() throws IOException {
        Path file = copy;
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }
}
