package io.offhook.packet.tunnel;

import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * What Teredo puts before the IPv6 packet (RFC 4380, 5.1.1): an authentication header, an origin, both or nothing.
 *
 * <pre>
 *  0        8        16                32
 * +--------+--------+--------+--------+
 * |   0    |   1    | id len | au len |  authentication
 * +--------+--------+--------+--------+
 * | client id, authentication value, nonce (64 bits), confirmation (8 bits)
 * +--------+--------+-----------------+
 * |   0    |   0    |   origin port   |  origin
 * +--------+--------+-----------------+
 * |          origin address           |
 * +-----------------------------------+
 * </pre>
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes. Setters write in place,
 * and fail on a read-only segment. After setting a type, a flag or a length, wrap again.
 */
public final class TeredoView implements LayerView {
    /** Bytes of an origin indication. */
    public static final int ORIGIN_LENGTH = 8;

    /** The first 16 bits of an origin indication. */
    public static final int ORIGIN = 0;

    /** The first 16 bits of an authentication header. */
    public static final int AUTHENTICATION = 1;

    /** Bytes of an authentication header that say how long it is. */
    public static final int MIN_AUTHENTICATION = 4;

    private static final int ID_LENGTH = 2;
    private static final int AUTHENTICATION_LENGTH = 3;
    /** Bytes of an authentication header without client id and authentication value. */
    private static final int FIXED_AUTHENTICATION = 13;

    // of an authentication header, from its end
    private static final int NONCE = -9;
    private static final int CONFIRMATION = -1;

    // of an origin indication, from its start
    private static final int ORIGIN_PORT = 2;
    private static final int ORIGIN_ADDRESS = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private int authenticationLength;
    private int headerLength;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public TeredoView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.TEREDO;
    }

    /**
     * Wraps the bytes behind the UDP header: TRUNCATED if there are fewer than the headers that begin there ask for.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        int authentication = 0;
        if (length >= MIN_AUTHENTICATION && NetworkOrder.u16(segment, offset) == AUTHENTICATION) {
            authentication = authenticationLength(segment, offset);
        }
        if (length < authentication + 2) {
            return WrapStatus.TRUNCATED;
        }
        boolean hasOrigin = NetworkOrder.u16(segment, offset + authentication) == ORIGIN;
        if (hasOrigin && length < authentication + ORIGIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        authenticationLength = authentication;
        headerLength = authentication + (hasOrigin ? ORIGIN_LENGTH : 0);
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** Bytes of the authentication header that starts at {@code offset}, of which four are there. */
    public static int authenticationLength(MemorySegment segment, long offset) {
        return FIXED_AUTHENTICATION
                + NetworkOrder.u8(segment, offset + ID_LENGTH)
                + NetworkOrder.u8(segment, offset + AUTHENTICATION_LENGTH);
    }

    /** Whether an authentication header is there (RFC 4380, 5.1.1). */
    public boolean hasAuthentication() {
        return authenticationLength > 0;
    }

    /** 64 bits as they are; 0 without authentication. */
    public long nonce() {
        return hasAuthentication() ? NetworkOrder.bits64(segment, offset + authenticationLength + NONCE) : 0;
    }

    /** Sets {@link #nonce()}. */
    public TeredoView nonce(long nonce) {
        FieldRange.require("nonce", hasAuthentication());
        NetworkOrder.putBits64(segment, offset + authenticationLength + NONCE, nonce);
        return this;
    }

    /** Not 0 if the client is to ask for its keys anew; 0 without authentication. */
    public int confirmation() {
        return hasAuthentication() ? NetworkOrder.u8(segment, offset + authenticationLength + CONFIRMATION) : 0;
    }

    /** Sets {@link #confirmation()}; 0 to 255. */
    public TeredoView confirmation(int confirmation) {
        FieldRange.require("confirmation", hasAuthentication());
        FieldBits.put(segment, offset + authenticationLength + CONFIRMATION, 0, 8, "confirmation", confirmation);
        return this;
    }

    /** Whether an origin indication is there (RFC 4380, 5.1.1). */
    public boolean hasOrigin() {
        return headerLength > authenticationLength;
    }

    /** The port that a packet came from, which stands here with its bits turned over; 0 without origin. */
    public int originPort() {
        return hasOrigin() ? ~NetworkOrder.u16(segment, offset + authenticationLength + ORIGIN_PORT) & 0xffff : 0;
    }

    /**
     * Sets {@link #originPort()}.
     *
     * @throws IllegalStateException if the header does not have the field
     */
    public TeredoView originPort(int originPort) {
        FieldRange.require("originPort", hasOrigin());
        FieldBits.checkRange("originPort", originPort, 16);
        NetworkOrder.putU16(segment, offset + authenticationLength + ORIGIN_PORT, ~originPort & 0xffff);
        return this;
    }

    /** The IPv4 address that a packet came from, which stands here with its bits turned over; 0 without origin. */
    public long originAddress() {
        return hasOrigin()
                ? ~NetworkOrder.u32(segment, offset + authenticationLength + ORIGIN_ADDRESS) & 0xffff_ffffL
                : 0;
    }

    /**
     * Sets {@link #originAddress()}.
     *
     * @throws IllegalStateException if the header does not have the field
     */
    public TeredoView originAddress(long originAddress) {
        FieldRange.require("originAddress", hasOrigin());
        FieldBits.checkRange("originAddress", originAddress, 32);
        NetworkOrder.putU32(segment, offset + authenticationLength + ORIGIN_ADDRESS, ~originAddress & 0xffff_ffffL);
        return this;
    }

    /** The length of both headers, in bytes; may be 0. */
    public int headerLength() {
        return headerLength;
    }

    /** The offset in the segment of the first byte after the header. */
    public long payloadOffset() {
        return offset + headerLength;
    }

    /** The number of available bytes after the header. */
    public int payloadLength() {
        return length - headerLength;
    }

    @Override
    public String toString() {
        return "teredo of " + headerLength() + " bytes";
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        private final TeredoView teredo = new TeredoView();

        /** Creates the descriptor. */
        public Descriptor() {
            super("teredo", HeaderLayout.NONE);
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            if (layer.headerLength() == 0 || !layer.wrapHeader(teredo)) {
                return;
            }
            if (teredo.hasAuthentication()) {
                to.number("confirmation", teredo.confirmation());
            }
            if (teredo.hasOrigin()) {
                to.number("originPort", teredo.originPort());
                to.ipv4("originAddress", teredo.originAddress());
            }
        }
    }
}
