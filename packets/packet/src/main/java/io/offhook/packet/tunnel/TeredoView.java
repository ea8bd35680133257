package io.offhook.packet.tunnel;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
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
 */
public final class TeredoView extends CarrierView<TeredoView> implements LayerView {
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

    private int authenticationLength;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public TeredoView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.TEREDO;
    }

    /**
     * Wraps the bytes behind the UDP header: TRUNCATED if there are fewer than the headers that begin there ask for.
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
        WrapStatus status = wrap(segment, offset, length, hasOrigin ? authentication + ORIGIN_LENGTH : authentication);
        if (status == WrapStatus.OK) {
            authenticationLength = authentication;
        }
        return status;
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
        return hasAuthentication() ? bits64(authenticationLength + NONCE) : 0;
    }

    /** Sets {@link #nonce()}. */
    public TeredoView nonce(long nonce) {
        FieldRange.require("nonce", hasAuthentication());
        return putBits64(authenticationLength + NONCE, nonce);
    }

    /** Not 0 if the client is to ask for its keys anew; 0 without authentication. */
    public int confirmation() {
        return hasAuthentication() ? u8(authenticationLength + CONFIRMATION) : 0;
    }

    /** Sets {@link #confirmation()}; 0 to 255. */
    public TeredoView confirmation(int confirmation) {
        FieldRange.require("confirmation", hasAuthentication());
        return putU8(authenticationLength + CONFIRMATION, "confirmation", confirmation);
    }

    /** Whether an origin indication is there (RFC 4380, 5.1.1). */
    public boolean hasOrigin() {
        return headerLength > authenticationLength;
    }

    /** The port that a packet came from, which stands here with its bits turned over; 0 without origin. */
    public int originPort() {
        return hasOrigin() ? ~u16(authenticationLength + ORIGIN_PORT) & 0xffff : 0;
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
        return hasOrigin() ? ~u32(authenticationLength + ORIGIN_ADDRESS) & 0xffff_ffffL : 0;
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

    @Override
    public String toString() {
        return "teredo of " + headerLength() + " bytes";
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<TeredoView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super("teredo", new TeredoView(), HeaderLayout.NONE);
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            if (layer.headerLength() == 0 || !layer.wrapHeader(view)) {
                return;
            }
            if (view.hasAuthentication()) {
                to.number("confirmation", view.confirmation());
            }
            if (view.hasOrigin()) {
                to.number("originPort", view.originPort());
                to.ipv4("originAddress", view.originAddress());
            }
        }
    }
}
