package io.offhook.live;

import io.offhook.live.engine.IfPacket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Puts a VLAN tag back where it was on the wire: the network card or the kernel has removed it from the frame and
 * delivered it separately.
 */
public final class VlanReinsertion {
    /** The bytes by which a frame grows at its front; this room must exist. */
    public static final int TAG_BYTES = 4;
    /** The bytes of destination and source address, the least that a frame must have. */
    public static final int ADDRESSES_BYTES = 12;

    private static final int TPID_VLAN = 0x8100;
    private static final ValueLayout.OfShort NETWORK_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private VlanReinsertion() {}

    /**
     * Returns whether the status of a frame in the ring of a packet socket declares a tag, and the frame is long enough
     * for it.
     */
    public static boolean isNeeded(int status, int captured) {
        return (status & IfPacket.TP_STATUS_VLAN_VALID) != 0 && captured >= ADDRESSES_BYTES;
    }

    /**
     * Puts the tag of a packet socket's frame back.
     *
     * @param memory the memory that contains the frame
     * @param frame the offset of the frame, preceded by {@link #TAG_BYTES} of free room
     * @param status the status from the ring
     * @param tci priority and VLAN from the ring (16 bits)
     * @param tpid the type of the tag, used if the status declares it
     * @return the new offset of the frame
     */
    public static long putBack(MemorySegment memory, long frame, int status, int tci, int tpid) {
        boolean hasTpid = (status & IfPacket.TP_STATUS_VLAN_TPID_VALID) != 0;
        return insert(memory, frame, hasTpid ? tpid : TPID_VLAN, tci);
    }

    /**
     * Puts a tag of type 0x8100 before a frame's EtherType.
     *
     * @param memory the memory that contains the frame
     * @param frame the offset of the frame, preceded by {@link #TAG_BYTES} of free room
     * @param tci priority and VLAN (16 bits)
     * @return the new offset of the frame
     */
    public static long putBack(MemorySegment memory, long frame, int tci) {
        return insert(memory, frame, TPID_VLAN, tci);
    }

    private static long insert(MemorySegment memory, long frame, int tpid, int tci) {
        long moved = frame - TAG_BYTES;
        MemorySegment.copy(memory, frame, memory, moved, ADDRESSES_BYTES);
        memory.set(NETWORK_SHORT, moved + ADDRESSES_BYTES, (short) tpid);
        memory.set(NETWORK_SHORT, moved + ADDRESSES_BYTES + Short.BYTES, (short) tci);
        return moved;
    }
}
