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
    /** Destination and source, which a frame must have at least. */
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
     * The same, of a frame of a packet socket.
     *
     * @param frame where it begins, with {@link #TAG_BYTES} of room before
     * @param status as the ring has it
     * @param tci priority and VLAN, as the ring has them
     * @param tpid the type of the tag, which counts if the status says so
     * @return where the frame begins now
     */
    public static long putBack(MemorySegment memory, long frame, int status, int tci, int tpid) {
        boolean hasTpid = (status & IfPacket.TP_STATUS_VLAN_TPID_VALID) != 0;
        return insert(memory, frame, hasTpid ? tpid : TPID_VLAN, tci);
    }

    /**
     * Puts a tag of type 0x8100 before a frame's EtherType.
     *
     * @param frame where it begins, with {@link #TAG_BYTES} of room before
     * @param tci priority and VLAN
     * @return where the frame begins now
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
