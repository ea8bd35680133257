package io.offhook.packet.application;

import io.offhook.packet.CarrierView;
import io.offhook.packet.Claims;
import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The long header of QUIC (RFC 8999, 5.1; version 1: RFC 9000, 17.2). A packet with a short header cannot be told from
 * other bytes, but by what was seen before.
 *
 * <pre>
 *  0               8               16              24              32
 * +-+-+---+-------+-----------------------------------------------+
 * |L|F| pt|       |                    version                    |
 * +-+-+---+-------+-----------------------------------------------+
 * |      ...      |destination id.|
 * +---------------+---------------+
 * | destination id, length of the source id, source id ...
 * </pre>
 */
public final class QuicView extends CarrierView<QuicView> {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 7;

    private static final int MAX_ID_LENGTH = 20;
    private static final int LONG_HEADER = 0;
    private static final int VERSION = 1;
    private static final int DESTINATION_ID_LENGTH = 5;
    private static final int DESTINATION_ID = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public QuicView() {}

    /**
     * Wraps a packet: TRUNCATED if fewer bytes are available than its connection ids require, UNSUPPORTED if it has
     * no long header, MALFORMED if a connection id of version 1 or 2 is above 20 bytes.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if ((NetworkOrder.u8(segment, offset + LONG_HEADER) & 0x80) == 0) {
            return WrapStatus.UNSUPPORTED;
        }
        int destination = NetworkOrder.u8(segment, offset + DESTINATION_ID_LENGTH);
        boolean isKnown = isKnown(NetworkOrder.u32(segment, offset + VERSION));
        if (isKnown && destination > MAX_ID_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        if (length < MIN_LENGTH + destination) {
            return WrapStatus.TRUNCATED;
        }
        int source = NetworkOrder.u8(segment, offset + DESTINATION_ID + destination);
        if (isKnown && source > MAX_ID_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, MIN_LENGTH + destination + source);
    }

    /** Always: {@link #wrap} takes no other. */
    public boolean isLongHeader() {
        return (u8(LONG_HEADER) & 0x80) != 0;
    }

    /** Sets {@link #isLongHeader()}. */
    public QuicView longHeader(boolean longHeader) {
        return putFlag(LONG_HEADER, 0, longHeader);
    }

    /** Whether the second bit is set, as it is but in version negotiation and where that was agreed (RFC 9287). */
    public boolean isFixed() {
        return (u8(LONG_HEADER) & 0x40) != 0;
    }

    /** Sets {@link #isFixed()}. */
    public QuicView fixed(boolean fixed) {
        return putFlag(LONG_HEADER, 1, fixed);
    }

    /** The packet type, in version 1: 0 initial, 1 early data (0-RTT), 2 handshake, 3 retry. */
    public int packetType() {
        return u8(LONG_HEADER) >>> 4 & 0x3;
    }

    /** Sets {@link #packetType()}; 0 to 3. */
    public QuicView packetType(int packetType) {
        return putBits(LONG_HEADER, 2, 2, "packetType", packetType);
    }

    /** 1, 0x6b3343cf for version 2, of drafts 0xff0000...; 0 negotiates the version. */
    public long version() {
        return u32(VERSION);
    }

    /** Sets {@link #version()}; 0 to 4294967295. */
    public QuicView version(long version) {
        return putU32(VERSION, "version", version);
    }

    /** The length of the destination connection id, in bytes. */
    public int destinationIdLength() {
        return u8(DESTINATION_ID_LENGTH);
    }

    /** Sets {@link #destinationIdLength()}; 0 to 255. */
    public QuicView destinationIdLength(int destinationIdLength) {
        return putU8(DESTINATION_ID_LENGTH, "destinationIdLength", destinationIdLength);
    }

    /** Versions 1 and 2, and the drafts of version 1. */
    static boolean isKnown(long version) {
        return version == 1 || version == 0x6b3343cfL || version >>> 8 == 0xff0000;
    }

    /** Whether the version is 0: the server lists those that it has. */
    public boolean isVersionNegotiation() {
        return version() == 0;
    }

    /** Where the receiver's connection id starts. */
    public long destinationIdOffset() {
        return offset + DESTINATION_ID;
    }

    /** The length of the source connection id, in bytes. */
    public int sourceIdLength() {
        return u8(DESTINATION_ID + destinationIdLength());
    }

    /** Sets {@link #sourceIdLength()}; 0 to 255. */
    public QuicView sourceIdLength(int sourceIdLength) {
        FieldBits.put(segment, sourceIdOffset() - 1, 0, 8, "sourceIdLength", sourceIdLength);
        return this;
    }

    /** Where the sender's connection id starts. */
    public long sourceIdOffset() {
        return offset + MIN_LENGTH + destinationIdLength();
    }

    @Override
    public String toString() {
        return "quic version 0x" + Long.toHexString(version());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<QuicView> {
        /** Bytes of a packet with a short header and the least that it protects (RFC 9000, 10.3). */
        private static final int SHORT_LENGTH = 21;

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "quic",
                    new QuicView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .flag("longHeader", LONG_HEADER, 0)
                            .flag("fixed", LONG_HEADER, 1)
                            .bits("packetType", LONG_HEADER, 2, 2)
                            .number("version", VERSION, 32)
                            .number("destinationIdLength", DESTINATION_ID_LENGTH, 8),
                    Claims.NONE.udp(443));
        }

        /** A packet with a short header counts as well: the fixed bit is all that it has. */
        @Override
        public boolean accepts(Layer layer) {
            int first = layer.u8(LONG_HEADER);
            return (first & 0x80) != 0 ? layer.wrap(view) : (first & 0x40) != 0 && layer.length() >= SHORT_LENGTH;
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            if (layer.length() > 0 && (layer.u8(LONG_HEADER) & 0x80) == 0) {
                return; // of a short header nothing is known here
            }
            super.fields(layer, to);
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.bytes("destinationId", layer.segment(), view.destinationIdOffset(), view.destinationIdLength());
            to.bytes("sourceId", layer.segment(), view.sourceIdOffset(), view.sourceIdLength());
        }
    }
}
