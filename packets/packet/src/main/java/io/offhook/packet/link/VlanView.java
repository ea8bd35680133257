package io.offhook.packet.link;

import io.offhook.packet.EtherType;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A VLAN tag (IEEE 802.1Q, 9.6), of a customer or of a service: what follows the type 0x8100 or 0x88a8.
 *
 * <pre>
 *  0   3 4            16             32
 * +-----+-+------------+--------------+
 * | PCP |D|     id     |     type     |
 * +-----+-+------------+--------------+
 * </pre>
 */
public final class VlanView extends HeaderView<VlanView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    /** Where priority and VLAN are, in bytes from its start. */
    public static final int TAG = 0;

    /** The offset of the type of what is tagged, in bytes. */
    public static final int TYPE = 2;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public VlanView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.VLAN || type == LayerType.SERVICE_VLAN;
    }

    /** Wraps a tag, behind the type that announced it; TRUNCATED below 4 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** The VLAN, 0 to 4095; 0 is a tag for priority only. */
    public int id() {
        return u16(TAG) & 0xfff;
    }

    /** Sets {@link #id()}; 0 to 4095. */
    public VlanView id(int id) {
        return putBits(TAG, 4, 12, "id", id);
    }

    /** 0 to 7. */
    public int priority() {
        return u16(TAG) >>> 13;
    }

    /** Sets {@link #priority()}; 0 to 7. */
    public VlanView priority(int priority) {
        return putBits(TAG, 0, 3, "priority", priority);
    }

    /** Whether it is to be discarded before others. */
    public boolean isDropEligible() {
        return (u16(TAG) & 0x1000) != 0;
    }

    /** Sets {@link #isDropEligible()}. */
    public VlanView dropEligible(boolean isSet) {
        return putFlag(TAG, 3, isSet);
    }

    /** The EtherType of what is tagged, or its length. */
    public int type() {
        return u16(TYPE);
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public VlanView type(int type) {
        return putU16(TYPE, "type", type);
    }

    @Override
    public String toString() {
        return "vlan " + id() + " priority " + priority() + " type 0x" + Integer.toHexString(type());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Of a tag of a customer ("vlan"), or of a service provider ("serviceVlan"). */
        public Descriptor(String label) {
            super(
                    label,
                    HeaderLayout.of(LENGTH)
                            .bits("priority", TAG, 0, 3)
                            .flag("dropEligible", TAG, 3)
                            .bits("id", TAG, 4, 12)
                            .number("type", TYPE, 16));
        }

        @Override
        public String title(Layer layer) {
            if (!label().equals("vlan")) {
                return title();
            }
            return layer.headerLength() < LENGTH ? label() : EtherType.title(layer.u16(TYPE));
        }
    }
}
