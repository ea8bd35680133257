package io.offhook.decrypt;

import io.offhook.calls.StreamReport;
import io.offhook.packet.Endpoint;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keys of SRTP from a file: each line says of which streams, the suite, and the key as a=crypto has it (RFC 4568, 9.2).
 * docs/DECRYPTION.md describes it.
 *
 * <pre>
 * # of the stream with an SSRC, of those from or to an address, of those of a Call-ID, of all
 * ssrc 0x1f2e3d4c        AES_CM_128_HMAC_SHA1_80  inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj
 * at   192.0.2.1:49170   AEAD_AES_128_GCM         inline:...
 * call a84b4c76e66710    AES_CM_128_HMAC_SHA1_32  inline:...
 * any                    AES_CM_128_HMAC_SHA1_80  inline:...
 * </pre>
 *
 * <p>Thread-safe once read. Close it to overwrite the keys.
 */
final class SrtpKeys implements AutoCloseable {
    private static final long MOST_BYTES = 16L << 20;
    private static final int MOST_LINES = 100_000;
    /** Of the first word of a line: a longer one may be a key, of which no string is made. */
    private static final int LONGEST_KIND = 4;

    private final SecretMemory memory = new SecretMemory();
    private final List<Line> lines = new ArrayList<>();
    private final @Nullable SrtpKeys besides;

    /** For which streams a line is: one of the first three, or all. */
    private record Line(
            @Nullable Long ssrc,
            @Nullable Endpoint at,
            @Nullable String callId,
            List<SrtpKey> keys) {
        boolean isOf(Media media) {
            if (ssrc != null) {
                return ssrc == media.ssrc;
            }
            if (at != null) {
                return at.equals(media.source) || at.equals(media.destination);
            }
            return callId == null || callId.equals(media.callId);
        }
    }

    /** What keys are asked for: the RTP of a sender, or its RTCP. */
    record Media(
            long ssrc,
            Endpoint source,
            Endpoint destination,
            @Nullable String callId) {}

    private SrtpKeys(@Nullable SrtpKeys besides) {
        this.besides = besides;
    }

    /** None yet, and after its own the keys of another one, which stays open as long as this. */
    static SrtpKeys besides(@Nullable SrtpKeys other) {
        return new SrtpKeys(other);
    }

    /** Whether a line begins as those with keys of SRTP do. */
    static boolean isKind(KeyText word) {
        return word.length() <= LONGEST_KIND
                && switch (word.text().toLowerCase(Locale.ROOT)) {
                    case "ssrc", "at", "call", "any" -> true;
                    default -> false;
                };
    }

    /** How many lines it has of its own. */
    int count() {
        return lines.size();
    }

    /**
     * Reads a file.
     *
     * @throws KeyFileException if it cannot be read, or for its first line that is not understood
     */
    static SrtpKeys read(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            long size = channel.size();
            if (size > MOST_BYTES) {
                throw new KeyFileException("SRTP keys in " + file + ": " + size + " bytes are more than " + MOST_BYTES);
            }
            MemorySegment bytes = arena.allocate(Math.max(1, size));
            try {
                ByteBuffer buffer = bytes.asByteBuffer();
                int read = 0;
                while (buffer.hasRemaining() && read >= 0) {
                    read = channel.read(buffer);
                }
                return parse(new KeyText(bytes, 0, buffer.position()), file);
            } finally {
                bytes.fill((byte) 0);
            }
        } catch (IOException e) {
            throw new KeyFileException("SRTP keys in " + file + " cannot be read: " + e.getMessage());
        }
    }

    private static SrtpKeys parse(KeyText text, Path file) {
        SrtpKeys keys = new SrtpKeys(null);
        int number = 0;
        try {
            while (!text.isEmpty()) {
                number++;
                KeyText line = text.line();
                line.skipBlanks();
                if (line.isEmpty() || line.peek() == '#') {
                    continue;
                }
                String fault = number > MOST_LINES ? "more lines than " + MOST_LINES : keys.add(line);
                if (fault != null) {
                    throw new KeyFileException("SRTP keys in " + file + ", line " + number + ": " + fault);
                }
            }
            return keys;
        } catch (KeyFileException e) {
            keys.close();
            throw e;
        }
    }

    /** Adds a line; returns what is wrong with it, or null. */
    @Nullable
    String add(KeyText line) {
        String kind = line.word().text().toLowerCase(Locale.ROOT);
        Long ssrc = null;
        Endpoint at = null;
        String callId = null;
        switch (kind) {
            case "ssrc" -> ssrc = ssrc(line.word().text());
            case "at" -> at = Endpoint.parse(line.word().text());
            case "call" -> callId = line.word().text();
            case "any" -> {
                // no restriction
            }
            default -> {
                return "the first word is none of ssrc, at, call and any";
            }
        }
        if (kind.equals("ssrc") && ssrc == null) {
            return "the SSRC is no number of 32 bits, decimal or with 0x";
        }
        if (kind.equals("at") && at == null) {
            return "the address is not of the form 192.0.2.1:4000 or [2001:db8::1]:4000";
        }
        List<SrtpKey> keys = SrtpKeyText.keys(line, memory);
        if (keys.isEmpty()) {
            return "suite or key is not understood: a suite of RFC 4568, 6188 or 7714, then inline: with a key and"
                    + " salt of its length in base64, no key derivation rate";
        }
        lines.add(new Line(ssrc, at, callId, keys));
        return null;
    }

    private static @Nullable Long ssrc(String text) {
        try {
            long value = Long.decode(text);
            return value < 0 || value > 0xffff_ffffL ? null : value;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Adds the keys that a stream may have. */
    void of(StreamReport stream, List<SrtpKey> to) {
        of(new Media(stream.ssrc(), stream.source(), stream.destination(), stream.callId()), to);
    }

    /** Adds the keys that media may have. */
    void of(Media media, List<SrtpKey> to) {
        for (Line line : lines) {
            if (line.isOf(media)) {
                to.addAll(line.keys);
            }
        }
        if (besides != null) {
            besides.of(media, to);
        }
    }

    @Override
    public void close() {
        memory.close();
        lines.clear();
    }

    /** "SRTP keys in 3 lines". */
    @Override
    public String toString() {
        return "SRTP keys in " + lines.size() + " lines";
    }
}
