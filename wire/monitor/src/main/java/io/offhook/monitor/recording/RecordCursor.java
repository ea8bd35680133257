package io.offhook.monitor.recording;

import java.nio.charset.StandardCharsets;

/** Reads what {@link RecordBytes} wrote. Behind the end all is 0, and {@link #isShort} true: damage never throws. */
final class RecordCursor {
    private static final int BITS = 7;

    private final byte[] bytes;
    private final int end;
    private int at;
    private boolean isShort;

    RecordCursor(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Whether there is nothing more. */
    boolean isAtEnd() {
        return at >= end;
    }

    /** Whether more was read than is there. */
    boolean isShort() {
        return isShort;
    }

    int position() {
        return at;
    }

    int left() {
        return end - at;
    }

    void skip(int count) {
        if (count < 0 || count > left()) {
            isShort = true;
            at = end;
        } else {
            at += count;
        }
    }

    int u8() {
        if (at >= end) {
            isShort = true;
            return 0;
        }
        return bytes[at++] & 0xff;
    }

    long i64() {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value |= (long) u8() << (i * Byte.SIZE);
        }
        return value;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += BITS) {
            int next = u8();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        isShort = true; // longer than any number
        return 0;
    }

    /** A number that is not negative and fits an int; more is damage. */
    int count() {
        long value = number();
        if (value < 0 || value > Integer.MAX_VALUE) {
            isShort = true;
            return 0;
        }
        return (int) value;
    }

    long signed() {
        long value = number();
        return value >>> 1 ^ -(value & 1);
    }

    String text() {
        int length = count();
        if (length > left()) {
            isShort = true;
            return "";
        }
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }
}
