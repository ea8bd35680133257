package io.offhook.linux.lanes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a board: a header, then a record a lane. All numbers are little-endian and aligned; texts are UTF-8 and end with
 * the first 0, or where their room ends. A record has four cache lines of its own, so that no lane waits for another one's.
 *
 * <pre>
 * header                              record
 *   0  magic                            0  sequence: odd while the record is written
 *   8  version                          8  state: 0 free, 1 working, 2 waiting, 3 ended
 *  12  length of the header            12  native id of the thread
 *  16  length of a record              16  processor that it is pinned to; -1 for none
 *  20  number of records               24  when the state began or was confirmed, nanoseconds of CLOCK_MONOTONIC
 *  24  process id                      32  nanoseconds with work
 *  32  start of the process,           40  nanoseconds without work
 *      clock ticks after boot          48  rounds
 *  40  lanes without a record          56  frames
 *  48  namespace of process ids        64  the longest stall, nanoseconds
 *  64  command, 64 bytes
 *                                      72  stalls
 *                                      80  frames lost
 *                                      88  depth of its queue
 *                                      96  the greatest depth
 *                                     104  room in the queue; 0 if there is none
 *                                     128  name of the lane, 64 bytes
 *                                     192  what waits in the queue, 64 bytes
 * </pre>
 */
final class LaneLayout {
    /** "OFHLANES". */
    static final long MAGIC = 0x53454e414c48464fL;

    static final int VERSION = 1;
    static final int HEADER_BYTES = 128;
    static final int RECORD_BYTES = 256;

    /** The most lanes of a board; more are counted. */
    static final int MOST_LANES = 64;

    static final int BOARD_BYTES = HEADER_BYTES + MOST_LANES * RECORD_BYTES;
    static final int TEXT_BYTES = 64;

    /** How a reader limits what it takes from a header: of a later version, lengths may be greater. */
    static final int MOST_BYTES_OF_ONE = 4096;

    static final int VERSION_AT = 8;
    static final int HEADER_LENGTH_AT = 12;
    static final int RECORD_LENGTH_AT = 16;
    static final int RECORDS_AT = 20;
    static final int PROCESS_AT = 24;
    static final int START_AT = 32;
    static final int UNPUBLISHED_AT = 40;
    static final int NAMESPACE_AT = 48;
    static final int COMMAND_AT = 64;

    static final int SEQUENCE_AT = 0;
    static final int STATE_AT = 8;
    static final int NATIVE_ID_AT = 12;
    static final int PINNED_AT = 16;
    static final int CHANGED_AT = 24;
    static final int BUSY_AT = 32;
    static final int IDLE_AT = 40;
    static final int ROUNDS_AT = 48;
    static final int FRAMES_AT = 56;
    static final int LONGEST_AT = 64;
    static final int STALLS_AT = 72;
    static final int DROPS_AT = 80;
    static final int DEPTH_AT = 88;
    static final int DEEPEST_AT = 96;
    static final int ROOM_AT = 104;
    static final int NAME_AT = 128;
    static final int QUEUE_AT = 192;

    static final int FREE = 0;
    static final int WORKING = 1;
    static final int WAITING = 2;
    static final int ENDED = 3;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final VarHandle SEQUENCE = LONG.varHandle();

    private LaneLayout() {}

    /** Writes a text, as many whole characters of it as there is room for. */
    static void text(MemorySegment to, long at, String text) {
        String fitting = text;
        byte[] bytes = fitting.getBytes(StandardCharsets.UTF_8);
        while (bytes.length > TEXT_BYTES) {
            fitting = fitting.substring(0, fitting.offsetByCodePoints(fitting.length(), -1));
            bytes = fitting.getBytes(StandardCharsets.UTF_8);
        }
        MemorySegment room = to.asSlice(at, TEXT_BYTES);
        room.fill((byte) 0);
        MemorySegment.copy(bytes, 0, room, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    /** Reads a text; what is no UTF-8 is replaced. */
    static String text(MemorySegment from, long at) {
        byte[] bytes = new byte[TEXT_BYTES];
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, bytes, 0, bytes.length);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
