package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The options of a pcapng block, or the records of a name resolution block, one after the other
 * (draft-ietf-opsawg-pcapng, sections 3.5 and 4.5).
 *
 * <pre>
 *  0               16              32
 * +---------------+---------------+---------------- -
 * |      code     |     length    | value, padded to 32 bits
 * +---------------+---------------+---------------- -
 * </pre>
 *
 * <p>A borrowed window like the {@linkplain PcapNgBlockView block} that puts it in place. An option that extends
 * beyond its block ends them.
 */
public final class PcapNgOptionsView {
    /** The end of options, or of the records of a name resolution block. */
    public static final int END = 0;

    /** A comment, in the options of any block. */
    public static final int COMMENT = 1;

    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private MemorySegment segment = MemorySegment.NULL;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private long next;
    private long end;
    private int code;
    private long offset;
    private int length;

    /** Creates a view of nothing; {@link PcapNgBlockView#options} must come first. */
    public PcapNgOptionsView() {}

    void start(MemorySegment segment, long start, long end, ByteOrder order) {
        this.segment = segment;
        this.order = order;
        this.end = end;
        next = start;
        code = END;
        offset = start;
        length = 0;
    }

    /**
     * Moves to the next option.
     *
     * @return false if there is none
     */
    public boolean next() {
        if (end - next < 4) {
            return false;
        }
        int code = u16(next);
        int length = u16(next + 2);
        if (code == END || length > end - next - 4) {
            next = end;
            return false;
        }
        this.code = code;
        this.length = length;
        offset = next + 4;
        next = Math.min(end, offset + PcapNgBlock.padded(length));
        return true;
    }

    /** Returns its code, whose meaning depends on the type of the block. */
    public int code() {
        return code;
    }

    /** Returns the segment that contains the block. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the offset of its value in the segment. */
    public long offset() {
        return offset;
    }

    /** Returns the length of its value in bytes. */
    public int length() {
        return length;
    }

    /** Returns its value decoded as UTF-8. */
    public String text() {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns its first 8 bits, unsigned; 0 if it has none. */
    public int u8() {
        return length < 1 ? 0 : segment.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
    }

    /** Returns its first 32 bits, unsigned; 0 if it has fewer. */
    public long u32() {
        return length < 4 ? 0 : bits32(offset) & 0xffff_ffffL;
    }

    /** Returns its first 64 bits; 0 if it has fewer. */
    public long bits64() {
        if (length < 8) {
            return 0;
        }
        long value = segment.get(U64, offset);
        return order == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
    }

    /** Returns a time in the units of the interface, upper half first in either byte order; 0 if it has fewer bits. */
    public long timestampUnits() {
        return length < 8 ? 0 : (long) bits32(offset) << 32 | bits32(offset + 4) & 0xffff_ffffL;
    }

    private int u16(long at) {
        short value = segment.get(U16, at);
        return (order == ByteOrder.LITTLE_ENDIAN ? value : Short.reverseBytes(value)) & 0xffff;
    }

    private int bits32(long at) {
        int value = segment.get(U32, at);
        return order == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    @Override
    public String toString() {
        return "option " + code + ", " + length + " bytes";
    }
}
