package io.offhook.pcap.file;

import io.offhook.pcap.CaptureCompression;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes numbers of one byte order, and bytes, to a file or pipe through a buffer of native memory. */
final class CaptureOutput implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;
    private static final long NOT_WHOLE = -1;

    private WritableByteChannel channel;
    private final ByteBuffer buffer;
    private final MemorySegment bytes;

    private long flushed;
    /** The end of the last whole record in the buffer. */
    private int whole;

    /** The end of the last whole record that was written to the channel. */
    private long wholeFlushed;

    /** The records completed, and how many of them were written to the channel as a whole. */
    private long records;

    private long recordsFlushed;
    private boolean failed;
    private boolean closed;

    /** Creates a little-endian output to a channel, which is closed with it. */
    CaptureOutput(WritableByteChannel channel) {
        this(channel, ByteOrder.LITTLE_ENDIAN);
    }

    /** Creates an output of the given byte order to a channel, which is closed with it. */
    CaptureOutput(WritableByteChannel channel, ByteOrder order) {
        this.channel = channel;
        buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).order(order);
        bytes = MemorySegment.ofBuffer(buffer);
    }

    /** Creates an output without a channel; {@link #start} must come first. */
    static CaptureOutput unopened() {
        CaptureOutput output = new CaptureOutput(Channels.newChannel(OutputStream.nullOutputStream()));
        output.closed = true;
        return output;
    }

    /** Creates the file, or truncates an existing one. */
    static WritableByteChannel channel(Path file, CaptureCompression compression) {
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
            return compression.compress(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + file + ": " + e.getMessage(), e);
        }
    }

    /** Starts over with another channel. The one before has been closed, with everything written to it. */
    void start(WritableByteChannel next) {
        if (!closed) {
            throw new IllegalStateException("the previous file is not closed");
        }
        channel = next;
        closed = false;
        flushed = 0;
        whole = 0;
        wholeFlushed = 0;
        records = 0;
        recordsFlushed = 0;
        failed = false;
        buffer.clear();
    }

    /** Continues on another channel without ending the data of the one before. */
    void redirect(WritableByteChannel next) {
        flush(buffer.position(), records);
        channel = next;
        closed = false;
    }

    /** Marks the end of a record: everything put so far may be the end of the file. */
    void endRecord() {
        whole = buffer.position();
        records++;
    }

    /** Returns the byte order of the numbers that are put from here on. */
    ByteOrder order() {
        return buffer.order();
    }

    /** Sets the byte order of the numbers put from here on; each section may have its own. */
    void order(ByteOrder order) {
        buffer.order(order);
    }

    /** Returns the bytes put so far, before compression. */
    long written() {
        return flushed + buffer.position();
    }

    /** Puts two bytes, the lower 16 bits of the value, in the byte order of this output. */
    void putU16(int value) {
        reserve(Short.BYTES);
        buffer.putShort((short) value);
    }

    /** Puts four bytes, the lower 32 bits of the value, in the byte order of this output. */
    void putU32(long value) {
        reserve(Integer.BYTES);
        buffer.putInt((int) value);
    }

    /** Puts eight bytes, all 64 bits of the value, in the byte order of this output. */
    void putBits64(long value) {
        reserve(Long.BYTES);
        buffer.putLong(value);
    }

    /** Puts {@code length} bytes of a segment, from the byte {@code offset} on. */
    void put(MemorySegment segment, long offset, int length) {
        int done = 0;
        while (done < length) {
            reserve(1);
            int count = Math.min(length - done, buffer.remaining());
            MemorySegment.copy(segment, offset + done, bytes, buffer.position(), count);
            buffer.position(buffer.position() + count);
            done += count;
        }
    }

    /** Puts all bytes of an array. */
    void put(byte[] source) {
        int done = 0;
        while (done < source.length) {
            reserve(1);
            int count = Math.min(source.length - done, buffer.remaining());
            buffer.put(source, done, count);
            done += count;
        }
    }

    /** Puts zero bytes up to the next multiple of four, counted from {@code length}. */
    void pad(int length) {
        for (int i = length; (i & 3) != 0; i++) {
            reserve(1);
            buffer.put((byte) 0);
        }
    }

    private void reserve(int count) {
        if (closed) {
            throw new IllegalStateException("the writer is closed");
        }
        if (buffer.remaining() < count) {
            // so that a file never ends within a record, unless that is larger than the buffer
            boolean isWhole = whole > 0;
            flush(isWhole ? whole : buffer.position(), isWhole ? records - 1 : NOT_WHOLE);
        }
    }

    /** Writes out everything put so far, which ends with a whole record, including what a compressor still holds. */
    void flushWhole() {
        flush(buffer.position(), records);
        if (channel instanceof Flushable compressed) {
            try {
                compressed.flush();
            } catch (IOException e) {
                throw failed(e);
            }
        }
    }

    /**
     * Writes out the first bytes of the buffer and moves the rest to its start.
     *
     * @param wholeRecords the number of records completed by these bytes; {@link #NOT_WHOLE} if they end within a
     *     record
     */
    private void flush(int length, long wholeRecords) {
        int end = buffer.position();
        boolean isDone = false;
        buffer.position(0).limit(length);
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            isDone = true;
            if (wholeRecords != NOT_WHOLE && !failed) {
                wholeFlushed = flushed + length;
                recordsFlushed = wholeRecords;
            }
        } catch (IOException e) {
            failed = true;
            endBehindWhole(e);
            throw failed(e);
        } finally {
            flushed += isDone ? length : end;
            // a file that failed once is not written to again
            buffer.limit(isDone ? end : length).position(length).compact();
            whole = 0;
        }
    }

    /** Cuts off a record of which a full disk took only a part, so that the file can be read to its end. */
    private void endBehindWhole(IOException failure) {
        if (channel instanceof FileChannel file) {
            try {
                if (file.size() > wholeFlushed) {
                    file.truncate(wholeFlushed);
                }
            } catch (IOException e) {
                failure.addSuppressed(e); // a device cannot be truncated
            }
        }
    }

    /** Returns the records that were written to the channel as a whole: after a failed write, those in the file. */
    long recordsFlushed() {
        return recordsFlushed;
    }

    /** Returns whether a write failed, so that everything after it is lost. */
    boolean hasFailed() {
        return failed;
    }

    private static UncheckedIOException failed(IOException e) {
        return new UncheckedIOException("writing a capture failed: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (WritableByteChannel _ = channel) {
            flush(buffer.position(), records);
        } catch (IOException e) {
            throw new UncheckedIOException("closing a capture failed: " + e.getMessage(), e);
        }
    }
}
