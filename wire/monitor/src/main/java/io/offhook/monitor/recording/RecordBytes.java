package io.offhook.monitor.recording;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Bytes being written: numbers in 7 bits a byte, the least significant first (LEB128), the rest little-endian. Grows. */
final class RecordBytes {
    private static final int FIRST = 1024;
    private static final int MORE = 0x80;
    private static final int BITS = 7;

    private byte[] bytes = new byte[FIRST];
    private int length;

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
    }

    RecordBytes u8(int value) {
        room(1);
        bytes[length++] = (byte) value;
        return this;
    }

    RecordBytes i64(long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            u8((int) (value >>> (i * Byte.SIZE)));
        }
        return this;
    }

    /** An unsigned number: 1 byte below 128, 10 at most. */
    RecordBytes number(long value) {
        long left = value;
        while ((left & -MORE) != 0) {
            u8((int) left | MORE);
            left >>>= BITS;
        }
        return u8((int) left);
    }

    /** A signed number, a small one in few bytes. */
    RecordBytes signed(long value) {
        return number(value << 1 ^ value >> (Long.SIZE - 1));
    }

    RecordBytes text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return number(utf8.length).bytes(utf8, 0, utf8.length);
    }

    RecordBytes bytes(byte[] from, int offset, int count) {
        room(count);
        System.arraycopy(from, offset, bytes, length, count);
        length += count;
        return this;
    }

    RecordBytes bytes(RecordBytes other) {
        return bytes(other.bytes, 0, other.length);
    }

    /** Appends a record with its checksum, as it stands in a file. */
    void record(int kind, RecordBytes payload) {
        int from = length;
        plainRecord(kind, payload);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, length - from);
        for (int i = 0; i < RecordKind.CHECKSUM_LENGTH; i++) {
            u8((int) (checksum.getValue() >>> (i * Byte.SIZE)));
        }
    }

    /** Appends a record without a checksum, as it stands in a packed one. */
    void plainRecord(int kind, RecordBytes payload) {
        u8(kind).number(payload.length).bytes(payload);
    }

    ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    byte[] array() {
        return Arrays.copyOf(bytes, length);
    }
}
