package io.offhook.cluster.spool;

import io.offhook.cluster.event.Limits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the events of a segment one after the other, from its head on. */
final class SegmentReader implements AutoCloseable {
    private final RandomAccessFile in;
    /** Has at least one whole event, once it was filled. */
    private final ByteBuffer buffer = ByteBuffer.allocate(2 * (EventRecord.HEAD + Limits.EVENT))
            .order(ByteOrder.LITTLE_ENDIAN)
            .limit(0);

    private long offset = Segment.HEAD;
    /** Where in the file the buffer ends. */
    private long filledTo = Segment.HEAD;

    SegmentReader(Path file) throws IOException {
        in = new RandomAccessFile(file.toFile(), "r");
    }

    /**
     * Reads the next event.
     *
     * @param end where the segment ends at the moment
     * @return null if there is none, or what is there is none
     */
    @Nullable
    SpooledEvent next(long end) throws IOException {
        int size = EventRecord.size(buffer);
        if (size == 0 || size > buffer.remaining()) {
            fill(end);
            size = EventRecord.size(buffer);
        }
        if (size <= 0 || size > buffer.remaining()) {
            return null;
        }
        SpooledEvent event = EventRecord.read(buffer, size);
        if (event != null) {
            offset += size;
        }
        return event;
    }

    private void fill(long end) throws IOException {
        buffer.compact();
        int most = (int) Math.min(buffer.remaining(), Math.max(0, end - filledTo));
        in.seek(filledTo);
        for (int read = 0; most > 0 && read >= 0; most -= read) {
            read = in.read(buffer.array(), buffer.position(), most);
            if (read > 0) {
                buffer.position(buffer.position() + read);
                filledTo += read;
            }
        }
        buffer.flip();
    }

    /** Where the last whole event ends. */
    long offset() {
        return offset;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
