package io.offhook.pcap.reader;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses Zstandard (RFC 8878), one or more frames. The only class that uses zstd-jni for reading; it loads the
 * native library.
 */
public final class ZstdChannel implements ReadableByteChannel {
    private final ReadableByteChannel inner;
    private final EndAwareStream compressed;
    private final ZstdInputStreamNoFinalizer decompressed;
    private final byte[] piece = new byte[64 << 10];

    /** Creates a channel that decompresses what it reads from {@code inner}, which is closed with it. */
    public ZstdChannel(ReadableByteChannel inner) throws IOException {
        this.inner = inner;
        compressed = new EndAwareStream(Channels.newInputStream(inner));
        decompressed = new ZstdInputStreamNoFinalizer(compressed);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int count;
        try {
            count = decompressed.read(piece, 0, Math.min(piece.length, target.remaining()));
        } catch (IOException e) {
            if (compressed.failure != null) {
                throw compressed.failure;
            }
            String what = compressed.ended ? "zstd data ends in the middle" : "zstd data is damaged: " + e.getMessage();
            throw new DamagedStreamException(what, compressed.ended);
        }
        if (count > 0) {
            target.put(piece, 0, count);
        }
        return count;
    }

    @Override
    public boolean isOpen() {
        return inner.isOpen();
    }

    @Override
    public void close() throws IOException {
        decompressed.close();
        inner.close();
    }

    /** Distinguishes a file that ends too early from one that is damaged or unreadable; zstd-jni reports both alike. */
    private static final class EndAwareStream extends InputStream {
        private final InputStream inner;
        private boolean ended;
        private @Nullable IOException failure;

        EndAwareStream(InputStream inner) {
            this.inner = inner;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            try {
                int count = inner.read(target, offset, length);
                ended |= count < 0;
                return count;
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }
}
