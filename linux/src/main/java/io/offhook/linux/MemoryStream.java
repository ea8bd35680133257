package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A {@code FILE *} whose text stays in memory, fmemopen(3): for libraries that log to a stream. It holds so many bytes, and
 * what comes then is lost, until it is {@link #clear cleared}. Any thread may use it.
 */
public final class MemoryStream implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final long stream;
    private boolean closed;

    /**
     * An empty one.
     *
     * @param bytes the most that it holds, 2 or more
     */
    public MemoryStream(int bytes) {
        if (bytes < 2) {
            throw new IllegalArgumentException("a stream of " + bytes + " bytes holds no text: 2 are the least");
        }
        memory = arena.allocate(bytes);
        try (Arena own = Arena.ofConfined()) {
            stream = Stdio.fmemopen(memory, bytes, own.allocateFrom("w"));
        }
        if (stream == 0) {
            arena.close();
            throw new IllegalStateException("fmemopen has no memory for a stream");
        }
    }

    /** The {@code FILE *}, for as long as it is open. */
    public long address() {
        return stream;
    }

    /** What was written since it was cleared, as far as it has room. */
    public synchronized String text() {
        checkOpen();
        Stdio.fflush(stream);
        int length = length();
        byte[] text = new byte[length];
        MemorySegment.copy(memory, JAVA_BYTE, 0, text, 0, length);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Forgets what was written. */
    public synchronized void clear() {
        checkOpen();
        Stdio.fflush(stream);
        Stdio.rewind(stream);
        // the stream puts a 0 behind its text only where it has not written before
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

    /** Nothing may write to it any more. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Stdio.fclose(stream);
            arena.close();
        }
    }
}
