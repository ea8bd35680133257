package io.offhook.pcap.file;

import io.offhook.packet.WrapStatus;
import io.offhook.pcap.PcapNgBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A block of a pcapng file (draft-ietf-opsawg-pcapng): its fixed fields, where its data lies, and its options.
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
 * custom              enterprise number    data and options, of which only its maker knows where one ends
 * </pre>
 *
 * <p>Numbers are in the byte order of the section. Fields of a block of another type make no sense but stay within the
 * block, whatever is asked for.
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
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
    /** Bytes of the section's or interface's limit on what is captured of a packet, for simple packets; 0 for none. */
    private long snapLength;
    /** Where the options start, from the block's start; where there cannot be any, the end of the body. */
    private int optionsStart;

    private boolean isSound;

    /** A view on nothing yet: {@link #wrap} first. */
    public PcapNgBlockView() {}

    /**
     * Puts the view on a block. MALFORMED when its type asks for more than it holds: then nothing but type, length and
     * the bytes makes sense.
     *
     * @param length of the whole block, a multiple of 4, 12 or more
     * @param order of its section; a section header says its own
     * @throws IndexOutOfBoundsException when the block is not inside the segment
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length, ByteOrder order) {
        return wrap(segment, offset, length, order, 0);
    }

    /** As {@link #wrap(MemorySegment, long, int, ByteOrder)}, with the snap length that simple packets obey; 0 for none. */
    public WrapStatus wrap(MemorySegment segment, long offset, int length, ByteOrder order, long snapLength) {
        if (length < PcapNgBlock.LEAST_LENGTH || (length & 3) != 0) {
            throw new IllegalArgumentException("length " + length + " is no multiple of 4 from 12 up");
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

    /** Whether the block holds what its type asks for. */
    boolean isSound() {
        return isSound;
    }

    /** One of {@link PcapNgBlock}, or any other number. */
    public int type() {
        return type;
    }

    /** Whether it is one of the three kinds of packet block. */
    public boolean isPacket() {
        return PcapNgBlock.isPacket(type);
    }

    /** The segment that the block lies in. */
    public MemorySegment segment() {
        return segment;
    }

    /** Where it starts there. */
    public long offset() {
        return offset;
    }

    /** Of the whole block, in bytes. */
    public int length() {
        return length;
    }

    /** Byte order of the section. */
    public ByteOrder order() {
        return order;
    }

    /** Of a section header. */
    public int majorVersion() {
        return u16(12);
    }

    /** Of a section header: its format's minor version, 0 or 2. */
    public int minorVersion() {
        return u16(14);
    }

    /** Of a section header: bytes of the section behind it; -1 where it does not say. */
    public long sectionLength() {
        return length < SECTION_OPTIONS + PcapNgBlock.TRAILER ? 0 : u64(16);
    }

    /** Of an interface description: a {@link io.offhook.packet.LinkType} value. */
    public int linkType() {
        return u16(8);
    }

    /** Of an interface description: most bytes captured of a packet; 0 for no limit. */
    public long snapLength() {
        return u32(12) & 0xffff_ffffL;
    }

    /** The interface that a packet or statistics are of: its number in the section, from 0. */
    public long interfaceId() {
        return switch (type) {
            case PcapNgBlock.OBSOLETE_PACKET -> u16(8);
            case PcapNgBlock.SIMPLE_PACKET -> 0;
            default -> u32(8) & 0xffff_ffffL;
        };
    }

    /** Of an enhanced or obsolete packet, or statistics: 64 bits, unsigned, in the units of the interface. */
    public long timestampUnits() {
        return type == PcapNgBlock.SIMPLE_PACKET ? 0 : (long) u32(12) << 32 | u32(16) & 0xffff_ffffL;
    }

    /** Where a packet's bytes are, in the segment. */
    public long packetOffset() {
        return offset + (type == PcapNgBlock.SIMPLE_PACKET ? SIMPLE_PACKET : PACKET);
    }

    /** Bytes of a packet that are there. */
    public int capturedLength() {
        if (type != PcapNgBlock.SIMPLE_PACKET) {
            return u32(20);
        }
        long wire = u32(8) & 0xffff_ffffL;
        long most = (long) length - SIMPLE_PACKET - PcapNgBlock.TRAILER;
        return (int) Math.min(Math.min(wire, snapLength == 0 ? wire : snapLength), most);
    }

    /** Bytes that a packet had on the wire, as the block says: unsigned. */
    public long wireLength() {
        return u32(type == PcapNgBlock.SIMPLE_PACKET ? 8 : 24) & 0xffff_ffffL;
    }

    /** Of an obsolete packet: packets lost since the one before; -1 where it does not say. */
    public int drops() {
        int drops = u16(10);
        return type != PcapNgBlock.OBSOLETE_PACKET || drops == DROPS_NOT_KNOWN ? -1 : drops;
    }

    /** Of decryption secrets: what they are for, 0x544c534b for a TLS key log. */
    public int secretsType() {
        return u32(8);
    }

    /** Where secrets, the data of a custom block, or the body of a block of any other type are, in the segment. */
    public long dataOffset() {
        return offset
                + switch (type) {
                    case PcapNgBlock.DECRYPTION_SECRETS -> SECRETS;
                    case PcapNgBlock.CUSTOM, PcapNgBlock.CUSTOM_NOT_COPIED -> CUSTOM_DATA;
                    default -> PcapNgBlock.HEADER;
                };
    }

    /** Bytes of what is at {@link #dataOffset()}. */
    public int dataLength() {
        int end = length - PcapNgBlock.TRAILER;
        return switch (type) {
            case PcapNgBlock.DECRYPTION_SECRETS -> (int) Math.min(u32(12) & 0xffff_ffffL, Math.max(0, end - SECRETS));
            case PcapNgBlock.CUSTOM, PcapNgBlock.CUSTOM_NOT_COPIED -> Math.max(0, end - CUSTOM_DATA);
            default -> end - PcapNgBlock.HEADER;
        };
    }

    /** Of a custom block: its maker, by the numbers of IANA. */
    public long enterpriseNumber() {
        return u32(8) & 0xffff_ffffL;
    }

    /** Puts another view before the options, of which there may be none. */
    public void options(PcapNgOptionsView options) {
        options.start(segment, offset + optionsStart, offset + length - PcapNgBlock.TRAILER, order);
    }

    /** Puts another view before the records of a name resolution block, which have the form of options. */
    public void nameRecords(PcapNgOptionsView records) {
        boolean isNames = type == PcapNgBlock.NAME_RESOLUTION;
        long start = offset + (isNames ? PcapNgBlock.HEADER : optionsStart);
        records.start(segment, start, offset + optionsStart, order);
    }

    /** Where options start, in the segment. */
    long optionsOffset() {
        return offset + optionsStart;
    }

    /** Bytes of options, the end of them included; 0 without any. */
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
