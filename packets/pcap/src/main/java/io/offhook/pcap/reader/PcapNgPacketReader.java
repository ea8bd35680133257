package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import io.offhook.pcap.PcapNgBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads the packets of a pcapng file: turns enhanced, simple and obsolete packet blocks into frames, with times in
 * nanoseconds, and collects the losses they declare. {@link PcapNgReader} finds the blocks and checks their lengths.
 */
final class PcapNgPacketReader {
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int PACKET_HEADER = 28;
    private static final int LEAST_PACKET = PACKET_HEADER + PcapNgBlock.TRAILER;
    private static final int SIMPLE_PACKET_HEADER = 12;
    /** The length of a drop count option, which has 64 bits: the least that can declare losses. */
    private static final int DROP_COUNT_OPTION = 12;

    private static final int DROPS_NOT_KNOWN = 0xffff;

    private final String file;
    private final PcapNgSection section;
    private final PcapNgLosses losses;
    private final FaultList faults;
    private final boolean everyBlock;

    private boolean swapped;
    private long lastTimestampNs;
    private long packets;
    private long leftOut;

    /** @param everyBlock as for {@link PcapNgReader} */
    PcapNgPacketReader(String file, PcapNgSection section, PcapNgLosses losses, FaultList faults, boolean everyBlock) {
        this.file = file;
        this.section = section;
        this.losses = losses;
        this.faults = faults;
        this.everyBlock = everyBlock;
    }

    /** Starts a section with its own byte order. */
    void startSection(boolean swapped) {
        this.swapped = swapped;
        losses.startSection(packets + 1);
    }

    /**
     * Reads a run of valid enhanced packet blocks, the usual content of a capture. A block of another type, or an
     * invalid one, is left to {@link #read}, which finds the reason.
     *
     * @return whether there was at least one such block
     */
    boolean readRun(ByteWindow window, int segmentIndex, FrameBatch batch) {
        final MemorySegment segment = window.segment;
        final PcapNgSection section = this.section;
        final long limit = window.limit;
        final boolean swapped = this.swapped;
        final int before = batch.count();
        long at = window.position;
        int room = batch.capacity() - before;
        long timestampNs = lastTimestampNs;
        while (room > 0 && limit - at >= LEAST_PACKET) {
            window.touchAhead(at);
            int type = segment.get(U32, at);
            int length = segment.get(U32, at + 4);
            int interfaceId = segment.get(U32, at + 8);
            int high = segment.get(U32, at + 12);
            int low = segment.get(U32, at + 16);
            int captured = segment.get(U32, at + 20);
            int wire = segment.get(U32, at + 24);
            if (swapped) {
                type = Integer.reverseBytes(type);
                length = Integer.reverseBytes(length);
                interfaceId = Integer.reverseBytes(interfaceId);
                high = Integer.reverseBytes(high);
                low = Integer.reverseBytes(low);
                captured = Integer.reverseBytes(captured);
                wire = Integer.reverseBytes(wire);
            }
            if (type != PcapNgBlock.ENHANCED_PACKET
                    || length < LEAST_PACKET
                    || length > RecordReader.MOST_RECORD_BYTES
                    || length > limit - at
                    || (length & 3) != 0) {
                break;
            }
            int trailer = segment.get(U32, at + length - PcapNgBlock.TRAILER);
            int index = section.index(interfaceId);
            if ((swapped ? Integer.reverseBytes(trailer) : trailer) != length
                    || index < 0
                    || captured < 0
                    || captured > Math.min(length - LEAST_PACKET, section.packetLimit(index))) {
                break;
            }
            long beforeNs = timestampNs;
            timestampNs = section.toNs(index, (long) high << 32 | low & 0xffff_ffffL);
            batch.add(
                    segmentIndex,
                    at + PACKET_HEADER,
                    captured,
                    wire < 0 ? Integer.MAX_VALUE : wire,
                    timestampNs,
                    section.interfaceIndex(index),
                    section.linkType(index));
            if (length - captured >= LEAST_PACKET + DROP_COUNT_OPTION) {
                long frame = packets + batch.count() - before;
                readDropCount(segment, at, captured, length, index, frame, beforeNs, timestampNs);
            }
            at += length;
            room--;
        }
        if (batch.count() > before) {
            losses.packet(packets + 1, batch.timestampNs(before));
        }
        window.position = at;
        lastTimestampNs = timestampNs;
        packets += batch.count() - before;
        return batch.count() > before;
    }

    private void readDropCount(
            MemorySegment segment,
            long at,
            int captured,
            int length,
            int index,
            long frame,
            long beforeNs,
            long timestampNs) {
        long options = at + PACKET_HEADER + PcapNgBlock.padded(captured);
        long dropped = section.dropCount(segment, options, at + length - PcapNgBlock.TRAILER);
        losses.beforePacket(index, dropped, frame, beforeNs, timestampNs);
    }

