package io.offhook.monitor.recording;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Goes through the records of a file, those in packed ones too, up to its end or to the first that is incomplete or damaged.
 * Memory: one record.
 */
final class RecordScan {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MOST_NUMBER_BYTES = 5;

    private final RecordHandler handler;
    private long wholeBytes;
    private boolean isWhole = true;

    /** Takes a record. */
    interface RecordHandler {
        /**
         * A record; its bytes are valid until this returns.
         *
         * @param kind as {@link RecordKind} numbers them, also one that this version does not know
         */
        void record(int kind, RecordCursor payload) throws IOException;
    }

    private RecordScan(RecordHandler handler) {
        this.handler = handler;
    }

    /**
     * How far it came.
     *
     * @param wholeBytes up to the end of the last whole record
     * @param isWhole whether that is the end of the file
     */
    record Extent(long wholeBytes, boolean isWhole) {}

    /** @throws RecordingException if the file is no recording, or that of a newer version */
    static Extent of(Path file, RecordHandler handler) throws IOException {
        return of(file, Long.MAX_VALUE, handler);
    }

    /**
     * As {@link #of(Path, RecordHandler)}, up to a place.
     *
     * @param endBytes the end of a record, or more than there is
     */
    static Extent of(Path file, long endBytes, RecordHandler handler) throws IOException {
        RecordScan scan = new RecordScan(handler);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
            scan.header(in, file);
            while (scan.isWhole && scan.wholeBytes < endBytes && scan.record(in)) {
                // the next one
            }
        }
        return new Extent(scan.wholeBytes, scan.isWhole);
    }

    private void header(InputStream in, Path file) throws IOException {
        byte[] header = in.readNBytes(RecordKind.HEADER_LENGTH);
        if (header.length < RecordKind.HEADER_LENGTH
                || !Arrays.equals(header, 0, RecordKind.MAGIC.length, RecordKind.MAGIC, 0, RecordKind.MAGIC.length)) {
            throw new RecordingException(
                    file + " is no recording of threads; those are written by offhook threads --record");
        }
        RecordCursor cursor = new RecordCursor(header, RecordKind.MAGIC.length, header.length);
        int version = cursor.u8() | cursor.u8() << Byte.SIZE;
        int length = cursor.u8() | cursor.u8() << Byte.SIZE;
        if (version > RecordKind.VERSION) {
            throw new RecordingException(file + " is a recording of version " + version
                    + ", and this Offhook reads those up to version " + RecordKind.VERSION
                    + "; read it with the Offhook that wrote it, or a newer one");
        }
        in.skipNBytes(Math.max(0, length - RecordKind.HEADER_LENGTH));
        wholeBytes = length;
    }

    /** @return false at the end */
    private boolean record(InputStream in) throws IOException {
        int kind = in.read();
        if (kind < 0) {
            return false;
        }
        byte[] head = new byte[1 + MOST_NUMBER_BYTES];
        int headLength = 0;
        head[headLength++] = (byte) kind;
        int next;
        do {
            next = in.read();
            if (next < 0 || headLength == head.length) {
                isWhole = false;
                return false;
            }
            head[headLength++] = (byte) next;
        } while (next > Byte.MAX_VALUE);
        int length = new RecordCursor(head, 1, headLength).count();
        if (length > RecordKind.MOST_BYTES) {
            isWhole = false;
            return false;
        }
        byte[] payload = in.readNBytes(length);
        byte[] checksum = in.readNBytes(RecordKind.CHECKSUM_LENGTH);
        isWhole = payload.length == length
                && checksum.length == RecordKind.CHECKSUM_LENGTH
                && isRight(head, headLength, payload, checksum);
        if (isWhole) {
            handle(kind, payload, 0, payload.length);
            wholeBytes += headLength + length + checksum.length;
        }
        return isWhole;
    }

    private static boolean isRight(byte[] head, int headLength, byte[] payload, byte[] checksum) {
        CRC32C computed = new CRC32C();
        computed.update(head, 0, headLength);
        computed.update(payload);
        long stored = 0;
        for (int i = 0; i < checksum.length; i++) {
            stored |= (checksum[i] & 0xffL) << (i * Byte.SIZE);
        }
        return stored == computed.getValue();
    }

    private void handle(int kind, byte[] bytes, int from, int end) throws IOException {
        if (kind == RecordKind.PACKED) {
            unpack(bytes, from, end);
        } else {
            handler.record(kind, new RecordCursor(bytes, from, end));
        }
    }

    private void unpack(byte[] bytes, int from, int end) throws IOException {
        RecordCursor packed = new RecordCursor(bytes, from, end);
        int length = packed.count();
        byte[] plain = length > RecordKind.MOST_BYTES ? new byte[0] : new byte[length];
        if (packed.isShort() || plain.length != length || !inflate(bytes, packed.position(), end, plain)) {
            isWhole = false;
            return;
        }
        RecordCursor cursor = new RecordCursor(plain, 0, plain.length);
        while (isWhole && !cursor.isAtEnd()) {
            int kind = cursor.u8();
            int size = cursor.count();
            int begin = cursor.position();
            cursor.skip(size);
            if (cursor.isShort() || kind == RecordKind.PACKED) {
                isWhole = false; // packed ones are not in packed ones
            } else {
                handle(kind, plain, begin, begin + size);
            }
        }
    }

    private static boolean inflate(byte[] bytes, int from, int end, byte[] to) {
        try (Inflater inflater = new Inflater(true)) {
            inflater.setInput(bytes, from, end - from);
            int length = 0;
            while (length < to.length) {
                int more = inflater.inflate(to, length, to.length - length);
                if (more == 0) {
                    return false;
                }
                length += more;
            }
            return true;
        } catch (DataFormatException e) {
            return false;
        }
    }
}
