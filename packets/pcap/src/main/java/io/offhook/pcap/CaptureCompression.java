package io.offhook.pcap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** The compression of a capture file. When reading, the first bytes of the file decide; when writing, its name. */
public enum CaptureCompression {
    /** Not compressed. */
    NONE("none"),
    /** One or more gzip members (RFC 1952). */
    GZIP("gzip"),
    /** One or more Zstandard frames (RFC 8878). */
    ZSTD("zstd");

    private static final int BUFFER_BYTES = 64 << 10;

    private final String label;

    CaptureCompression(String label) {
        this.label = label;
    }

    /** Returns its name in JSON and text output. */
    public String label() {
        return label;
    }

    /**
     * Returns the compression that the end of a file name selects: {@code .gz} or {@code .zst}, in upper or lower case.
     */
    public static CaptureCompression ofName(String fileName) {
        String name = fileName.toLowerCase(Locale.ROOT);
        return name.endsWith(".gz") ? GZIP : name.endsWith(".zst") || name.endsWith(".zstd") ? ZSTD : NONE;
    }

    /**
     * Returns a channel that compresses what is written to it and passes it on to another. Closing it writes the end of
     * the compressed data and closes the other.
     *
     * @throws UncheckedIOException when compression cannot start; the other channel is then closed
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
