package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.linux.libc.Stdio;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A {@code FILE *} that writes to memory, fmemopen(3), for libraries that log to a stream. Its size is fixed; output
 * beyond it is lost until the stream is {@link #clear cleared}. Thread-safe.
 */
public final class MemoryStream implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final long stream;
    private boolean closed;

    /**
     * Creates an empty stream.
     *
     * @param bytes the capacity in bytes, 2 or more
     */
    public MemoryStream(int bytes) {
        if (bytes < 2) {
            throw new IllegalArgumentException("a stream of " + bytes + " bytes cannot hold text; the minimum is 2");
        }
        memory = arena.allocate(bytes);
        try (Arena own = Arena.ofConfined()) {
            stream = Stdio.fmemopen(memory, bytes, own.allocateFrom("w"));
        }
        if (stream == 0) {
            arena.close();
            throw new IllegalStateException("fmemopen failed: no memory for a stream");
        }
    }

    /** The address of the {@code FILE}, valid while the stream is open. */
    public long address() {
        return stream;
    }

    /** The output since the stream was cleared, as far as it fitted. */
    public synchronized String text() {
        checkOpen();
        Stdio.fflush(stream);
        int length = length();
        byte[] text = new byte[length];
        MemorySegment.copy(memory, JAVA_BYTE, 0, text, 0, length);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Discards the output so far. */
    public synchronized void clear() {
        checkOpen();
        Stdio.fflush(stream);
        Stdio.rewind(stream);
        // the stream terminates its text with 0 only where it has not written before
        memory.asSlice(0, length()).fill((byte) 0);
    }

    private int length() {
        int length = 0;
        while (length < memory.byteSize() && memory.get(JAVA_BYTE, length) != 0) {
            length++;
        }
        return length;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the stream is closed");
        }
    }

    /** Closes the stream; nothing may write to it afterwards. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Stdio.fclose(stream);
            arena.close();
        }
    }
}
