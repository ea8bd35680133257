package io.offhook.rtp;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Iterates the blocks of an RTCP XR packet (RFC 3611, 3).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |  block type   | type-specific |   length in words, less one   |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                 type-specific block contents                  |
 *
 *   VoIP metrics (type 7, 4.7):
 * |                        SSRC of source                         |
 * |   loss rate   | discard rate  | burst density |  gap density  |
 * |       burst duration          |         gap duration          |
 * |     round trip delay          |       end system delay        |
 * | signal level  |  noise level  |     RERL      |     Gmin      |
 * |   R factor    | ext. R factor |    MOS-LQ     |    MOS-CQ     |
 * |   RX config   |   reserved    |          JB nominal           |
 * |          JB maximum           |          JB abs max           |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * <p>A block that goes past the packet ends the iteration; one too short for its type is skipped and counted. Accessors
 * of one block type are in bounds on blocks of that type only. Reused and single-threaded; valid while the bytes are.
 */
public final class XrReader {
    /** Loss run-length encoding (RFC 3611, 4.1). */
    public static final int LOSS_RLE = 1;
    /** Duplicate run-length encoding (RFC 3611, 4.2). */
    public static final int DUPLICATE_RLE = 2;
    /** Packet receipt times (RFC 3611, 4.3). */
    public static final int PACKET_RECEIPT_TIMES = 3;
    /** Receiver reference time (RFC 3611, 4.4). */
    public static final int RECEIVER_REFERENCE_TIME = 4;
    /** Delay since the last receiver report, DLRR (RFC 3611, 4.5). */
    public static final int DLRR = 5;
    /** Statistics summary (RFC 3611, 4.6). */
    public static final int STATISTICS_SUMMARY = 6;
    /** VoIP metrics (RFC 3611, 4.7). */
    public static final int VOIP_METRICS = 7;

    private static final int HEADER = 4;
    private static final int DLRR_ENTRY = 12;

    private MemorySegment segment = MemorySegment.NULL;
    private long block;
    private int blockType;
    private long position;
    private long end;
    private int malformed;

    /** Creates a reader without blocks. */
    public XrReader() {}

    /** Restarts with the blocks of an XR packet; other packets have none. */
    public void wrap(RtcpView rtcp) {
        segment = rtcp.segment();
        end = rtcp.bodyEnd();
        position = rtcp.packetType() == RtcpView.EXTENDED_REPORT ? rtcp.bodyOffset() + 4 : end;
        block = position;
        blockType = 0;
        malformed = 0;
    }

    /** Moves to the next block; false if there is none. */
    public boolean next() {
        while (end - position >= HEADER) {
            int length = HEADER + 4 * NetworkOrder.u16(segment, position + 2);
            if (length > end - position) {
                malformed++;
                break;
            }
            block = position;
            position += length;
            blockType = NetworkOrder.u8(segment, block);
            if (length >= minimumLength(blockType)) {
                return true;
            }
            malformed++;
        }
        block = end;
        position = end;
        blockType = 0;
        return false;
    }

    private static int minimumLength(int blockType) {
        return switch (blockType) {
            case LOSS_RLE, DUPLICATE_RLE, PACKET_RECEIPT_TIMES, RECEIVER_REFERENCE_TIME -> 12;
            case STATISTICS_SUMMARY -> 40;
            case VOIP_METRICS -> 36;
            default -> HEADER;
        };
    }

    /** Blocks that did not fit into the packet, or were too short for their type. */
    public int malformed() {
        return malformed;
    }

    /** The block type; RFC 3611 defines 1 to 7. */
    public int blockType() {
        return blockType;
    }

    /** The name of the block type by its section in RFC 3611; otherwise its number. */
    public String blockTypeName() {
        return switch (blockType()) {
            case LOSS_RLE -> "Loss RLE";
            case DUPLICATE_RLE -> "Duplicate RLE";
            case PACKET_RECEIPT_TIMES -> "Packet Receipt Times";
            case RECEIVER_REFERENCE_TIME -> "Receiver Reference Time";
            case DLRR -> "DLRR";
            case STATISTICS_SUMMARY -> "Statistics Summary";
            case VOIP_METRICS -> "VoIP Metrics";
            default -> Integer.toString(blockType());
        };
    }

    /** Octets of the block, header included. */
    public int blockLength() {
        return (int) (position - block);
    }

    /** The second octet of the block: flags, thinning, or unused. */
    public int typeSpecific() {
        return u8(1);
    }

    /** Of types 1, 2, 3, 6 and 7: the SSRC of the stream that the block reports on. */
    public long ssrc() {
        return switch (blockType) {
            case LOSS_RLE, DUPLICATE_RLE, PACKET_RECEIPT_TIMES, STATISTICS_SUMMARY, VOIP_METRICS -> u32(HEADER);
            default -> 0;
        };
    }

