package io.offhook.packet.tunnel;

import io.offhook.packet.CarrierView;
import io.offhook.packet.EtherType;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The GRE header of NVGRE (RFC 7637, 3.2): a key and no other option, and Ethernet within. Bridging over GRE that has a
 * key for other reasons looks the same.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+-------------------------------+
 * |             flags             |            protocol           |
 * +-----------------------------------------------+---------------+
 * |                      vsid                     |    flow id    |
 * +-----------------------------------------------+---------------+
 * </pre>
 */
public final class NvgreView extends CarrierView<NvgreView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 8;

    private static final int FLAG_KEY = 0x2000;
    private static final int FLAGS = 0;
    private static final int PROTOCOL = 2;
    private static final int VSID = 4;
    private static final int FLOW_ID = 7;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public NvgreView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.GRE;
    }

    /** Wraps a GRE header: TRUNCATED below 8 bytes, UNSUPPORTED if its flags or its protocol are not those of NVGRE. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u16(segment, offset + FLAGS) != FLAG_KEY
                || NetworkOrder.u16(segment, offset + PROTOCOL) != EtherType.TRANSPARENT_BRIDGING) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** The flag bits as the header has them. */
    public int flags() {
        return u16(FLAGS);
    }

    /** Sets {@link #flags()}; 0 to 65535. */
    public NvgreView flags(int flags) {
        return putU16(FLAGS, "flags", flags);
    }

    /** 0x6558, Ethernet. */
    public int protocol() {
        return u16(PROTOCOL);
    }

    /** Sets {@link #protocol()}; 0 to 65535. */
    public NvgreView protocol(int protocol) {
        return putU16(PROTOCOL, "protocol", protocol);
    }

    /** The virtual subnet. */
    public int vsid() {
        return u24(VSID);
    }

    /** Sets {@link #vsid()}; 0 to 16777215. */
    public NvgreView vsid(int vsid) {
        return putU24(VSID, "vsid", vsid);
    }

    /** The identifier of a flow within the virtual network. */
    public int flowId() {
        return u8(FLOW_ID);
    }

    /** Sets {@link #flowId()}; 0 to 255. */
    public NvgreView flowId(int flowId) {
        return putU8(FLOW_ID, "flowId", flowId);
    }

    @Override
    public String toString() {
        return "nvgre " + vsid();
    }
}