    /**
     * Reads a packet block of any type, valid or not.
     *
     * @param end the end of the block's body
     * @return false if it is damaged, which was added to the fault list
     */
    boolean read(ByteWindow window, long end, int type, int segmentIndex, FrameBatch batch) {
        return type == PcapNgBlock.SIMPLE_PACKET
                ? readSimple(window, end, segmentIndex, batch)
                : readTimed(window, end, type, segmentIndex, batch);
    }

    private boolean readTimed(ByteWindow window, long end, int type, int segmentIndex, FrameBatch batch) {
        MemorySegment segment = window.segment;
        long at = window.position;
        if (end - at < PACKET_HEADER) {
            return fail(window, at + 4, "a packet block of at least " + LEAST_PACKET + " bytes was expected");
        }
        int inSection = type == PcapNgBlock.ENHANCED_PACKET ? u32(segment, at + 8) : u16(segment, at + 8);
        int captured = u32(segment, at + 20);
        int wire = u32(segment, at + 24);
        int index = section.index(inSection);
        int most = (int) Math.min(
                end - at - PACKET_HEADER, index < 0 ? RecordReader.MOST_PACKET_BYTES : section.packetLimit(index));
        if (captured < 0 || captured > most) {
            return fail(
                    window,
                    at + 20,
                    "at most " + most + " captured bytes were expected, " + (captured & 0xffff_ffffL) + " announced");
        }
        if (index < 0) {
            leftOut++;
            section.reportMissing(window.fileOffset(at + 8), inSection & 0xffff_ffffL);
            return true;
        }
        long units = (long) u32(segment, at + 12) << 32 | u32(segment, at + 16) & 0xffff_ffffL;
        long beforeNs = lastTimestampNs;
        lastTimestampNs = section.toNs(index, units);
        addFrame(batch, segmentIndex, at, at + PACKET_HEADER, captured, wire, index, end);
        if (type == PcapNgBlock.ENHANCED_PACKET) {
            int length = (int) (end - at) + PcapNgBlock.TRAILER;
            readDropCount(segment, at, captured, length, index, packets, beforeNs, lastTimestampNs);
        } else {
            int dropped = u16(segment, at + 10);
            losses.beforePacket(index, dropped == DROPS_NOT_KNOWN ? 0 : dropped, packets, beforeNs, lastTimestampNs);
        }
        return true;
    }

    private boolean readSimple(ByteWindow window, long end, int segmentIndex, FrameBatch batch) {
        long at = window.position;
        if (end - at < SIMPLE_PACKET_HEADER) {
            return fail(
                    window,
                    at + 4,
                    "a packet block of at least " + (SIMPLE_PACKET_HEADER + PcapNgBlock.TRAILER)
                            + " bytes was expected");
        }
        int index = section.index(0);
        if (index < 0) {
            leftOut++;
            section.reportMissing(window.fileOffset(at), 0);
            return true;
        }
        long wire = u32(window.segment, at + 8) & 0xffff_ffffL;
        long snapLength = section.snapLength(index);
        long captured = snapLength == 0 ? wire : Math.min(wire, snapLength);
        long most = Math.min(end - at - SIMPLE_PACKET_HEADER, section.packetLimit(index));
        if (captured > most) {
            return fail(
                    window,
                    at + 8,
                    "at most " + most + " captured bytes were expected, " + captured + " follow from the length");
        }
        addFrame(batch, segmentIndex, at, at + SIMPLE_PACKET_HEADER, (int) captured, (int) wire, index, end);
        return true;
    }

    /** @param end the end of the block's body, which starts at {@code at} */
    private void addFrame(
            FrameBatch batch, int segmentIndex, long at, long offset, int captured, int wire, int index, long end) {
        batch.add(
                segmentIndex,
                everyBlock ? at : offset,
                everyBlock ? (int) (end - at) + PcapNgBlock.TRAILER : captured,
                wire < 0 ? Integer.MAX_VALUE : wire,
                lastTimestampNs,
                section.interfaceIndex(index),
                section.linkType(index));
        packets++;
        losses.packet(packets, lastTimestampNs);
    }

    private boolean fail(ByteWindow window, long at, String message) {
        faults.add(new CaptureFault(Kind.DAMAGED, file, window.fileOffset(at), message));
        return false;
    }

    private int u16(MemorySegment segment, long offset) {
        short value = segment.get(U16, offset);
        return (swapped ? Short.reverseBytes(value) : value) & 0xffff;
    }

    private int u32(MemorySegment segment, long offset) {
        int value = segment.get(U32, offset);
        return swapped ? Integer.reverseBytes(value) : value;
    }

    /** Returns the time of the last packet, also of a simple one. */
    long lastTimestampNs() {
        return lastTimestampNs;
    }

    /** Returns the packets found so far. */
    long count() {
        return packets;
    }

    /** Returns the packets of interfaces that are not described. */
    long leftOut() {
        return leftOut;
    }
}
