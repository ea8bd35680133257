package io.offhook.packet.tunnel;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
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
 */
public final class GreView extends CarrierView<GreView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 4;

    /** A flag: there is a checksum. */
    public static final int CHECKSUM = 0x8000;

    /** A flag: the header has that field. */
    public static final int ROUTING = 0x4000;
    /** A flag: the header has that field. */
    public static final int KEY = 0x2000;
    /** A flag: the header has that field. */
    public static final int SEQUENCE = 0x1000;
    /** A flag of version 1: the header has that field. */
    public static final int ACKNOWLEDGMENT = 0x0080;

    /** The offset of the flags, in bytes. */
    public static final int FLAGS = 0;
    /** The offset of the protocol, in bytes. */
    public static final int PROTOCOL = 2;

    // of a routing entry (RFC 1701), up to its addresses
    private static final int ROUTE_FAMILY = 0;
    private static final int ROUTE_ADDRESS_LENGTH = 3;
    private static final int ROUTE_LENGTH = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public GreView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.GRE;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than its flags require, UNSUPPORTED if its version is
     * above 1.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if ((NetworkOrder.u16(segment, offset + FLAGS) & 7) > 1) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, headerLength(segment, offset, length));
    }

    /**
     * Bytes of the header, or, when that goes on after the {@code length} bytes (4 or more) that are there, a number
     * above it.
     */
    public static int headerLength(MemorySegment segment, long offset, int length) {
        int flags = NetworkOrder.u16(segment, offset + FLAGS);
        int header = fixedLength(flags);
        if ((flags & ROUTING) == 0) {
            return header;
        }
        while (true) {
            if (length < header + ROUTE_LENGTH) {
                return header + ROUTE_LENGTH;
            }
            int family = NetworkOrder.u16(segment, offset + header + ROUTE_FAMILY);
            int entry = NetworkOrder.u8(segment, offset + header + ROUTE_ADDRESS_LENGTH);
            header += ROUTE_LENGTH + entry;
            if (family == 0 && entry == 0) {
                return header;
            }
        }
    }

    /** Bytes of a header with these {@link #flags()}, without routing entries. */
    public static int fixedLength(int flags) {
        return MIN_LENGTH
                + ((flags & (CHECKSUM | ROUTING)) != 0 ? 4 : 0)
                + ((flags & KEY) != 0 ? 4 : 0)
                + ((flags & SEQUENCE) != 0 ? 4 : 0)
                + ((flags & ACKNOWLEDGMENT) != 0 && (flags & 7) == 1 ? 4 : 0);
    }

    /** Whether a header with these {@link #flags()} has a sequence number. */
    public static boolean hasSequenceNumber(int flags) {
        return (flags & SEQUENCE) != 0;
    }

    /** All 16 bits, with the version. */
    public int flags() {
        return u16(FLAGS);
    }

    /**
     * Sets the flags, and so which fields there are.
     *
     * @param flags 0 to 65535, of version 0 or 1, and such that the header is not longer than what is there
     */
    public GreView flags(int flags) {
        FieldRange.check("flags", flags, 0xffff);
        FieldRange.check("version", flags & 7, 1);
        int before = flags();
        NetworkOrder.putU16(segment, offset + FLAGS, flags);
        int header = headerLength(segment, offset, length);
        if (header > length) {
            NetworkOrder.putU16(segment, offset + FLAGS, before);
        }
        FieldRange.check("headerLength", header, length);
        headerLength = header;
        return this;
    }

    /** The version stated in the header. */
    public int version() {
        return flags() & 7;
    }

    /**
     * Sets {@link #version()}.
     *
     * @param version 0 or 1
     */
    public GreView version(int version) {
        FieldRange.check("version", version, 1);
        return flags(flags() & ~7 | version);
    }

    /** The EtherType of what follows; 0x6558 for Ethernet, 0x880b for PPP. */
    public int protocol() {
        return u16(PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 65535. */
    public GreView protocol(int protocol) {
        return putU16(PROTOCOL, "protocol", protocol);
    }

    /** Whether the header has a checksum. */
    public boolean hasChecksum() {
        return (flags() & CHECKSUM) != 0;
    }

    /** Whether the header has source routes (RFC 1701). */
    public boolean hasRouting() {
        return (flags() & ROUTING) != 0;
    }

    /** Whether the header has a key. */
    public boolean hasKey() {
        return (flags() & KEY) != 0;
    }

    /** Whether the header has a sequence number. */
    public boolean hasSequenceNumber() {
        return (flags() & SEQUENCE) != 0;
    }

    /** Whether the header has an acknowledgment number (version 1). */
    public boolean hasAcknowledgmentNumber() {
        return (flags() & ACKNOWLEDGMENT) != 0 && version() == 1;
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return hasChecksum() ? u16(MIN_LENGTH) : 0;
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public GreView checksum(int checksum) {
        FieldRange.require("checksum", hasChecksum());
        return putU16(MIN_LENGTH, "checksum", checksum);
    }

    /** 32 bits; in version 1 the payload length and the call id, 16 bits each. */
    public long key() {
        return hasKey() ? u32(keyAt()) : 0;
    }

    /** Sets {@link #key()}; 0 to 4294967295. */
    public GreView key(long key) {
        FieldRange.require("key", hasKey());
        return putU32(keyAt(), "key", key);
    }

    /** The number of the packet among those of its sender. */
    public long sequenceNumber() {
        return hasSequenceNumber() ? u32(sequenceNumberAt()) : 0;
    }

    /** Sets {@link #sequenceNumber()}; 0 to 4294967295. */
    public GreView sequenceNumber(long sequenceNumber) {
        FieldRange.require("sequenceNumber", hasSequenceNumber());
        return putU32(sequenceNumberAt(), "sequenceNumber", sequenceNumber);
    }

    /** The acknowledgment number, of version 1. */
    public long acknowledgmentNumber() {
        return hasAcknowledgmentNumber() ? u32(acknowledgmentNumberAt()) : 0;
    }

    /** Sets {@link #acknowledgmentNumber()}; 0 to 4294967295. */
    public GreView acknowledgmentNumber(long acknowledgmentNumber) {
        FieldRange.require("acknowledgmentNumber", hasAcknowledgmentNumber());
        return putU32(acknowledgmentNumberAt(), "acknowledgmentNumber", acknowledgmentNumber);
    }

    private int keyAt() {
        return hasChecksum() || hasRouting() ? MIN_LENGTH + 4 : MIN_LENGTH;
    }

    private int sequenceNumberAt() {
        return hasKey() ? keyAt() + 4 : keyAt();
    }

    private int acknowledgmentNumberAt() {
        return hasSequenceNumber() ? sequenceNumberAt() + 4 : sequenceNumberAt();
    }

    @Override
    public String toString() {
        return "gre version " + version() + " protocol 0x" + Integer.toHexString(protocol());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<GreView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "gre",
                    new GreView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("flags", FLAGS, 16)
                            .bits("version", FLAGS, 13, 3)
                            .number("protocol", PROTOCOL, 16));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.hasChecksum()) {
                to.number("checksum", view.checksum());
            }
            if (view.hasKey()) {
                to.number("key", view.key());
            }
            if (view.hasSequenceNumber()) {
                to.number("sequenceNumber", view.sequenceNumber());
            }
            if (view.hasAcknowledgmentNumber()) {
                to.number("acknowledgmentNumber", view.acknowledgmentNumber());
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.number(layer.packet().payloadWireLength()).text(" bytes");
            return true;
        }
    }
}
