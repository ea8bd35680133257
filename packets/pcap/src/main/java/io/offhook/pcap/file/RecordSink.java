package io.offhook.pcap.file;

import java.nio.channels.WritableByteChannel;

/** Where records of capture files go: packets, and blocks of pcapng as far as the format has a place for them. */
sealed interface RecordSink permits PcapRecordSink, PcapNgCopySink, PcapNgMergeSink {

    /** A file begins, the first or one after the other, with all that it needs to be read by itself. */
    void start(WritableByteChannel channel);

    /** Bytes that the packet will take. */
    long sizeOf(RecordCursor cursor, EditedPacket packet);

    /** Writes the packet that the cursor is at, perhaps edited. */
    void packet(RecordCursor cursor, EditedPacket packet);

    /** Writes the block that the cursor is at, which is no packet; or leaves it out and counts it. */
    void block(RecordCursor cursor);

    /** The file that a cursor reads has no more records. */
    default void ended(RecordCursor cursor) {}

    /** Bytes of the file so far, before compression. */
    long bytes();

    /** Ends the file. */
    void finish();

    /** Blocks other than packets that were written, of all files; those that each file needs count once. */
    long blocksWritten();

    /** Blocks that have no place here, or whose makers do not want them to be copied. */
    long blocksLeftOut();

    /** Options whose byte order could not be turned. */
    default long optionsLeftOut() {
        return 0;
    }

    /** Packets of which the end is missing, since they are longer than a file may hold. */
    default long packetsCut() {
        return 0;
    }

    /** Packets with a time that the format does not have, set to the end of its range. */
    default long timestampsClamped() {
        return 0;
    }

    /** Packets with a time finer than the format's. */
    default long timestampsCut() {
        return 0;
    }
}
