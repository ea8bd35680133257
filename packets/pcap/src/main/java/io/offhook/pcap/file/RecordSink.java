package io.offhook.pcap.file;

import java.nio.channels.WritableByteChannel;

/** A destination for the records of capture files: packets, and the pcapng blocks that the format can hold. */
sealed interface RecordSink permits PcapRecordSink, PcapNgCopySink, PcapNgMergeSink {

    /** Begins a file, the first or the next, with everything needed to read it on its own. */
    void start(WritableByteChannel channel);

    /** Returns the bytes that the packet will take. */
    long sizeOf(RecordCursor cursor, EditedPacket packet);

    /** Writes the packet that the cursor is at, possibly edited. */
    void packet(RecordCursor cursor, EditedPacket packet);

    /** Writes the block that the cursor is at, which is not a packet, or leaves it out and counts it. */
    void block(RecordCursor cursor);

    /** Reports that the file of a cursor has no more records. */
    default void ended(RecordCursor cursor) {}

    /** Returns the bytes of the file so far, before compression. */
    long bytes();

    /** Ends the file. */
    void finish();

    /** Returns the blocks other than packets written to all files; a block repeated in each file counts once. */
    long blocksWritten();

    /** Returns the blocks that the format cannot hold, or that must not be copied. */
    long blocksLeftOut();

    /** Returns the options whose byte order could not be converted. */
    default long optionsLeftOut() {
        return 0;
    }

    /** Returns the packets that were truncated because they are longer than a file may hold. */
    default long packetsCut() {
        return 0;
    }

    /** Returns the packets with a time that the format cannot express, set to the end of its range. */
    default long timestampsClamped() {
        return 0;
    }

    /** Returns the packets whose time is finer than the unit of the format. */
    default long timestampsCut() {
        return 0;
    }
}
