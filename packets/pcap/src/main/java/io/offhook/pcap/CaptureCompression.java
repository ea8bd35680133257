package io.offhook.pcap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** What a capture file is wrapped in: of one that is read, its first bytes tell; of one that is written, its name. */
public enum CaptureCompression {
    /** As it is. */
    NONE("none"),
    /** One or many gzip members (RFC 1952). */
    GZIP("gzip"),
    /** One or many Zstandard frames (RFC 8878). */
    ZSTD("zstd");

    private static final int BUFFER_BYTES = 64 << 10;

    private final String label;

    CaptureCompression(String label) {
        this.label = label;
    }

    /** What JSON and text output call it. */
    public String label() {
        return label;
    }

    /** The compression that a name asks for by its end, {@code .gz} or {@code .zst}; in upper or lower case. */
    public static CaptureCompression ofName(String fileName) {
        String name = fileName.toLowerCase(Locale.ROOT);
        return name.endsWith(".gz") ? GZIP : name.endsWith(".zst") || name.endsWith(".zstd") ? ZSTD : NONE;
    }

    /**
     * A channel that compresses what is written to it, and hands it on to another. Closing it writes the end of the
     * compressed data and closes the other.
     *
     * @throws UncheckedIOException where compression cannot start; the other channel is closed then
     */
    public WritableByteChannel compress(WritableByteChannel target) {
        try {
            return switch (this) {
                case NONE -> target;
                case GZIP ->
                    new CompressedOutput(
                            new GZIPOutputStream(Channels.newOutputStream(target), BUFFER_BYTES, true), target);
                case ZSTD -> ZstdOutput.channel(target);
            };
        } catch (IOException | LinkageError e) {
            try {
                target.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            String message = "compression with " + label + " cannot start: " + e.getMessage();
            throw new UncheckedIOException(message, new IOException(message, e));
        }
    }
}
