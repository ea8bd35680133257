package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields at fixed offsets of a header, in the order in which they are reported. Immutable: each method returns a
 * layout with one more field.
 *
 * <pre>{@code
 * HeaderLayout.of(8).number("sourcePort", 0, 16).number("destinationPort", 2, 16).number("length", 4, 16)
 * }</pre>
 *
 * <p>Offsets are in bytes from the start of the header; bit 0 is the highest bit of a byte. For output: it creates
 * strings.
 */
public final class HeaderLayout {
    /** The layout of a header without fields at fixed offsets. */
    public static final HeaderLayout NONE = new HeaderLayout(0, List.of(), Integer.MAX_VALUE, 0, 0);

    private final int length;
    private final List<Field> fields;
    private final int malformedLength;
    private final int wholeFrom;
    private final int cutLength;

    private HeaderLayout(int length, List<Field> fields, int malformedLength, int wholeFrom, int cutLength) {
        this.length = length;
        this.fields = fields;
        this.malformedLength = malformedLength;
        this.wholeFrom = wholeFrom;
        this.cutLength = cutLength;
    }

    /** The form in which a value is reported. */
    public enum Form {
        /** A number, the highest byte first. */
        NUMBER,
        /** A whole byte in two's complement. */
        SIGNED,
        /** A number with the lowest byte first. */
        LITTLE,
        /** A bit. */
        FLAG,
        /** A MAC address. */
        MAC,
        /** An IPv4 address. */
        IPV4,
        /** An IPv6 address. */
        IPV6,
        /** Bytes, uninterpreted. */
        BYTES
    }

    /**
     * A field.
     *
     * @param name in camelCase
     * @param bitOffset of its first bit, from the header's start; bit 0 is the highest of the first byte
     * @param bits its width, 1 to 128
     * @param form how its value is reported
     */
    public record Field(String name, int bitOffset, int bits, Form form) {
        /** The offset of the first byte after the field. */
        public int end() {
            return bitOffset + bits + 7 >>> 3;
        }

        void visit(MemorySegment segment, long header, FieldVisitor to) {
            long at = header + (bitOffset >>> 3);
            switch (form) {
                case NUMBER -> to.number(name, value(segment, at));
                case SIGNED -> to.number(name, (byte) NetworkOrder.u8(segment, at));
                case LITTLE ->
                    to.number(name, bits == 16 ? LittleEndian.u16(segment, at) : LittleEndian.u32(segment, at));
                case FLAG -> to.flag(name, value(segment, at) != 0);
                case MAC -> to.mac(name, NetworkOrder.u48(segment, at));
                case IPV4 -> to.ipv4(name, NetworkOrder.u32(segment, at));
                case IPV6 -> to.ipv6(name, NetworkOrder.bits64(segment, at), NetworkOrder.bits64(segment, at + 8));
                case BYTES -> to.bytes(name, segment, at, bits >>> 3);
            }
        }

        /** Fields of numbers lie within 56 bits from the start of a byte. */
        private long value(MemorySegment segment, long at) {
            int lead = bitOffset & 7;
            int bytes = lead + bits + 7 >>> 3;
            long value = 0;
            for (int i = 0; i < bytes; i++) {
                value = value << 8 | NetworkOrder.u8(segment, at + i);
            }
            return value >>> 8 * bytes - lead - bits & (1L << bits) - 1;
        }
    }

    /**
     * A layout without fields yet.
     *
     * @param length bytes of the fixed header, 0 to 65535
     */
    public static HeaderLayout of(int length) {
        FieldRange.check("length", length, 0xffff);
        return new HeaderLayout(length, List.of(), Integer.MAX_VALUE, 0, 0);
    }

    /** Adds an unsigned number that starts with a byte; 1 to 56 bits wide. */
    public HeaderLayout number(String name, int at, int bits) {
        return bits(name, at, 0, bits);
    }

