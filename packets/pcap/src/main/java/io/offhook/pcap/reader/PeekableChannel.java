package io.offhook.pcap.reader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Bytes of a file or pipe, of which the first few can be looked at before they are read; counts what was taken. */
public final class PeekableChannel implements ReadableByteChannel {
    private final ReadableByteChannel inner;
    private final @Nullable InputStream stream;
    private final ByteBuffer head = ByteBuffer.allocate(16).flip();

    private final AtomicLong taken = new AtomicLong();

    /** Creates a channel that reads from {@code inner}, which cannot be asked whether there are more bytes. */
    public PeekableChannel(ReadableByteChannel inner) {
        this.inner = inner;
        stream = null;
    }

    /** The bytes of a stream, which can be asked whether there are more. */
    public PeekableChannel(InputStream stream) {
        this.inner = Channels.newChannel(stream);
        this.stream = stream;
    }

    /** Whether a read would wait for the sender, or be told of the end, as far as that can be known. */
    boolean isDry() {
        try {
            return stream != null && !head.hasRemaining() && stream.available() == 0;
        } catch (IOException e) {
            return false; // the next read tells
        }
    }

    /** Waits for up to 16 bytes, or the end, and leaves them to be read. To be called once, before any read. */
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

    /** Bytes taken from the file or pipe so far; any thread may ask. */
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
