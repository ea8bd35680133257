package io.offhook.pcap.file;

import io.offhook.packet.WrapStatus;
import io.offhook.pcap.PcapNgBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A block of a pcapng file (draft-ietf-opsawg-pcapng): its fixed fields, the location of its data, and its options.
 *
 * <pre>
 *                     at 8                 12                 16
 * section header      byte-order magic     version            section length (8)
 * interface           link type, reserved  snap length        options
 * enhanced packet     interface            time, high         time, low      captured (20) wire length (24) packet (28)
 * obsolete packet     interface, drops     time, high         time, low      captured (20) wire length (24) packet (28)
 * simple packet       wire length          packet
 * name resolution     records              ...                ...            options
 * statistics          interface            time, high         time, low      options (20)
 * decryption secrets  type of secrets      length             secrets        options
 * custom              enterprise number    data and options; only the vendor knows where one ends
 * </pre>
 *
 * <p>Numbers are in the byte order of the section. Fields of another block type are meaningless, but reading them never
 * leaves the block.
 *
 * <p>A borrowed window, reused and single-threaded; valid as long as the bytes that it was wrapped around.
 */
public final class PcapNgBlockView {
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int SECTION_OPTIONS = 24;
    private static final int INTERFACE_OPTIONS = 16;
    private static final int PACKET = 28;
    private static final int SIMPLE_PACKET = 12;
    private static final int STATISTICS_OPTIONS = 20;
    private static final int SECRETS = 16;
    private static final int CUSTOM_DATA = 12;
    private static final int DROPS_NOT_KNOWN = 0xffff;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private int type;
    /** The snap length of the interface, in bytes, which limits simple packets; 0 for none. */
    private long snapLength;
    /** The offset of the options from the block's start; the end of the body if the type has none. */
    private int optionsStart;

    private boolean isSound;

    /** Creates a view of nothing; {@link #wrap} must come first. */
    public PcapNgBlockView() {}

    /**
     * Wraps a block. MALFORMED if it is shorter than its type requires; then only type, length and the bytes are
     * meaningful.
     *
     * @param length the length of the whole block in bytes, a multiple of 4, at least 12
     * @param order the byte order of its section; a section header declares its own
     * @throws IndexOutOfBoundsException if the block is not inside the segment
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length, ByteOrder order) {
        return wrap(segment, offset, length, order, 0);
    }

    /**
     * As {@link #wrap(MemorySegment, long, int, ByteOrder)}, with the snap length that limits simple packets; 0 for
     * none.
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length, ByteOrder order, long snapLength) {
        if (length < PcapNgBlock.LEAST_LENGTH || (length & 3) != 0) {
            throw new IllegalArgumentException("length " + length + " is not a multiple of 4 of at least 12");
        }
        Objects.checkFromIndexSize(offset, length, segment.byteSize());
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        this.order = order;
        this.snapLength = snapLength;
        type = u32(0);
        if (type == PcapNgBlock.SECTION_HEADER) {
            boolean isLittle = segment.get(U32, offset + PcapNgBlock.HEADER) == PcapNgBlock.BYTE_ORDER_MAGIC;
            this.order = isLittle ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        }
        long start = optionsStart();
        int end = length - PcapNgBlock.TRAILER;
        optionsStart = (int) Math.min(start, end);
        isSound = start <= end;
        return isSound ? WrapStatus.OK : WrapStatus.MALFORMED;
    }

    private long optionsStart() {
        int end = length - PcapNgBlock.TRAILER;
        return switch (type) {
            case PcapNgBlock.SECTION_HEADER -> SECTION_OPTIONS;
            case PcapNgBlock.INTERFACE_DESCRIPTION -> INTERFACE_OPTIONS;
            case PcapNgBlock.ENHANCED_PACKET, PcapNgBlock.OBSOLETE_PACKET ->
                end < PACKET ? PACKET : PACKET + PcapNgBlock.padded(u32(20) & 0xffff_ffffL);
            case PcapNgBlock.SIMPLE_PACKET -> Math.max(end, SIMPLE_PACKET);
            case PcapNgBlock.NAME_RESOLUTION -> endOfNameRecords(end);
            case PcapNgBlock.INTERFACE_STATISTICS -> STATISTICS_OPTIONS;
            case PcapNgBlock.DECRYPTION_SECRETS ->
                end < SECRETS ? SECRETS : SECRETS + PcapNgBlock.padded(u32(12) & 0xffff_ffffL);
            case PcapNgBlock.CUSTOM, PcapNgBlock.CUSTOM_NOT_COPIED -> Math.max(end, CUSTOM_DATA);
            default -> end;
        };
    }

    private long endOfNameRecords(int end) {
        long at = PcapNgBlock.HEADER;
        while (end - at >= 4) {
            int record = u16((int) at);
            int size = u16((int) at + 2);
            at += 4 + (record == PcapNgOptionsView.END ? 0 : PcapNgBlock.padded(size));
            if (record == PcapNgOptionsView.END) {
                return at;
            }
        }
        return at;
    }

    /** Returns whether the block has everything that its type requires. */
    boolean isSound() {
        return isSound;
    }

    /** Returns its type, one of {@link PcapNgBlock} or any other number. */
    public int type() {
        return type;
    }

    /** Returns whether it is one of the three packet blocks. */
    public boolean isPacket() {
        return PcapNgBlock.isPacket(type);
    }

    /** Returns the segment that contains the block. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the offset of the block in the segment. */
    public long offset() {
        return offset;
    }

    /** Returns the length of the whole block in bytes. */
    public int length() {
        return length;
    }

