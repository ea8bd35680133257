package io.offhook.pcap;

import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A channel before a stream that compresses, which can be told to hand on all that it was given. */
final class CompressedOutput implements WritableByteChannel, Flushable {
    private static final int PIECE_BYTES = 64 << 10;

    private final OutputStream out;
    private final WritableByteChannel target;
    private final byte[] piece = new byte[PIECE_BYTES];
    private boolean isOpen = true;

    /**
     * @param out whose {@code flush} leaves nothing behind
     * @param target where it writes to; closed even where the end of the data cannot be written, as zstd-jni does not
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
