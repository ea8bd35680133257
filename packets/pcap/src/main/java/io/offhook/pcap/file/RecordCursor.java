package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.reader.InputBytes;
import io.offhook.pcap.reader.InterfaceTable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * The records of one capture file in their order: the packets of pcap and snoop, the blocks of pcapng, most of which
 * are packets too.
 */
final class RecordCursor {
    /** The number of records read ahead of a file that is read alone. */
    static final int MANY_RECORDS = 4096;

    /** The number of records read ahead of each of several files that are read together. */
    static final int FEW_RECORDS = 256;

    private final InputBytes input;
    private final InterfaceTable interfaces;
    private final int rank;
    private final boolean isPcapNg;
    private final FrameBatch batch;
    private final PcapNgBlockView block = new PcapNgBlockView();
    private final PcapNgBlockView ahead = new PcapNgBlockView();

    private int at = -1;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private boolean isPacket;

    /**
     * Creates a cursor before the first record of one of the files.
     *
     * @param rank the position of the file among those given
     * @param records the most records to read ahead, {@link #MANY_RECORDS} or {@link #FEW_RECORDS}
     */
    RecordCursor(OpenedFiles files, int rank, int records) {
        input = files.inputs().get(rank);
        interfaces = files.interfaces();
        this.rank = rank;
        isPcapNg = input.describe().format() == CaptureFormat.PCAPNG;
        batch = new FrameBatch(records);
    }

    /**
     * Moves to the next record.
     *
     * @return false if there are no more
     */
    boolean next() {
        at++;
        if (at >= batch.count()) {
            batch.clear(1);
            input.fill(batch);
            at = 0;
            if (batch.count() == 0) {
                return false;
            }
        }
        isPacket = true;
        if (isPcapNg) {
            block.wrap(batch.segmentOf(at), batch.offset(at), batch.capturedLength(at), order);
            order = block.order();
            isPacket = block.isPacket();
            if (block.type() == PcapNgBlock.SIMPLE_PACKET) {
                long snapLength = interfaces.get(batch.interfaceIndex(at)).snapLength();
                block.wrap(batch.segmentOf(at), batch.offset(at), batch.capturedLength(at), order, snapLength);
            }
        }
        return true;
    }

    /** Returns the file that the records are read from. */
    InputBytes input() {
        return input;
    }

    int rank() {
        return rank;
    }

    /** Returns whether the file is pcapng, so that its records are blocks. */
    boolean isPcapNg() {
        return isPcapNg;
    }

    /** Returns the pcapng block that the cursor is at. */
    PcapNgBlockView block() {
        return block;
    }

    /** Returns whether the record that the cursor is at is a packet; always true except in pcapng. */
    boolean isPacket() {
        return isPacket;
    }

    MemorySegment segment() {
        return batch.segmentOf(at);
    }

    /** Returns the offset of the packet's bytes. */
    long packetOffset() {
        return isPcapNg ? block.packetOffset() : batch.offset(at);
    }

    int capturedLength() {
        return isPcapNg ? block.capturedLength() : batch.capturedLength(at);
    }

    int wireLength() {
        return batch.wireLength(at);
    }

    /** Returns the time of a packet in nanoseconds since the epoch; for another block, that of the packet before it. */
    long timestampNs() {
        return batch.timestampNs(at);
    }

    int linkType() {
        return batch.linkType(at);
    }

    /** Returns the number of the packet's interface among those of all files. */
    int interfaceNumber() {
        return batch.interfaceIndex(at);
    }

    /**
     * @return the index of the next packet, from the current record on, among the records read ahead; -1 if there is
     *     none
     */
    private int packetAhead() {
        for (int i = Math.max(at, 0); i < batch.count(); i++) {
            if (!isPcapNg) {
                return i;
            }
            ahead.wrap(batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), order);
            if (ahead.isPacket()) {
                return i;
            }
            if (ahead.type() == PcapNgBlock.SECTION_HEADER && ahead.order() != order) {
                return -1; // the byte order may change from here on
            }
        }
        return -1;
    }

    /** Returns the time of the next packet, the current one included; -1 if none was read ahead. */
    long aheadNs() {
        int next = packetAhead();
        return next < 0 ? -1 : batch.timestampNs(next);
    }

    /** Compares by the time of the current record, then by the order of the files. */
    static int compare(RecordCursor one, RecordCursor other) {
        int byTime = Long.compare(one.timestampNs(), other.timestampNs());
        return byTime != 0 ? byTime : Integer.compare(one.rank, other.rank);
    }
}