    /** Returns the byte order of the section. */
    public ByteOrder order() {
        return order;
    }

    /** Returns the major version of the format, from a section header. */
    public int majorVersion() {
        return u16(12);
    }

    /** Returns the minor version of the format, 0 or 2, from a section header. */
    public int minorVersion() {
        return u16(14);
    }

    /** Returns the bytes of the section after its header, from a section header; -1 if not declared. */
    public long sectionLength() {
        return length < SECTION_OPTIONS + PcapNgBlock.TRAILER ? 0 : u64(16);
    }

    /** Returns the link type of an interface description, a {@link io.offhook.packet.LinkType} value. */
    public int linkType() {
        return u16(8);
    }

    /** Returns the snap length of an interface description, in bytes; 0 for no limit. */
    public long snapLength() {
        return u32(12) & 0xffff_ffffL;
    }

    /** Returns the interface of a packet or of statistics: its number in the section, from 0. */
    public long interfaceId() {
        return switch (type) {
            case PcapNgBlock.OBSOLETE_PACKET -> u16(8);
            case PcapNgBlock.SIMPLE_PACKET -> 0;
            default -> u32(8) & 0xffff_ffffL;
        };
    }

    /**
     * Returns the time of an enhanced or obsolete packet, or of statistics: 64 bits, unsigned, in the units of the
     * interface.
     */
    public long timestampUnits() {
        return type == PcapNgBlock.SIMPLE_PACKET ? 0 : (long) u32(12) << 32 | u32(16) & 0xffff_ffffL;
    }

    /** Returns the offset of a packet's bytes in the segment. */
    public long packetOffset() {
        return offset + (type == PcapNgBlock.SIMPLE_PACKET ? SIMPLE_PACKET : PACKET);
    }

    /** Returns the bytes of a packet that are present. */
    public int capturedLength() {
        if (type != PcapNgBlock.SIMPLE_PACKET) {
            return u32(20);
        }
        long wire = u32(8) & 0xffff_ffffL;
        long most = (long) length - SIMPLE_PACKET - PcapNgBlock.TRAILER;
        return (int) Math.min(Math.min(wire, snapLength == 0 ? wire : snapLength), most);
    }

    /** Returns the wire length of a packet in bytes, as declared by the block, unsigned. */
    public long wireLength() {
        return u32(type == PcapNgBlock.SIMPLE_PACKET ? 8 : 24) & 0xffff_ffffL;
    }

    /** Returns the packets lost before an obsolete packet, since the one before it; -1 if not declared. */
    public int drops() {
        int drops = u16(10);
        return type != PcapNgBlock.OBSOLETE_PACKET || drops == DROPS_NOT_KNOWN ? -1 : drops;
    }

    /** Returns the type of decryption secrets; 0x544c534b is a TLS key log. */
    public int secretsType() {
        return u32(8);
    }

    /**
     * Returns the offset in the segment of secrets, of the data of a custom block, or of the body of a block of any
     * other type.
     */
    public long dataOffset() {
        return offset
                + switch (type) {
                    case PcapNgBlock.DECRYPTION_SECRETS -> SECRETS;
                    case PcapNgBlock.CUSTOM, PcapNgBlock.CUSTOM_NOT_COPIED -> CUSTOM_DATA;
                    default -> PcapNgBlock.HEADER;
                };
    }

    /** Returns the number of bytes at {@link #dataOffset()}. */
    public int dataLength() {
        int end = length - PcapNgBlock.TRAILER;
        return switch (type) {
            case PcapNgBlock.DECRYPTION_SECRETS -> (int) Math.min(u32(12) & 0xffff_ffffL, Math.max(0, end - SECRETS));
            case PcapNgBlock.CUSTOM, PcapNgBlock.CUSTOM_NOT_COPIED -> Math.max(0, end - CUSTOM_DATA);
            default -> end - PcapNgBlock.HEADER;
        };
    }

    /** Returns the vendor of a custom block, an IANA private enterprise number. */
    public long enterpriseNumber() {
        return u32(8) & 0xffff_ffffL;
    }

    /** Puts another view before the first option; there may be none. */
    public void options(PcapNgOptionsView options) {
        options.start(segment, offset + optionsStart, offset + length - PcapNgBlock.TRAILER, order);
    }

    /** Puts another view before the first record of a name resolution block; records have the form of options. */
    public void nameRecords(PcapNgOptionsView records) {
        boolean isNames = type == PcapNgBlock.NAME_RESOLUTION;
        long start = offset + (isNames ? PcapNgBlock.HEADER : optionsStart);
        records.start(segment, start, offset + optionsStart, order);
    }

    /** Returns the offset of the options in the segment. */
    long optionsOffset() {
        return offset + optionsStart;
    }

    /** Returns the bytes of the options, including their end; 0 if there are none. */
    int optionsLength() {
        return length - PcapNgBlock.TRAILER - optionsStart;
    }

    private int u16(int at) {
        if (at + 2 > length) {
            return 0;
        }
        short value = segment.get(U16, offset + at);
        return (order == ByteOrder.LITTLE_ENDIAN ? value : Short.reverseBytes(value)) & 0xffff;
    }

    private int u32(int at) {
        if (at + 4 > length) {
            return 0;
        }
        int value = segment.get(U32, offset + at);
        return order == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private long u64(int at) {
        long value = segment.get(U64, offset + at);
        return order == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
    }

    @Override
    public String toString() {
        return "block of type 0x" + Integer.toHexString(type) + ", " + length + " bytes";
    }
}
