package io.offhook.packet.buffer;

import java.io.InputStream;
import java.util.Objects;

/** Reads a composite buffer, or a part of it, from front to back. */
final class CompositeInputStream extends InputStream {
    private final CompositeBuffer buffer;
    private final long end;
    private long position;
    private long mark;

    CompositeInputStream(CompositeBuffer buffer, long position, long end) {
        this.buffer = buffer;
        this.position = position;
        this.end = end;
        mark = position;
    }

    @Override
    public int read() {
        return position < end ? buffer.u8(position++) : -1;
    }

    @Override
    public int read(byte[] to, int index, int length) {
        Objects.checkFromIndexSize(index, length, to.length);
        if (length == 0) {
            return 0;
        }
        int part = (int) Math.min(length, end - position);
        if (part == 0) {
            return -1;
        }
        buffer.copyTo(position, to, index, part);
        position += part;
        return part;
    }

    @Override
    public long skip(long bytes) {
        long skipped = Math.max(0, Math.min(bytes, end - position));
        position += skipped;
        return skipped;
    }

    @Override
    public int available() {
        return (int) Math.min(end - position, Integer.MAX_VALUE);
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public synchronized void mark(int readLimit) {
        mark = position;
    }

    @Override
    public synchronized void reset() {
        position = mark;
    }
}
