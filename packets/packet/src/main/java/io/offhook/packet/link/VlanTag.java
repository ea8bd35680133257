package io.offhook.packet.link;

import io.offhook.packet.FieldRange;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Puts VLAN tags (IEEE 802.1Q, 9.3) into Ethernet frames and takes them out, where the frames lie.
 *
 * <pre>
 *            offset
 *   headroom |  destination  |    source     |type| payload
 *   +--------+---------------+---------------+----+--------
 *   |  destination  |    source     |8100| tag|type| payload      pushed
 *   offset - 4
 * </pre>
 *
 * <p>A frame grows and shrinks at its front: its two addresses move by four bytes, and nothing behind them does. So
 * each push needs {@link #LENGTH} bytes of headroom, which are the caller's, before the frame; what stands there is
 * lost. Both methods return where the frame starts then; it is longer, or shorter, by the difference. No checksum
 * covers a tag, and no walk, view or editor of before knows of the move: walk again.
 *
 * <p>Nothing is allocated; any thread may call it, for a frame that is its own.
 */
public final class VlanTag {
    /** Bytes that a frame grows by. */
    public static final int LENGTH = 4;

    /** The type of a customer's tag (IEEE 802.1Q). */
    public static final int CUSTOMER = 0x8100;

    /** The type of a service provider's tag (IEEE 802.1ad). */
    public static final int SERVICE = 0x88a8;

    private static final int ADDRESSES = 12;
    /** Below it is a length, or nothing (IEEE 802.3, 3.2.6). */
    private static final int MIN_TYPE = 0x600;

    private VlanTag() {}

    /** Pushes a tag of priority 0 that is not to be dropped early. */
    public static long push(MemorySegment segment, long offset, int length, int type, int id) {
        return push(segment, offset, length, type, id, 0, false);
    }

    /**
     * Puts a tag before all others of a frame.
     *
     * @param length bytes of the frame that are there
     * @param type {@link #CUSTOMER}, {@link #SERVICE} or another, 1536 to 65535
     * @param id of the VLAN, 0 to 4095
     * @param priority 0 to 7
     * @param isDropEligible whether it is to be dropped before others
     * @return where the frame starts now, {@link #LENGTH} bytes earlier; {@code offset} when it has less than an
     *     Ethernet header, and stays as it is
     * @throws IndexOutOfBoundsException if frame and headroom are not inside the segment
     */
    public static long push(
            MemorySegment segment, long offset, int length, int type, int id, int priority, boolean isDropEligible) {
        FieldRange.check("type", type, MIN_TYPE, 0xffff);
        FieldRange.check("id", id, 0xfff);
        FieldRange.check("priority", priority, 7);
        Objects.checkFromIndexSize(offset - LENGTH, (long) length + LENGTH, segment.byteSize());
        if (length < EthernetView.LENGTH) {
            return offset;
        }
        long start = offset - LENGTH;
        moveAddresses(segment, offset, start);
        int control = priority << 13 | (isDropEligible ? 1 << 12 : 0) | id;
        NetworkOrder.putU32(segment, start + ADDRESSES, (long) type << 16 | control);
        return start;
    }

    /**
     * Takes a frame's outermost tag out; what it said is to be read before.
     *
     * @param length bytes of the frame that are there
     * @return where the frame starts now, {@link #LENGTH} bytes later; {@code offset} when it has no tag, or is cut off
     *     in it, and stays as it is
     * @throws IndexOutOfBoundsException if the frame is not inside the segment
     */
    public static long pop(MemorySegment segment, long offset, int length) {
        Objects.checkFromIndexSize(offset, length, segment.byteSize());
        if (length < EthernetView.LENGTH + LENGTH || !isTag(NetworkOrder.u16(segment, offset + ADDRESSES))) {
            return offset;
        }
        moveAddresses(segment, offset, offset + LENGTH);
        return offset + LENGTH;
    }

    /** Both are read before any is written: the places overlap. */
    private static void moveAddresses(MemorySegment segment, long from, long to) {
        long first = NetworkOrder.bits64(segment, from);
        int last = NetworkOrder.bits32(segment, from + 8);
        NetworkOrder.putBits64(segment, to, first);
        NetworkOrder.putU32(segment, to + 8, last);
    }

    /** Those that the walker knows, too. */
    private static boolean isTag(int type) {
        return switch (type) {
            case CUSTOMER, SERVICE, 0x9100, 0x9200, 0x9300 -> true;
            default -> false;
        };
    }
}
