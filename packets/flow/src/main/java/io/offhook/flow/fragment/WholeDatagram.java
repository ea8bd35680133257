package io.offhook.flow.fragment;

import io.offhook.packet.buffer.CompositeBuffer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The datagram completed last: in one piece, or as the stretches of its fragments until somebody asks for one piece.
 */
final class WholeDatagram {
    private final DatagramWriter writer;
    private final boolean isReferencing;
    private final int maxStretches;

    private @Nullable CompositeBuffer stretches;
    /** The stretches describe the datagram, which is not yet in one piece. */
    private boolean isInStretches;
    /** The stretches are those of the current datagram. */
    private boolean isListed;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    boolean isShort;
    boolean isBeginningReported;
    int fragments;
    long firstFrameNumber;
    long firstTimestampNs;

    /** @param isReferencing whether datagrams are listed by reference instead of copied */
    WholeDatagram(DatagramWriter writer, boolean isReferencing, int maxStretches) {
        this.writer = writer;
        this.isReferencing = isReferencing;
        this.maxStretches = maxStretches;
    }

    /** Becomes the datagram of a packet that is first and last fragment at once, at an offset in a segment. */
    void become(FragmentView fragment, MemorySegment packet, long ipOffset, long timestampNs, long frameNumber) {
        isInStretches = false;
        isListed = false;
        if (fragment.version() == 4) {
            segment = packet;
            offset = ipOffset;
            length = fragment.payloadStart() + fragment.payloadLength();
        } else {
            segment = writer.buffer();
            offset = 0;
            isInStretches = isReferencing;
            isListed = isReferencing;
            length = isReferencing
                    ? writer.listAtomic(fragment, packet, ipOffset, frameNumber, stretchesMade())
                    : writer.writeAtomic(fragment, packet, ipOffset);
        }
        isShort = fragment.payloadLength() < fragment.payloadWireLength();
        isBeginningReported = false;
        fragments = 1;
        firstFrameNumber = frameNumber;
        firstTimestampNs = timestampNs;
    }

    /** Becomes a datagram all of whose fragments are held. */
    void become(Datagram whole) {
        isInStretches = isReferencing;
        isListed = isReferencing;
        length = isReferencing ? writer.list(whole, stretchesMade()) : writer.write(whole);
        segment = writer.buffer();
        offset = 0;
        isShort = length < whole.headerLength + whole.payloadLength;
        isBeginningReported = whole.beginningReported;
        fragments = whole.fragments;
        firstFrameNumber = whole.firstFrameNumber;
        firstTimestampNs = whole.firstTimestampNs;
    }

    /** The memory with the datagram in one piece, at {@link #offset()}. */
    MemorySegment segment() {
        if (isInStretches && stretches != null) {
            stretches.copyTo(0, writer.buffer(), 0, length);
            isInStretches = false;
        }
        return segment;
    }

    long offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /** The datagram as its parts, each with its frame number as origin. */
    CompositeBuffer stretches() {
        CompositeBuffer buffer = stretchesMade();
        if (!isListed) {
            buffer.clear();
            buffer.append(segment, offset, length, firstFrameNumber);
            isListed = true;
        }
        return buffer;
    }

    private CompositeBuffer stretchesMade() {
        CompositeBuffer made = stretches;
        if (made == null) {
            made = new CompositeBuffer(maxStretches);
            stretches = made;
        }
        return made;
    }
}
