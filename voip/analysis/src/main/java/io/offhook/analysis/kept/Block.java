package io.offhook.analysis.kept;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LittleEndian;
import io.offhook.pcap.PcapNgBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Packets on their way to the disk, as they will be in the segment: enhanced packet blocks of pcapng, and beside them what an
 * index needs. Used by one thread at a time.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                    Block type = 0x00000006                    |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                      Block total length                       |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                         Interface ID                          |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                       Timestamp (high)                        |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                        Timestamp (low)                        |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                    Captured packet length                     |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                    Original packet length                     |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * /                  Packet, padded to 32 bits                    /
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                      Block total length                       |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
final class Block {
    static final int INTERFACE = 8;
    static final int TIME_HIGH = 12;
    static final int TIME_LOW = 16;
    static final int CAPTURED = 20;
    static final int WIRE = 24;
    static final int PACKET = 28;

    /** The most bytes of a packet; few readers accept longer ones. */
    static final int SNAP_LENGTH = 262_144;

    /** The bytes of a block; several of the longest packets fit. */
    static final int BYTES = 1 << 20;

    private final MemorySegment bytes;
    private long[] keys = new long[1024];
    private int[] offsets = new int[1024];
    private SegmentInterface[] interfaces = SegmentInterface.NONE;
    private int count;
    private int length;
    private long firstNs;
    private long lastNs;

    Block(Arena arena) {
        this(arena, BYTES);
    }

    /** With room for fewer bytes. */
    Block(Arena arena, int size) {
        bytes = arena.allocate(size, 8);
    }

    /**
     * Empties it.
     *
     * @param interfaces by number
     */
    void begin(SegmentInterface[] interfaces) {
        this.interfaces = interfaces;
        count = 0;
        length = 0;
        firstNs = Long.MAX_VALUE;
        lastNs = Long.MIN_VALUE;
    }

    /** How much of a frame there may be in a block. */
    static int captured(int length) {
        return Math.min(length, SNAP_LENGTH);
    }

    private static int lengthOf(int captured) {
        return PACKET + (captured + 3 & ~3) + PcapNgBlock.TRAILER;
    }

    boolean hasRoom(int captured) {
        return length + lengthOf(captured) <= BYTES;
    }

    /** Copies so much of a frame, for which there is room. */
    void add(FrameBatch batch, int i, int captured, int interfaceId, long key) {
        long timeNs = Math.max(0, batch.timestampNs(i));
        int total = lengthOf(captured);
        int at = length;
        LittleEndian.put(bytes, at, 64, "head", (long) total << 32 | PcapNgBlock.ENHANCED_PACKET);
        LittleEndian.put(bytes, at + INTERFACE, 64, "interface", timeNs >>> 32 << 32 | interfaceId);
        LittleEndian.put(bytes, at + TIME_LOW, 64, "time", timeNs & 0xffff_ffffL | (long) captured << 32);
        LittleEndian.put(
                bytes,
                at + total - 8,
                64,
                "end",
                (long) total << 32); // and the padding, in front of what overwrites it
        LittleEndian.put(bytes, at + WIRE, 32, "wireLength", batch.wireLength(i));
        MemorySegment.copy(batch.segmentOf(i), batch.offset(i), bytes, at + PACKET, captured);
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, 2 * count);
            offsets = Arrays.copyOf(offsets, 2 * count);
        }
        keys[count] = key;
        offsets[count++] = at;
        length += total;
        firstNs = Math.min(firstNs, timeNs);
        lastNs = Math.max(lastNs, timeNs);
    }

    MemorySegment bytes() {
        return bytes.asSlice(0, length);
    }

    SegmentInterface[] interfaces() {
        return interfaces;
    }

    int count() {
        return count;
    }

    long key(int i) {
        return keys[i];
    }

    int offset(int i) {
        return offsets[i];
    }

    int length() {
        return length;
    }

    long firstNs() {
        return firstNs;
    }

    long lastNs() {
        return lastNs;
    }
}