    /**
     * Adds an unsigned number that starts inside a byte.
     *
     * @param from its first bit, 0 for the highest of that byte
     * @param bits its width; together at most 56
     */
    public HeaderLayout bits(String name, int at, int from, int bits) {
        FieldRange.check(name + " ends at bit", from + bits, 1, 56);
        return with(new Field(name, 8 * at + from, bits, Form.NUMBER));
    }

    /** Adds a number with the lowest byte first, of 16 or 32 bits. */
    public HeaderLayout little(String name, int at, int bits) {
        FieldRange.checkMultiple(name + " bits", bits, 16, 32, 16);
        return with(new Field(name, 8 * at, bits, Form.LITTLE));
    }

    /** Adds a byte in two's complement. */
    public HeaderLayout signed(String name, int at) {
        return with(new Field(name, 8 * at, 8, Form.SIGNED));
    }

    /**
     * Adds a bit.
     *
     * @param bit 0 for the highest of that byte
     */
    public HeaderLayout flag(String name, int at, int bit) {
        FieldRange.check(name + " bit", bit, 7);
        return with(new Field(name, 8 * at + bit, 1, Form.FLAG));
    }

    /** Adds a MAC address. */
    public HeaderLayout mac(String name, int at) {
        return with(new Field(name, 8 * at, 48, Form.MAC));
    }

    /** Adds an IPv4 address. */
    public HeaderLayout ipv4(String name, int at) {
        return with(new Field(name, 8 * at, 32, Form.IPV4));
    }

    /** Adds an IPv6 address. */
    public HeaderLayout ipv6(String name, int at) {
        return with(new Field(name, 8 * at, 128, Form.IPV6));
    }

    /** Adds {@code count} uninterpreted bytes. */
    public HeaderLayout bytes(String name, int at, int count) {
        return with(new Field(name, 8 * at, 8 * count, Form.BYTES));
    }

    private HeaderLayout with(Field field) {
        if (field.bitOffset() < 0 || field.end() > length) {
            throw new IllegalArgumentException(field.name() + " of " + field.bits() + " bits at bit "
                    + field.bitOffset() + " does not fit in a header of " + length + " bytes");
        }
        List<Field> more = new ArrayList<>(fields);
        more.add(field);
        return new HeaderLayout(length, List.copyOf(more), malformedLength, wholeFrom, cutLength);
    }

    /** Limits a malformed header to the fields within its first {@code bytes} bytes. */
    public HeaderLayout whenMalformed(int bytes) {
        return new HeaderLayout(length, fields, bytes, wholeFrom, cutLength);
    }

    /** Limits a header cut off before byte {@code from} to the fields within its first {@code bytes} bytes. */
    public HeaderLayout whenCutBefore(int from, int bytes) {
        return new HeaderLayout(length, fields, malformedLength, from, bytes);
    }

    /** The length of the fixed header, in bytes. */
    public int length() {
        return length;
    }

    /** The fields in the order in which they are reported; unmodifiable. */
    public List<Field> fields() {
        return fields;
    }

    /** Reports the fields that lie completely within the captured part of the header. */
    public void visit(Layer layer, FieldVisitor to) {
        visit(layer.segment(), layer.offset(), layer.headerLength(), to);
    }

    /**
     * Reports the fields of a header that cannot be read as a whole.
     *
     * @param available the number of its bytes available
     * @param isMalformed whether a field in it is invalid; otherwise it is cut off
     */
    public void visitBroken(MemorySegment segment, long header, int available, boolean isMalformed, FieldVisitor to) {
        int readable = isMalformed
                ? Math.min(available, malformedLength)
                : available < wholeFrom ? Math.min(available, cutLength) : available;
        visit(segment, header, readable, to);
    }

    private void visit(MemorySegment segment, long header, int available, FieldVisitor to) {
        for (Field field : fields) {
            if (field.end() <= available) {
                field.visit(segment, header, to);
            }
        }
    }
}
