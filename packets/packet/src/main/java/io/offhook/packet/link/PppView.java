package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
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
 * A PPP header (RFC 1661, 2; RFC 1662, 3), 1 to 4 bytes: address and control (ff 03) may be left out, and so may the
 * protocol's first byte when it is 0 (its second is then odd, as the first never is).
 *
 * <pre>
 *  0      1       2          4
 * +------+-------+----------+----
 * |  ff  |  03   | protocol | payload
 * +------+-------+----------+----
 * </pre>
 */
public final class PppView extends CarrierView<PppView> implements LayerView {
    /** A protocol (RFC 1661, 2; IANA). */
    public static final int IPV4 = 0x0021;
    /** A protocol (RFC 1661, 2; IANA). */
    public static final int IPV6 = 0x0057;

    private int protocol;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public PppView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.PPP;
    }

    /** Wraps a header: TRUNCATED if fewer bytes are available than it has. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        int header = length >= 2 && NetworkOrder.u16(segment, offset) == 0xff03 ? 2 : 0;
        if (length < header + 1) {
            return WrapStatus.TRUNCATED;
        }
        int first = NetworkOrder.u8(segment, offset + header);
        boolean isCompressed = (first & 1) != 0;
        if (!isCompressed && length < header + 2) {
            return WrapStatus.TRUNCATED;
        }
        protocol = isCompressed ? first : NetworkOrder.u16(segment, offset + header);
        return wrap(segment, offset, length, isCompressed ? header + 1 : header + 2);
    }

    /** Whether address and control are there. */
    public boolean hasAddress() {
        return u8(0) == 0xff && headerLength > 2;
    }

    /** The number (IANA, PPP DLL protocol numbers). */
    public int protocol() {
        return protocol;
    }

    /**
     * Sets {@link #protocol()}.
     *
     * @param protocol of the size that is there: in two bytes, its first is even; in one, it is odd
     */
    public PppView protocol(int protocol) {
        boolean isCompressed = (headerLength & 1) != 0;
        FieldRange.check("protocol", protocol, isCompressed ? 0xff : 0xffff);
        if (isCompressed ? (protocol & 1) == 0 : (protocol & 0x100) != 0) {
            throw new IllegalArgumentException(
                    "protocol " + protocol + " does not fit in " + (isCompressed ? "one byte" : "two bytes"));
        }
        if (isCompressed) {
            NetworkOrder.putU8(segment, offset + headerLength - 1, protocol);
        } else {
            NetworkOrder.putU16(segment, offset + headerLength - 2, protocol);
        }
        this.protocol = protocol;
        return this;
    }

    @Override
    public String toString() {
        return "ppp protocol 0x" + Integer.toHexString(protocol());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<PppView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super("ppp", new PppView(), HeaderLayout.NONE);
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("protocol", view.protocol());
        }
    }
}
