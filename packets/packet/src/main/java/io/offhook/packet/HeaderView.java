package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * A borrowed window on one header: reusable, single-threaded, and valid only as long as the wrapped bytes. The
 * library's views extend it, and so may those of a program.
 *
 * <p>Setters write in place. They reject a value that the field cannot hold, and change nothing else, not even a
 * checksum; see {@link io.offhook.packet}. They fail on a read-only segment. After setting a type, a flag or a length,
 * wrap again.
 *
 * @param <V> the view's own class, which its setters return
 */
public abstract class HeaderView<V extends HeaderView<V>> implements View {
    /** The segment that holds the header. */
    protected MemorySegment segment = MemorySegment.NULL;
    /** The offset of the header in the segment. */
    protected long offset;
    /** The number of bytes available from the offset. */
    protected int length;
    /** The length of the header as wrapped, in bytes; at most {@link #length}. */
    protected int headerLength;

    /** Creates a view of nothing. */
    protected HeaderView() {}

    /**
     * Wraps a header whose fields have been checked: TRUNCATED, leaving the view as it is, if it is longer than what is
     * available.
     *
     * @param length the number of bytes available from {@code offset}
     * @param headerLength the number of bytes that the accessors need
     */
    protected final WrapStatus wrap(MemorySegment segment, long offset, int length, int headerLength) {
        if (length < headerLength) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        this.headerLength = headerLength;
        return WrapStatus.OK;
    }

    /** An unsigned byte, {@code at} bytes from the start of the header. */
    protected final int u8(int at) {
        return NetworkOrder.u8(segment, offset + at);
    }

    /** An unsigned number of 16 bits, {@code at} bytes from the start of the header. */
    protected final int u16(int at) {
        return NetworkOrder.u16(segment, offset + at);
    }

    /** An unsigned number of 24 bits, {@code at} bytes from the start of the header. */
    protected final int u24(int at) {
        return NetworkOrder.u24(segment, offset + at);
    }

    /** An unsigned number of 32 bits, {@code at} bytes from the start of the header. */
    protected final long u32(int at) {
        return NetworkOrder.u32(segment, offset + at);
    }

    /** An unsigned number of 48 bits, {@code at} bytes from the start of the header. */
    protected final long u48(int at) {
        return NetworkOrder.u48(segment, offset + at);
    }

    /** 64 bits as they are, {@code at} bytes from the start of the header. */
    protected final long bits64(int at) {
        return NetworkOrder.bits64(segment, offset + at);
    }

    /** Sets a byte; a value outside 0 to 255 is an {@link IllegalArgumentException} that names the field. */
    protected final V putU8(int at, String field, int value) {
        FieldRange.check(field, value, 0xff);
        NetworkOrder.putU8(segment, offset + at, value);
        return self();
    }

    /** Sets two bytes; a value outside 0 to 65535 is an {@link IllegalArgumentException} that names the field. */
    protected final V putU16(int at, String field, int value) {
        FieldRange.check(field, value, 0xffff);
        NetworkOrder.putU16(segment, offset + at, value);
        return self();
    }

    /** Sets three bytes; a value outside 0 to 16777215 is an {@link IllegalArgumentException} that names the field. */
    protected final V putU24(int at, String field, int value) {
        FieldRange.check(field, value, 0xff_ffff);
        NetworkOrder.putU24(segment, offset + at, value);
        return self();
    }

    /** Sets four bytes; a value outside 0 to 4294967295 is an {@link IllegalArgumentException} that names the field. */
    protected final V putU32(int at, String field, long value) {
        FieldRange.check(field, value, 0xffff_ffffL);
        NetworkOrder.putU32(segment, offset + at, value);
        return self();
    }

    /** Sets six bytes; a value of more than 48 bits is an {@link IllegalArgumentException} that names the field. */
    protected final V putU48(int at, String field, long value) {
        FieldRange.check(field, value, 0xffff_ffff_ffffL);
        NetworkOrder.putU48(segment, offset + at, value);
        return self();
    }

    /** Sets eight bytes. */
    protected final V putBits64(int at, long value) {
        NetworkOrder.putBits64(segment, offset + at, value);
        return self();
    }

    /**
     * Sets a field that starts or ends inside a byte; a value that it cannot hold is an {@link
     * IllegalArgumentException} that names the field.
     *
     * @param from its first bit, 0 for the highest of byte {@code at}
     * @param bits its width, 1 to 48
     */
    protected final V putBits(int at, int from, int bits, String field, long value) {
        FieldBits.put(segment, offset, 8 * at + from, bits, field, value);
        return self();
    }

    /**
     * Sets a flag.
     *
     * @param bit 0 for the highest of byte {@code at}
     */
    protected final V putFlag(int at, int bit, boolean value) {
        FieldBits.put(segment, offset, 8 * at + bit, value);
        return self();
    }

    /**
     * Sets a field with the lowest byte first; a value that it cannot hold is an {@link IllegalArgumentException} that
     * names the field.
     *
     * @param bits its width, 16, 32 or 64
     */
    protected final V putLittle(int at, int bits, String field, long value) {
        LittleEndian.put(segment, offset + at, bits, field, value);
        return self();
    }

    /**
     * Sets a byte in two's complement; a value outside -128 to 127 is an {@link IllegalArgumentException} that names
     * the field.
     */
    protected final V putSigned(int at, String field, int value) {
        FieldRange.check(field, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
        NetworkOrder.putU8(segment, offset + at, value);
        return self();
    }

    @SuppressWarnings("unchecked") // each view names its own class
    private V self() {
        return (V) this;
    }
}
