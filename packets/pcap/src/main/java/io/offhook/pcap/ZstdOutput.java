package io.offhook.pcap;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;

/** Compresses to Zstandard (RFC 8878), one frame with a checksum. Loads a native library when used. */
final class ZstdOutput {
    private ZstdOutput() {}

    static WritableByteChannel channel(WritableByteChannel target) throws IOException {
        return new CompressedOutput(
                new ZstdOutputStreamNoFinalizer(Channels.newOutputStream(target)).setChecksum(true), target);
    }
}