    /** Of a Receiver Reference Time block (4.4): the time of sending, as in {@link RtcpView#ntpTimestamp()}. */
    public long ntpTimestamp() {
        return blockType == RECEIVER_REFERENCE_TIME ? NetworkOrder.bits64(segment, block + HEADER) : 0;
    }

    /** Of a DLRR block (4.5): the number of receivers that it answers; 0 for other types. */
    public int dlrrCount() {
        return blockType == DLRR ? (blockLength() - HEADER) / DLRR_ENTRY : 0;
    }

    private long dlrr(int index) {
        return block + HEADER + (long) DLRR_ENTRY * Objects.checkIndex(index, dlrrCount());
    }

    /** Of DLRR entry {@code index}: the SSRC of the receiver whose reference time it answers. */
    public long dlrrSsrc(int index) {
        return NetworkOrder.u32(segment, dlrr(index));
    }

    /** Of DLRR entry {@code index}: the middle 32 bits of the last reference time from that receiver. */
    public long lastReceiverReport(int index) {
        return NetworkOrder.u32(segment, dlrr(index) + 4);
    }

    /** Of DLRR entry {@code index}: the time since then, in 1/65536 s. */
    public long delaySinceLastReceiverReport(int index) {
        return NetworkOrder.u32(segment, dlrr(index) + 8);
    }

    /** Of types 1, 2, 3 and 6: the first sequence number of the interval. */
    public int beginSequence() {
        return hasInterval() ? u16(8) : 0;
    }

    /** Of types 1, 2, 3 and 6: the sequence number after the last one of the interval. */
    public int endSequence() {
        return hasInterval() ? u16(10) : 0;
    }

    private boolean hasInterval() {
        return switch (blockType) {
            case LOSS_RLE, DUPLICATE_RLE, PACKET_RECEIPT_TIMES, STATISTICS_SUMMARY -> true;
            default -> false;
        };
    }

    /** Of a Statistics Summary (4.6): whether it reports losses. */
    public boolean hasLosses() {
        return summaryFlags(0x80) != 0;
    }

    /** Of a Statistics Summary: whether it reports duplicates. */
    public boolean hasDuplicates() {
        return summaryFlags(0x40) != 0;
    }

    /** Of a Statistics Summary: whether it reports jitter. */
    public boolean hasJitter() {
        return summaryFlags(0x20) != 0;
    }

    /** Of a Statistics Summary: packets lost in the interval. */
    public long lostPackets() {
        return ofSummary(12);
    }

    /** Of a Statistics Summary: duplicates in the interval. */
    public long duplicatePackets() {
        return ofSummary(16);
    }

    /** Of a Statistics Summary: the smallest difference in transit time between consecutive packets, in ticks. */
    public long minJitter() {
        return ofSummary(20);
    }

    /** Of a Statistics Summary: the largest difference in transit time between consecutive packets, in ticks. */
    public long maxJitter() {
        return ofSummary(24);
    }

    /** Of a Statistics Summary: the mean difference in transit time between consecutive packets, in ticks. */
    public long meanJitter() {
        return ofSummary(28);
    }

    /** Of a Statistics Summary: the standard deviation of the difference in transit time, in ticks. */
    public long jitterDeviation() {
        return ofSummary(32);
    }

    private int summaryFlags(int mask) {
        return blockType == STATISTICS_SUMMARY ? u8(1) & mask : 0;
    }

    private long ofSummary(int place) {
        return blockType == STATISTICS_SUMMARY ? u32(place) : 0;
    }

    /** Of a VoIP Metrics block: its fields as an owned record; undefined for other blocks. Allocates. */
    public VoipMetrics voipMetrics() {
        return new VoipMetrics(
                ssrc(),
                u8(8),
                u8(9),
                new VoipMetrics.Bursts(u8(10), u8(11), u16(12), u16(14), u8(23)),
                u16(16),
                u16(18),
                new VoipMetrics.Levels((byte) u8(20), (byte) u8(21), u8(22)),
                u8(24),
                u8(25),
                u8(26),
                u8(27),
                u8(28),
                new VoipMetrics.JitterBufferDelay(u16(30), u16(32), u16(34)));
    }

    // fields of the block; 0 if the block does not have the field

    private int u8(int place) {
        return place < blockLength() ? NetworkOrder.u8(segment, block + place) : 0;
    }

    private int u16(int place) {
        return place + 2 <= blockLength() ? NetworkOrder.u16(segment, block + place) : 0;
    }

    private long u32(int place) {
        return place + 4 <= blockLength() ? NetworkOrder.u32(segment, block + place) : 0;
    }
}
