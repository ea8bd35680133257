package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * A GRE header (RFC 2784, RFC 2890; routing: RFC 1701; version 1, of PPTP: RFC 2637, 4.1). Which fields there are, the
 * flags say; those that are not there read 0.
 *
 * <pre>
 *  0 1 2 3 4      8 9      13 16              32
 * +-+-+-+-+-----+-+--------+--+--------------+
 * |C|R|K|S|     |A|        |v.|   protocol   |
 * +-+-+-+-+-----+-+--------+--+--------------+
 * | checksum (C or R)      | offset          |
 * +------------------------+-----------------+
 * | key (K); version 1: length and call id   |
 * +------------------------------------------+
 * | sequence number (S)                      |
 * +------------------------------------------+
 * | acknowledgment number (A, version 1)     |
 * +------------------------------------------+
 * | routing entries (R) ...
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on.
 */
public final class GreView implements LayerView {
    public static final int MIN_LENGTH = 4;

    private static final int FLAGS = 0;
    private static final int PROTOCOL = 2;
    private static final int FLAG_CHECKSUM = 0x8000;
    private static final int FLAG_ROUTING = 0x4000;
    private static final int FLAG_KEY = 0x2000;
    private static final int FLAG_SEQUENCE = 0x1000;
    private static final int FLAG_ACKNOWLEDGMENT = 0x0080;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private int headerLength;

    /** A view on nothing yet: {@link #wrap} first. */
    public GreView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.GRE;
    }

    /**
     * Puts the view on a header: TRUNCATED when there are fewer bytes than its flags ask for, UNSUPPORTED when its version
     * is above 1.
     *
     * @param length bytes that are there from {@code offset} on
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if ((NetworkOrder.u16(segment, offset + FLAGS) & 7) > 1) {
            return WrapStatus.UNSUPPORTED;
        }
        int header = headerLength(segment, offset, length);
        if (length < header) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        headerLength = header;
        return WrapStatus.OK;
    }

    /**
     * Bytes of the header, or, when that goes on after the {@code length} bytes (4 or more) that are there, a number
     * above it.
     */
    static int headerLength(MemorySegment segment, long offset, int length) {
        int flags = NetworkOrder.u16(segment, offset + FLAGS);
        int header = fixedLength(flags);
        if ((flags & FLAG_ROUTING) == 0) {
            return header;
        }
        while (true) {
            if (length < header + 4) {
                return header + 4;
            }
            int family = NetworkOrder.u16(segment, offset + header);
            int entry = NetworkOrder.u8(segment, offset + header + 3);
            header += 4 + entry;
            if (family == 0 && entry == 0) {
                return header;
            }
        }
    }

    /** Without routing entries. */
    private static int fixedLength(int flags) {
        return MIN_LENGTH
                + ((flags & (FLAG_CHECKSUM | FLAG_ROUTING)) != 0 ? 4 : 0)
                + ((flags & FLAG_KEY) != 0 ? 4 : 0)
                + ((flags & FLAG_SEQUENCE) != 0 ? 4 : 0)
                + ((flags & FLAG_ACKNOWLEDGMENT) != 0 && (flags & 7) == 1 ? 4 : 0);
    }

    static boolean hasSequenceNumber(int flags) {
        return (flags & FLAG_SEQUENCE) != 0;
    }

    /** All 16 bits, with the version. */
    public int flags() {
        return NetworkOrder.u16(segment, offset + FLAGS);
    }

    public int version() {
        return flags() & 7;
    }

    /** The EtherType of what follows; 0x6558 for Ethernet, 0x880b for PPP. */
    public int protocol() {
        return NetworkOrder.u16(segment, offset + PROTOCOL);
    }

    public boolean hasChecksum() {
        return (flags() & FLAG_CHECKSUM) != 0;
    }

    public boolean hasRouting() {
        return (flags() & FLAG_ROUTING) != 0;
    }

    public boolean hasKey() {
        return (flags() & FLAG_KEY) != 0;
    }

    public boolean hasSequenceNumber() {
        return (flags() & FLAG_SEQUENCE) != 0;
    }

    public boolean hasAcknowledgmentNumber() {
        return (flags() & FLAG_ACKNOWLEDGMENT) != 0 && version() == 1;
    }

    public int checksum() {
        return hasChecksum() ? NetworkOrder.u16(segment, offset + MIN_LENGTH) : 0;
    }

    /** 32 bits; in version 1 the payload length and the call id, 16 bits each. */
    public long key() {
        return hasKey() ? NetworkOrder.u32(segment, keyOffset()) : 0;
    }

    public long sequenceNumber() {
        return hasSequenceNumber() ? NetworkOrder.u32(segment, keyOffset() + (hasKey() ? 4 : 0)) : 0;
    }

    /** Of version 1. */
    public long acknowledgmentNumber() {
        if (!hasAcknowledgmentNumber()) {
            return 0;
        }
        return NetworkOrder.u32(segment, keyOffset() + (hasKey() ? 4 : 0) + (hasSequenceNumber() ? 4 : 0));
    }

    private long keyOffset() {
        return offset + MIN_LENGTH + (hasChecksum() || hasRouting() ? 4 : 0);
    }

    public int headerLength() {
        return headerLength;
    }

    public long payloadOffset() {
        return offset + headerLength;
    }

    public int payloadLength() {
        return length - headerLength;
    }

    @Override
    public String toString() {
        return "gre version " + version() + " protocol 0x" + Integer.toHexString(protocol());
    }
}
