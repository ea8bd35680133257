package io.offhook.packet.tunnel;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A VXLAN header (RFC 7348, 5). With the generic protocol extension (P flag) the fourth byte says what follows; without
 * it an Ethernet frame does.
 *
 * <pre>
 *  0        8                24       32
 * +--------+----------------+--------+
 * | flags  |    reserved    |protocol|
 * +--------+----------------+--------+
 * |          VNI            |reserved|
 * +-------------------------+--------+
 * </pre>
 */
public final class VxlanView extends CarrierView<VxlanView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 8;

    /** The offset of the flags, in bytes. */
    public static final int FLAGS = 0;
    /** The offset of the protocol, in bytes. */
    public static final int PROTOCOL = 3;

    /** The offset of the network identifier, in bytes. */
    public static final int VNI = 4;
    /** The offset of the flags of the group policy extension, in bytes. */
    public static final int POLICY_FLAGS = 1;
    /** Where the last byte is, which is reserved, in bytes from the start. */
    public static final int RESERVED = 7;

    private static final int FLAG_VNI = 0x08;
    private static final int FLAG_PROTOCOL = 0x04;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public VxlanView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.VXLAN;
    }

    /** Wraps a header: TRUNCATED below 8 bytes, MALFORMED if the flag of a valid VNI is not set. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if ((NetworkOrder.u8(segment, offset + FLAGS) & FLAG_VNI) == 0) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** The flag bits as the header has them. */
    public int flags() {
        return u8(FLAGS);
    }

    /** Sets {@link #flags()}; 0 to 255. */
    public VxlanView flags(int flags) {
        return putU8(FLAGS, "flags", flags);
    }

    /** Whether {@link #protocol()} means something. */
    public boolean hasProtocol() {
        return (flags() & FLAG_PROTOCOL) != 0;
    }

    /** 1 IPv4, 2 IPv6, 3 Ethernet, 4 NSH, 5 MPLS. */
    public int protocol() {
        return u8(PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 255. */
    public VxlanView protocol(int protocol) {
        return putU8(PROTOCOL, "protocol", protocol);
    }

    /** The network, 24 bits. */
    public int vni() {
        return u24(VNI);
    }

    /** Sets {@link #vni()}; 0 to 16777215. */
    public VxlanView vni(int vni) {
        return putU24(VNI, "vni", vni);
    }

    @Override
    public String toString() {
        return "vxlan " + vni();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "vxlan",
                    HeaderLayout.of(LENGTH)
                            .number("flags", FLAGS, 8)
                            .number("protocol", PROTOCOL, 8)
                            .number("vni", VNI, 24));
        }
    }
}
