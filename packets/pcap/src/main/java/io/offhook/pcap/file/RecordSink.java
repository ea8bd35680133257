package io.offhook.pcap.file;

import java.nio.channels.WritableByteChannel;

/** A destination for the records of capture files: packets, and the pcapng blocks that the format can hold. */
abstract sealed class RecordSink permits PcapRecordSink, PcapNgCopySink, PcapNgMergeSink {

    final CaptureOutput output = CaptureOutput.unopened();

    private boolean isOpen;
    private long blocksWritten;
    private long blocksLeftOut;

    /** Begins a file, the first or the next, with everything needed to read it on its own. */
    final void start(WritableByteChannel channel) {
        output.start(channel);
        isOpen = true;
        begin();
    }

    /** Writes what each file begins with. */
    void begin() {}

    /** Returns the bytes that the packet will take. */
    abstract long sizeOf(RecordCursor cursor, EditedPacket packet);

    /** Writes the packet that the cursor is at, possibly edited. */
    abstract void packet(RecordCursor cursor, EditedPacket packet);

    /** Writes the block that the cursor is at, which is not a packet, or leaves it out and counts it. */
    abstract void block(RecordCursor cursor);

    /** Reports that the file of a cursor has no more records. */
    void ended(RecordCursor cursor) {}

    /** Returns the bytes of the file so far, before compression. */
    final long bytes() {
        return output.written();
    }

    /** Ends the file, if one has begun. */
    final void finish() {
        if (isOpen) {
            isOpen = false;
            end();
            output.close();
        }
    }

    /** Writes what makes the file whole. */
    void end() {}

    /** Counts a block other than a packet. */
    final void count(boolean isWritten) {
        blocksWritten += isWritten ? 1 : 0;
        blocksLeftOut += isWritten ? 0 : 1;
    }

    /** Returns the blocks other than packets written to all files; a block repeated in each file counts once. */
    final long blocksWritten() {
        return blocksWritten;
    }

    /** Returns the blocks that the format cannot hold, or that must not be copied. */
    final long blocksLeftOut() {
        return blocksLeftOut;
    }

    /** Returns the options whose byte order could not be converted. */
    long optionsLeftOut() {
        return 0;
    }

    /** Returns the packets that were truncated because they are longer than a file may hold. */
    long packetsCut() {
        return 0;
    }

    /** Returns the packets with a time that the format cannot express, set to the end of its range. */
    long timestampsClamped() {
        return 0;
    }

    /** Returns the packets whose time is finer than the unit of the format. */
    long timestampsCut() {
        return 0;
    }
}
