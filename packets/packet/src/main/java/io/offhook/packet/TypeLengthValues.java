package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * Options, attributes, tags, chunks: a list of elements that each have a type, a length and a value, one after the
 * other. Which bytes are which differs by protocol: see {@link Form}.
 *
 * <p>{@code while (list.next()) switch ((int) list.type()) ...}. Padding and the end mark are stepped over. An element
 * whose length cannot be, or which goes on after the end of the list, ends the iteration; {@link #isMalformed()} then
 * says so. A read outside of a value is 0.
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes.
 */
public final class TypeLengthValues {
    private static final int NONE = -1;
    /** Where the vendor is in an attribute of Diameter, from its start. */
    private static final int VENDOR = 8;

    private final Form form;
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private long next;
    private long end;
    private long type;
    private int header;
    private int size;
    private boolean isMalformed;
    private boolean isEnded;

    /** Creates an iterator; call {@code wrap} before {@code next}. */
    public TypeLengthValues(Form form) {
        this.form = form;
    }

    /** How an element begins. */
    public enum Form {
        /**
         * 8 bits of type, 8 of length, which counts both; 0 ends, 1 is one byte of padding (IPv4, RFC 791, 3.1; TCP).
         */
        IPV4_OPTIONS(1, 1, 1, true, 1, 1, 1, 0),
        /**
         * 8 bits of type, 8 of length, which counts the value; 0 is one byte of padding (RFC 8200, 4.2; RFC 6275; RFC
         * 8754).
         */
        IPV6_OPTIONS(1, 1, 1, false, 1, 1, 0, NONE),
        /** 8 bits of type, 8 of length, which counts units of 8 bytes, type and length too (RFC 4861, 4.6). */
        NEIGHBOR_OPTIONS(1, 1, 1, true, 8, 1, NONE, NONE),
        /** 8 bits of type, 8 of length, which counts the value; 0 is one byte of padding, 255 ends (RFC 2132, 2). */
        DHCP_OPTIONS(1, 1, 1, false, 1, 1, 0, 255),
        /** 16 bits of type, 16 of length, which counts the value (RFC 8415, 21.1). */
        DHCPV6_OPTIONS(2, 2, 2, false, 1, 1, NONE, NONE),
        /** 8 bits of type, 8 of length, which counts both (RFC 2865, 5). */
        RADIUS_ATTRIBUTES(1, 1, 1, true, 1, 1, NONE, NONE),
        /** 16 bits of type, 16 of length, which counts the value; 0 ends (RFC 2516, 5). */
        PPPOE_TAGS(2, 2, 2, false, 1, 1, NONE, 0),
        /** 7 bits of type, 9 of length, which counts the value; 0 ends (IEEE 802.1AB-2016, 8.4). */
        LLDP_TLVS(2, 0, 2, false, 1, 1, NONE, 0),
        /** 16 bits of type, 16 of length, which counts both (Cisco Discovery Protocol). */
        CDP_TLVS(2, 2, 2, true, 1, 1, NONE, NONE),
        /** 8 bits of type, 8 of flags, 16 of length, which counts all four; padded to 4 bytes (RFC 9260, 3.2). */
        SCTP_CHUNKS(1, 2, 2, true, 1, 4, NONE, NONE),
        /** 16 bits of class, 8 of type, 5 of length in units of 4 bytes, which counts the value (RFC 8926, 3.5). */
        GENEVE_OPTIONS(3, 3, 1, false, 4, 1, NONE, NONE),
        /** 16 bits of type, 16 of length, which counts the value, padded to 4 bytes (RFC 8489, 14). */
        STUN_ATTRIBUTES(2, 2, 2, false, 1, 4, NONE, NONE),
        /**
         * 32 bits of code, 8 of flags, 24 of length, which counts all, a vendor where bit 0 says so, too (RFC 6733,
         * 4.1).
         */
        DIAMETER_AVPS(4, 5, 3, true, 1, 4, NONE, NONE);

        private final int typeBytes;
        private final int lengthAt;
        private final int lengthBytes;
        private final boolean countsHeader;
        private final int unit;
        private final int alignment;
        private final int padding;
        private final int last;

        Form(
                int typeBytes,
                int lengthAt,
                int lengthBytes,
                boolean countsHeader,
                int unit,
                int alignment,
                int padding,
                int last) {
            this.typeBytes = typeBytes;
            this.lengthAt = lengthAt;
            this.lengthBytes = lengthBytes;
            this.countsHeader = countsHeader;
            this.unit = unit;
            this.alignment = alignment;
            this.padding = padding;
            this.last = last;
        }
    }

    /** Puts the iterator before the first element of a list of so many bytes. */
    public void wrap(MemorySegment segment, long offset, int length) {
        this.segment = segment;
        this.offset = offset;
        next = offset;
        end = offset + length;
        type = 0;
        header = 0;
        size = 0;
        isMalformed = false;
        isEnded = false;
    }

    /** Moves to the next element; false if there is none. */
    public boolean next() {
        offset = next;
        while (form.padding != NONE && offset < end && NetworkOrder.u8(segment, offset) == form.padding) {
            offset++;
        }
        if (offset >= end) {
            return stop(false);
        }
        if (isEnd()) {
            isEnded = true;
            return stop(false);
        }
        int fixed = form.lengthAt + form.lengthBytes;
        if (end - offset < fixed) {
            return stop(true);
        }
        type = read(offset, form.typeBytes);
        int length = (int) read(offset + form.lengthAt, form.lengthBytes);
        if (form == Form.LLDP_TLVS) {
            length = (int) type & 0x1ff;
            type >>>= 9;
        } else if (form == Form.GENEVE_OPTIONS) {
            length &= 0x1f;
        }
        boolean hasVendor =
                form == Form.DIAMETER_AVPS && (NetworkOrder.u8(segment, offset + form.typeBytes) & 0x80) != 0;
        header = fixed + (hasVendor ? 4 : 0);
        size = length * form.unit + (form.countsHeader ? 0 : header);
        if (size < header || size > end - offset) {
            return stop(true);
        }
        next = Math.min(end, offset + (size + form.alignment - 1 & -form.alignment));
        return true;
    }

    private boolean isEnd() {
        int bytes = form.typeBytes;
        return form.last != NONE && end - offset >= bytes && read(offset, bytes) == form.last;
    }

    private long read(long at, int bytes) {
        return switch (bytes) {
            case 1 -> NetworkOrder.u8(segment, at);
            case 2 -> NetworkOrder.u16(segment, at);
            case 3 -> NetworkOrder.u24(segment, at);
            default -> NetworkOrder.u32(segment, at);
        };
    }

    private boolean stop(boolean isMalformed) {
        this.isMalformed |= isMalformed;
        offset = end;
        next = end;
        type = 0;
        header = 0;
        size = 0;
        return false;
    }

    /** Whether the iteration ended on an element whose length cannot be. */
    public boolean isMalformed() {
        return isMalformed;
    }

    /** Whether the iteration ended on the list's end mark, and not where its bytes end. */
    public boolean isEnded() {
        return isEnded;
    }

    /** The type, as wide as in the form; 0 before the first element and after the last. */
    public long type() {
        return type;
    }

    /** The byte between type and length, of {@link Form#SCTP_CHUNKS} and {@link Form#DIAMETER_AVPS}; else 0. */
    public int flags() {
        return size > 0 && form.lengthAt > form.typeBytes ? NetworkOrder.u8(segment, offset + form.typeBytes) : 0;
    }

    /** Sets {@link #flags()}; 0 to 255. */
    public TypeLengthValues flags(int flags) {
        FieldRange.require("flags", size > 0 && form.lengthAt > form.typeBytes);
        FieldBits.put(segment, offset + form.typeBytes, 0, 8, "flags", flags);
        return this;
    }

    /** The vendor of an attribute that has one, of {@link Form#DIAMETER_AVPS}; else 0. */
    public long vendor() {
        return form == Form.DIAMETER_AVPS && header == 12 ? NetworkOrder.u32(segment, offset + VENDOR) : 0;
    }

    /** Sets {@link #vendor()}; 0 to 4294967295. */
    public TypeLengthValues vendor(long vendor) {
        FieldRange.require("vendor", form == Form.DIAMETER_AVPS && header == 12);
        FieldBits.put(segment, offset + VENDOR, 0, 32, "vendor", vendor);
        return this;
    }

    /** Where the element starts: its type. */
    public long offset() {
        return offset;
    }

    /** With type and length, in bytes. */
    public int length() {
        return size;
    }

    /** Where the bytes are that the list stands in. */
    public MemorySegment segment() {
        return segment;
    }

    /** The offset of the value in the segment. */
    public long valueOffset() {
        return offset + header;
    }

    /** Of the value, in bytes. */
    public int valueLength() {
        return size - header;
    }

    /** A byte of the value; 0 if it has none at that place. */
    public int u8(int inValue) {
        return has(inValue, 1) ? NetworkOrder.u8(segment, valueOffset() + inValue) : 0;
    }

    /** Two bytes of the value; 0 if it has them not. */
    public int u16(int inValue) {
        return has(inValue, 2) ? NetworkOrder.u16(segment, valueOffset() + inValue) : 0;
    }

    /** Four bytes of the value; 0 if it has them not. */
    public long u32(int inValue) {
        return has(inValue, 4) ? NetworkOrder.u32(segment, valueOffset() + inValue) : 0;
    }

    /** Eight bytes of the value, as they are; 0 if it has them not. */
    public long bits64(int inValue) {
        return has(inValue, 8) ? NetworkOrder.bits64(segment, valueOffset() + inValue) : 0;
    }

    private boolean has(int inValue, int bytes) {
        return inValue >= 0 && inValue <= valueLength() - bytes;
    }

    /**
     * Changes a byte of the value.
     *
     * @throws IllegalStateException if the value has none at that place
     */
    public TypeLengthValues u8(int inValue, int number) {
        require(inValue, 1);
        FieldRange.check("number", number, 0xff);
        NetworkOrder.putU8(segment, valueOffset() + inValue, number);
        return this;
    }

    /**
     * Changes two bytes of the value.
     *
     * @throws IllegalStateException if the value has none at that place
     */
    public TypeLengthValues u16(int inValue, int number) {
        require(inValue, 2);
        FieldRange.check("number", number, 0xffff);
        NetworkOrder.putU16(segment, valueOffset() + inValue, number);
        return this;
    }

    /**
     * Changes four bytes of the value.
     *
     * @throws IllegalStateException if the value has none at that place
     */
    public TypeLengthValues u32(int inValue, long number) {
        require(inValue, 4);
        FieldRange.check("number", number, 0xffff_ffffL);
        NetworkOrder.putU32(segment, valueOffset() + inValue, number);
        return this;
    }

    /**
     * Changes eight bytes of the value.
     *
     * @throws IllegalStateException if the value has none at that place
     */
    public TypeLengthValues bits64(int inValue, long number) {
        require(inValue, 8);
        NetworkOrder.putBits64(segment, valueOffset() + inValue, number);
        return this;
    }

    /**
     * Overwrites the element, type and length too, with a byte, which is its type from then on; no effect without an
     * element.
     *
     * @param octet 0 to 255
     */
    public void fill(int octet) {
        FieldRange.check("octet", octet, 0xff);
        for (int i = 0; i < size; i++) {
            NetworkOrder.putU8(segment, offset + i, octet);
        }
        type = size > 0 ? octet : type;
    }

    private void require(int inValue, int bytes) {
        if (!has(inValue, bytes)) {
            throw new IllegalStateException(
                    "the value has " + valueLength() + " bytes; " + bytes + " from offset " + inValue + " are needed");
        }
    }

    @Override
    public String toString() {
        return "type " + type + " of " + valueLength() + " bytes";
    }

    /** The value as text, for output. */
    public String text() {
        return AsciiText.text(segment(), valueOffset(), valueLength());
    }

    /** Reports the value's bytes, under that name. */
    public void bytes(String name, FieldVisitor to) {
        to.bytes(name, segment(), valueOffset(), valueLength());
    }
}
