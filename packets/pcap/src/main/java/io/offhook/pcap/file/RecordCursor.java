package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.reader.InputBytes;
import io.offhook.pcap.reader.InterfaceTable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * The records of one capture file, one after the other: the packets of pcap and snoop, the blocks of pcapng, of which most
 * are packets too.
 */
final class RecordCursor implements AutoCloseable {
    /** Records read ahead of a file that is read by itself. */
    static final int MANY_RECORDS = 4096;

    /** Records read ahead of each of several files that are read together. */
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
     * Creates a cursor before the first record.
     *
     * @param rank its place among the files that were named
     * @param records the most records read ahead, {@link #MANY_RECORDS} or {@link #FEW_RECORDS}
     */
    RecordCursor(InputBytes input, InterfaceTable interfaces, int rank, int records) {
        this.input = input;
        this.interfaces = interfaces;
        this.rank = rank;
        isPcapNg = input.describe().format() == CaptureFormat.PCAPNG;
        batch = new FrameBatch(records);
    }

    /**
     * Goes to the next record.
     *
     * @return false when there are no more
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

    /** Returns the file that the records are read from, which is closed with the cursor. */
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

    /** The block that the cursor is at, of pcapng. */
    PcapNgBlockView block() {
        return block;
    }

    /** Returns whether the record that the cursor is at is a packet; always true but for pcapng. */
    boolean isPacket() {
        return isPacket;
    }

    MemorySegment segment() {
        return batch.segmentOf(at);
    }

    /** Where the packet's bytes are. */
    long packetOffset() {
        return isPcapNg ? block.packetOffset() : batch.offset(at);
    }

    int capturedLength() {
        return isPcapNg ? block.capturedLength() : batch.capturedLength(at);
    }

    int wireLength() {
        return batch.wireLength(at);
    }

    /** Of a packet; of another block, that of the packet before it. */
    long timestampNs() {
        return batch.timestampNs(at);
    }

    int linkType() {
        return batch.linkType(at);
    }

    /** The number of a packet's interface among those of all files. */
    int interfaceNumber() {
        return batch.interfaceIndex(at);
    }

    /** @return where the first packet from here on is among the records that were read ahead; -1 where there is none */
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
                return -1; // its numbers turn around from here on
            }
        }
        return -1;
    }

    /** The time of the next packet, the one that the cursor is at included; -1 where none has been read ahead. */
    long aheadNs() {
        int next = packetAhead();
        return next < 0 ? -1 : batch.timestampNs(next);
    }

    /** By the time of the record at hand, then by the order of the files. */
    static int compare(RecordCursor one, RecordCursor other) {
        int byTime = Long.compare(one.timestampNs(), other.timestampNs());
        return byTime != 0 ? byTime : Integer.compare(one.rank, other.rank);
    }

    @Override
    public void close() {
        input.close();
    }
}
