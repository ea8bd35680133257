package io.offhook.pcap;

import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A channel in front of a compressing stream; flushing it passes on everything written so far. */
final class CompressedOutput implements WritableByteChannel, Flushable {
    private static final int PIECE_BYTES = 64 << 10;

    private final OutputStream out;
    private final WritableByteChannel target;
    private final byte[] piece = new byte[PIECE_BYTES];
    private boolean isOpen = true;

    /**
     * @param out a stream whose {@code flush} leaves nothing behind
     * @param target the channel it writes to; closed here even if the end of the data cannot be written, because
     *     zstd-jni does not close it then
     */
    CompressedOutput(OutputStream out, WritableByteChannel target) {
        this.out = out;
        this.target = target;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int count = source.remaining();
        while (source.hasRemaining()) {
            int length = Math.min(source.remaining(), piece.length);
            source.get(piece, 0, length);
            out.write(piece, 0, length);
        }
        return count;
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public void close() throws IOException {
        isOpen = false;
        try (target) {
            out.close();
        }
    }
}
