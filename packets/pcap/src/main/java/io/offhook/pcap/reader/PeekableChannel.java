package io.offhook.pcap.reader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A channel whose first bytes can be examined before they are read; it counts the bytes taken. */
public final class PeekableChannel implements ReadableByteChannel {
    private final ReadableByteChannel inner;
    private final @Nullable InputStream stream;
    private final ByteBuffer head = ByteBuffer.allocate(16).flip();

    private final AtomicLong taken = new AtomicLong();

    /** Creates a channel that reads from {@code inner}, for which it is unknown whether a read would wait. */
    public PeekableChannel(ReadableByteChannel inner) {
        this.inner = inner;
        stream = null;
    }

    /** Creates a channel that reads from a stream, which reports whether bytes are available. */
    public PeekableChannel(InputStream stream) {
        this.inner = Channels.newChannel(stream);
        this.stream = stream;
    }

    /** Returns whether a read would wait for the sender or return the end, as far as this can be known. */
    boolean isDry() {
        try {
            return stream != null && !head.hasRemaining() && stream.available() == 0;
        } catch (IOException e) {
            return false; // the next read will show
        }
    }

    /** Waits for up to 16 bytes or the end, and leaves them to be read. To be called once, before any read. */
    public ByteBuffer peek() throws IOException {
        head.clear();
        try {
            while (head.hasRemaining() && inner.read(head) >= 0) {
                // a pipe may give one byte at a time
            }
        } finally {
            head.flip();
            taken.set(head.limit());
        }
        return head.asReadOnlyBuffer();
    }

    /** Returns the bytes taken from the file or pipe so far. Thread-safe. */
    long taken() {
        return taken.get();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (head.hasRemaining() && target.hasRemaining()) {
            int count = Math.min(head.remaining(), target.remaining());
            target.put(head.slice(head.position(), count));
            head.position(head.position() + count);
            return count;
        }
        int count = inner.read(target);
        if (count > 0) {
            taken.addAndGet(count);
        }
        return count;
    }

    @Override
    public boolean isOpen() {
        return inner.isOpen();
    }

    @Override
    public void close() throws IOException {
        inner.close();
    }
}
