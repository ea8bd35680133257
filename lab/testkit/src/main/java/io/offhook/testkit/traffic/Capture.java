package io.offhook.testkit.traffic;

import io.offhook.testkit.truth.Truth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A capture file and what is in it.
 *
 * @param bytes of the file; not copied
 * @param frames that it holds, in file order
 * @param truth about them
 */
@SuppressWarnings("ArrayRecordComponent") // captures are compared by nobody
public record Capture(byte[] bytes, List<Frame> frames, Truth truth) {

    /** Writes the file; returns {@code file}. */
    public Path writeTo(Path file) throws IOException {
        return Files.write(file, bytes);
    }
}
