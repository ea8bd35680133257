package io.offhook.testkit.traffic;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing row of bytes to write a packet or a file block into, by default in network order.
 *
 * <p>It is deliberately not built on the product's own readers and writers: a fault there must not hide in its test.
 * Single-threaded.
 */
public final class Octets {
    private final boolean little;
    private byte[] bytes;
    private int length;

    public Octets() {
        this(ByteOrder.BIG_ENDIAN, 256);
    }

    public Octets(ByteOrder order, int capacity) {
        little = order == ByteOrder.LITTLE_ENDIAN;
        bytes = new byte[Math.max(capacity, 16)];
    }

    public int length() {
        return length;
    }

    public Octets u8(int value) {
        require(value >= 0 && value <= 0xff, "u8", value);
        room(1);
        bytes[length++] = (byte) value;
        return this;
    }

    public Octets u16(int value) {
        require(value >= 0 && value <= 0xffff, "u16", value);
        return integer(value, 2);
    }

    public Octets u24(int value) {
        require(value >= 0 && value <= 0xffffff, "u24", value);
        return integer(value, 3);
    }

    public Octets u32(long value) {
        require(value >= 0 && value <= 0xffff_ffffL, "u32", value);
        return integer(value, 4);
    }

    /** All 64 bits of {@code value}. */
    public Octets u64(long value) {
        return integer(value, 8);
    }

    public Octets bytes(byte... more) {
        room(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
        return this;
    }

    public Octets bytes(byte[] from, int start, int count) {
        room(count);
        System.arraycopy(from, start, bytes, length, count);
        length += count;
        return this;
    }

    /** The text in UTF-8, without an end mark. */
    public Octets text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    public Octets zeros(int count) {
        room(count);
        Arrays.fill(bytes, length, length + count, (byte) 0);
        length += count;
        return this;
    }

    /** Zeros until the length is a multiple of {@code unit}. */
    public Octets padTo(int unit) {
        int over = length % unit;
        return over == 0 ? this : zeros(unit - over);
    }

    /** Overwrites two bytes that were written before. */
    public Octets setU16(int at, int value) {
        require(value >= 0 && value <= 0xffff && at >= 0 && at + 2 <= length, "u16", value);
        bytes[at] = (byte) (little ? value : value >>> 8);
        bytes[at + 1] = (byte) (little ? value >>> 8 : value);
        return this;
    }

    /** If there are at least {@code least} bytes, writes and clears them. */
    void drain(OutputStream out, int least) throws IOException {
        if (length >= least) {
            out.write(bytes, 0, length);
            length = 0;
        }
    }

    public byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }

    private Octets integer(long value, int size) {
        room(size);
        for (int i = 0; i < size; i++) {
            int shift = 8 * (little ? i : size - 1 - i);
            bytes[length + i] = (byte) (value >>> shift);
        }
        length += size;
        return this;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    private static void require(boolean holds, String type, long value) {
        if (!holds) {
            throw new IllegalArgumentException(value + " does not fit a " + type + " here");
        }
    }
}
