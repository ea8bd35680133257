package io.offhook.pcap;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;

/** Compresses to Zstandard (RFC 8878), one frame with a checksum. As {@link ZstdChannel}, loads a native library when used. */
final class ZstdOutput {
    private ZstdOutput() {}

    static WritableByteChannel channel(WritableByteChannel target) throws IOException {
        ZstdOutputStreamNoFinalizer compressed = new ZstdOutputStreamNoFinalizer(Channels.newOutputStream(target));
        return Channels.newChannel(new ClosingStream(compressed.setChecksum(true), target));
    }

    /** Closes the target even where the end of the data cannot be written, which zstd-jni leaves open then. */
    private static final class ClosingStream extends OutputStream {
        private final OutputStream compressed;
        private final WritableByteChannel target;

        ClosingStream(OutputStream compressed, WritableByteChannel target) {
            this.compressed = compressed;
            this.target = target;
        }

        @Override
        public void write(int octet) throws IOException {
            compressed.write(octet);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            compressed.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            try (target) {
                compressed.close();
            }
        }
    }
}
