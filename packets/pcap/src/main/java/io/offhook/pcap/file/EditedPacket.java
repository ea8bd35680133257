package io.offhook.pcap.file;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A packet on its way from one capture file to another, as a {@link PacketEdit} sees and changes it.
 *
 * <p>Reused for the next packet, and single-threaded. Its bytes are those of the input file and must not be written to;
 * {@link #writable} copies them to writable memory.
 */
public final class EditedPacket {
    private static final int USUAL_BYTES = 1 << 16;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int capturedLength;
    private int wireLength;
    private long timestampNs;
    private int linkType;
    private long number;
    private boolean isChanged;
    private boolean isCopied;
    private MemorySegment scratch = MemorySegment.NULL;

    /** Creates an empty packet, to be {@link #set} before it is used. */
    EditedPacket() {}

    /** Sets this to the unchanged packet that the cursor is at, with its {@link #number}, from 1. */
    void set(RecordCursor cursor, long number) {
        segment = cursor.segment();
        offset = cursor.packetOffset();
        capturedLength = cursor.capturedLength();
        wireLength = cursor.wireLength();
        timestampNs = cursor.timestampNs();
        linkType = cursor.linkType();
        this.number = number;
        isChanged = false;
        isCopied = false;
    }

    /** Returns its number, from 1, in reading order; for several files, in the order in which they are merged. */
    public long number() {
        return number;
    }

    /** Returns its time in nanoseconds since the epoch. */
    public long timestampNs() {
        return timestampNs;
    }

    /** Returns its link type, a {@link io.offhook.packet.LinkType} value. */
    public int linkType() {
        return linkType;
    }

    /** Returns the segment that contains its bytes. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the offset of its first byte in the segment. */
    public long offset() {
        return offset;
    }

    /** Returns its captured length in bytes. */
    public int capturedLength() {
        return capturedLength;
    }

    /** Returns its length on the wire in bytes. */
    public int wireLength() {
        return wireLength;
    }

    /** Cuts it to a length; a length not below the captured one changes nothing. */
    public void cut(int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length " + length + " is below 0");
        }
        if (length < capturedLength) {
            capturedLength = length;
            isChanged = true;
        }
    }

    /** Returns writable memory with its bytes, at {@link #offset()}, which changes with the first call. */
    public MemorySegment writable() {
        if (!isCopied) {
            isCopied = true;
            if (scratch.byteSize() < capturedLength) {
                scratch = Arena.ofAuto().allocate(Math.max(USUAL_BYTES, capturedLength));
            }
            MemorySegment.copy(segment, offset, scratch, 0, capturedLength);
            segment = scratch;
            offset = 0;
        }
        isChanged = true;
        return segment;
    }

    /** Returns whether it differs from the packet that was read. */
    boolean isChanged() {
        return isChanged;
    }
}
