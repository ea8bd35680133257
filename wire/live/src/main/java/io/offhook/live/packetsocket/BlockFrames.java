package io.offhook.live.packetsocket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.filter.BpfProgram;
import io.offhook.filter.PacketFilter;
import io.offhook.live.TimestampClock;
import io.offhook.live.VlanReinsertion;
import io.offhook.live.engine.IfPacket;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Reads the frames of a ring's blocks in their order. */
final class BlockFrames {
    private final PacketRing ring;
    private final MemorySegment memory;
    private final int linkType;
    private final int snapLength;
    private final BpfProgram whole;
    /**
     * Created with the first tagged frame: most interfaces have none, and creating it takes longer than opening the
     * ring.
     */
    private @Nullable PacketFilter tagged;

    private final boolean hasTags;

    /** The offset of the next packet in the current block, and the number of packets left. */
    private long packet;

    private int left;
    private int block = -1;
    private long filtered;
    private long stampedByHardware;

    /**
     * Creates a reader of the blocks of a ring, without a current block.
     *
     * @param ring the ring, which the caller closes
     * @param linkType the link type of the frames, a {@link LinkType} value
     * @param snapLength the most bytes kept of a frame whose VLAN tag is put back
     * @param whole the filter for frames with a VLAN tag
     */
    BlockFrames(PacketRing ring, int linkType, int snapLength, BpfProgram whole) {
        this.ring = ring;
        memory = ring.memory();
        this.linkType = linkType;
        this.snapLength = snapLength;
        this.whole = whole;
        hasTags = linkType == LinkType.ETHERNET;
    }

    /** Stays at the current block or moves to the next one; returns false if the kernel has delivered none. */
    boolean begin() {
        if (block >= 0) {
            return true;
        }
        long start = ring.peek();
        if (start < 0) {
            return false;
        }
        block = (int) (start / ring.blockBytes());
        left = memory.get(JAVA_INT, start + IfPacket.BLOCK_PACKETS);
        packet = start + Integer.toUnsignedLong(memory.get(JAVA_INT, start + IfPacket.BLOCK_FIRST));
        return true;
    }

    /** Returns the index of the current block, from 0. */
    int block() {
        return block;
    }

    /**
     * Adds frames of the current block to a batch.
     *
     * @return whether these were all of them, so that there is no current block any more
     */
    boolean addTo(FrameBatch batch, int segment) {
        int count = Math.min(left, batch.capacity() - batch.count());
        long at = packet;
        for (int i = 0; i < count; i++) {
            add(batch, segment, at);
            at += Integer.toUnsignedLong(memory.get(JAVA_INT, at + IfPacket.PACKET_NEXT));
        }
        packet = at;
        left -= count;
        if (left > 0) {
            return false;
        }
        block = -1;
        return true;
    }

    private void add(FrameBatch batch, int segment, long at) {
        int captured = memory.get(JAVA_INT, at + IfPacket.PACKET_CAPTURED);
        int wire = memory.get(JAVA_INT, at + IfPacket.PACKET_WIRE);
        int status = memory.get(JAVA_INT, at + IfPacket.PACKET_STATUS);
        long frame = at + (memory.get(JAVA_SHORT, at + IfPacket.PACKET_MAC) & 0xffff);
        if (hasTags && VlanReinsertion.isNeeded(status, captured)) {
            int tci = memory.get(JAVA_INT, at + IfPacket.PACKET_VLAN_TCI);
            int tpid = memory.get(JAVA_SHORT, at + IfPacket.PACKET_VLAN_TPID);
            frame = VlanReinsertion.putBack(memory, frame, status, tci, tpid);
            captured += VlanReinsertion.TAG_BYTES;
            wire += VlanReinsertion.TAG_BYTES;
            if (ofTagged().match(memory, frame, captured, wire) == 0) {
                filtered++;
                return;
            }
            captured = Math.min(captured, snapLength);
        }
        stampedByHardware += TimestampClock.of(status) == TimestampClock.HARDWARE ? 1 : 0;
        long seconds = Integer.toUnsignedLong(memory.get(JAVA_INT, at + IfPacket.PACKET_SECONDS));
        long ns = seconds * 1_000_000_000L + memory.get(JAVA_INT, at + IfPacket.PACKET_NANOSECONDS);
        batch.add(segment, frame, captured, wire, ns, 0, linkType);
        int packetType = memory.get(JAVA_BYTE, at + IfPacket.PACKET_HEADER_BYTES + IfPacket.ADDRESS_PACKET_TYPE);
        batch.direction(packetType == IfPacket.PACKET_OUTGOING ? FrameDirection.OUTGOING : FrameDirection.INCOMING);
    }

    private PacketFilter ofTagged() {
        PacketFilter filter = tagged;
        if (filter == null) {
            filter = PacketFilter.of(whole);
            tagged = filter;
        }
        return filter;
    }

    /** Returns the frames with a timestamp of the network card. */
    long stampedByHardware() {
        return stampedByHardware;
    }

    /** Returns the frames with a tag that the filter rejected. */
    long filtered() {
        return filtered;
    }
}
