package io.offhook.pcap.file;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A packet on its way from one capture file to another, as a {@link PacketEdit} sees and changes it.
 *
 * <p>Reused for the next packet, and single-threaded. Its bytes lie in the file that is read, and must not be written to;
 * {@link #writable} copies them to where they may.
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

    /** Its number in the order of what is read, of several files in the order they are merged in; from 1. */
    public long number() {
        return number;
    }

    /** Nanoseconds since the epoch. */
    public long timestampNs() {
        return timestampNs;
    }

    /** A {@link io.offhook.packet.LinkType} value. */
    public int linkType() {
        return linkType;
    }

    /** The segment that its bytes lie in. */
    public MemorySegment segment() {
        return segment;
    }

    /** Where they start there. */
    public long offset() {
        return offset;
    }

    /** Bytes that are there. */
    public int capturedLength() {
        return capturedLength;
    }

    /** Bytes that it had on the wire. */
    public int wireLength() {
        return wireLength;
    }

    /** Keeps only the first bytes; more than there are changes nothing. */
    public void cut(int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length " + length + " is below 0");
        }
        if (length < capturedLength) {
            capturedLength = length;
            isChanged = true;
        }
    }

    /** Its bytes where they may be written to, at {@link #offset()}, which is another from now on. */
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

    /** Whether it is other than it was read. */
    boolean isChanged() {
        return isChanged;
    }
}
