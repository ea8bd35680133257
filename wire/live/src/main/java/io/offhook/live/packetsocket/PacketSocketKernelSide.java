package io.offhook.live.packetsocket;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.live.VlanReinsertion;
import io.offhook.live.engine.IfPacket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * What the kernel does with the ring of a {@link PacketSocketLink}, done by this process for one that has no interface: fills
 * its slots in order. For rehearsals. One thread at a time, the link's.
 */
public final class PacketSocketKernelSide {
    private static final VarHandle STATUS = ValueLayout.JAVA_INT.varHandle();
    /** Where a frame begins in its slot. */
    private static final int FRAME = IfPacket.SLOT_FRAME + PacketSocketLink.HEADROOM + 2 * VlanReinsertion.TAG_BYTES;

    private static final long SECOND_NS = 1_000_000_000L;

    private final MemorySegment memory;
    private final int slots;
    private final int slotBytes;
    private int next;

    PacketSocketKernelSide(MemorySegment memory, int slots, int slotBytes) {
        this.memory = memory;
        this.slots = slots;
        this.slotBytes = slotBytes;
    }

    /**
     * Returns the address where a frame goes; -1 if the ring is full or the frame is too long. The same each time until
     * {@link #deliver}.
     *
     * @param length bytes of the frame
     */
    public long claim(int length) {
        long slot = (long) next * slotBytes;
        boolean isFree = (int) STATUS.getAcquire(memory, slot) == IfPacket.TP_STATUS_KERNEL;
        return isFree && FRAME + length <= slotBytes ? memory.address() + slot + FRAME : -1;
    }

    /**
     * Delivers the frame that was written to where {@link #claim} said.
     *
     * @param timeNs when it came, in nanoseconds since 1970
     */
    public void deliver(int length, long timeNs) {
        long slot = (long) next * slotBytes;
        memory.set(JAVA_INT, slot + IfPacket.SLOT_LENGTH, length);
        memory.set(JAVA_INT, slot + IfPacket.SLOT_CAPTURED, length);
        memory.set(JAVA_SHORT, slot + IfPacket.SLOT_MAC, (short) FRAME);
        memory.set(JAVA_INT, slot + IfPacket.SLOT_SECONDS, (int) (timeNs / SECOND_NS));
        memory.set(JAVA_INT, slot + IfPacket.SLOT_NANOSECONDS, (int) (timeNs % SECOND_NS));
        STATUS.setRelease(memory, slot, IfPacket.TP_STATUS_USER);
        next = next + 1 == slots ? 0 : next + 1;
    }
}
