package io.offhook.flow.tcp;

import io.offhook.flow.state.RangeList;
import io.offhook.flow.state.SequenceNumbers;
import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a TCP connection, from its first payload to its end. The handler may keep a stream for any time;
 * instances are not reused. For the thread of its {@link TcpStreams}.
 */
public final class TcpStream {
    /** No FIN was seen: beyond any position, and far from overflow. */
    static final long NOWHERE = Long.MAX_VALUE / 2;

    private final long sourceHigh;
    private final long sourceLow;
    private final long destinationHigh;
    private final long destinationLow;
    private final int sourcePort;
    private final int destinationPort;
    private final int scope;
    private final boolean upward;
    /** The number of the frame with the first segment of the stream. */
    final long firstFrameNumber;

    final long firstTimestampNs;
    private @Nullable Endpoint source;
    private @Nullable Endpoint destination;
    private @Nullable Object attachment;
    private boolean ignored;
    private long bytes;
    private long missingBytes;
    private long reportedFrameNumber;
    private long reportedTimestampNs;
    private boolean gapAcknowledged;
    /** The connection; null once the stream ended. */
    @Nullable
    TcpConnection connection;

    /** The position of the next expected byte; position 0 is the first segment seen. */
    long position;
    /**
     * The position of the first byte reported; negative if the stream waited for segments from before the first one
     * seen.
     */
    long startPosition;
    /** The sequence number of the next expected byte. */
    int nextSequence;
    /** The start is unknown: everything is held, and {@link #position} stays 0. */
    boolean waiting;
    /** The position of the FIN. */
    long finPosition = NOWHERE;

    long finTimestampNs;
    long finFrameNumber;
    /** The hole reported last: a payload in it is late, not retransmitted. */
    long gapStart;

    long gapEnd;

    /** Bytes that arrived early; created on demand. */
    @Nullable
    RangeList held;
    /** The links of the list of streams that wait for a hole to fill. */
    boolean isQueued;

    @Nullable
    TcpStream queuedBefore;

    @Nullable
    TcpStream queuedAfter;
    /** The time since which the hole at {@link #holePosition} has waited. */
    long holeTimestampNs;

    long holePosition;
    /** Segments of either direction since the receiver acknowledged the bytes in the hole; 0 if it has not. */
    int segmentsSinceAcknowledged;

    TcpStream(TcpSegment first, TcpConnection connection) {
        sourceHigh = first.sourceHigh;
        sourceLow = first.sourceLow;
        sourcePort = first.sourcePort;
        destinationHigh = first.destinationHigh;
        destinationLow = first.destinationLow;
        destinationPort = first.destinationPort;
        scope = first.scope;
        upward = first.upward;
        firstFrameNumber = first.frameNumber;
        firstTimestampNs = first.timestampNs;
        reportedFrameNumber = connection.firstFrameNumber;
        reportedTimestampNs = connection.firstTimestampNs;
        this.connection = connection;
    }

    /** The sender; created on first use. */
    public Endpoint source() {
        Endpoint endpoint = source;
        if (endpoint == null) {
            endpoint = new Endpoint(sourceHigh, sourceLow, sourcePort);
            source = endpoint;
        }
        return endpoint;
    }

    /** The receiver; created on first use. */
    public Endpoint destination() {
        Endpoint endpoint = destination;
        if (endpoint == null) {
            endpoint = new Endpoint(destinationHigh, destinationLow, destinationPort);
            destination = endpoint;
        }
        return endpoint;
    }

    /** The scope that the caller passed with its segments. */
    public int scope() {
        return scope;
    }

    /**
     * The stream of the other direction while both are live; null before its first payload, and once it ended or is
     * ignored.
     */
    public @Nullable TcpStream reverse() {
        TcpConnection both = connection;
        return both == null ? null : both.direction(!upward).stream;
    }

    /** The object that the handler attached; null if there is none. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** Attaches an object for the handler's own use; null for none. */
    public void attachment(@Nullable Object attachment) {
        this.attachment = attachment;
    }

    /**
     * Stops following the stream: no further call is made for it, not even for its end, and only a mark remains in the
     * table. Takes effect at once within a call for this stream, otherwise at the stream's next packet.
     */
    public void ignore() {
        ignored = true;
    }

    /** Whether the handler ignores the stream. */
    public boolean isIgnored() {
        return ignored;
    }

    /** Bytes reported so far, including those of the current call. */
    public long bytes() {
        return bytes;
    }

    /** Bytes in the holes reported so far. */
    public long missingBytes() {
        return missingBytes;
    }

    /**
     * The number of the frame that carried the bytes reported last; before the first bytes, the first frame of the
     * connection.
     */
    public long reportedFrameNumber() {
        return reportedFrameNumber;
    }

    /** The time of that frame, in nanoseconds since the epoch. */
    public long reportedTimestampNs() {
        return reportedTimestampNs;
    }

    /**
     * Whether the receiver acknowledged the bytes in the hole reported last: they arrived, and only the capture lost
     * them.
     */
    public boolean isGapAcknowledged() {
        return gapAcknowledged;
    }

    /** For example "192.0.2.1:5060 > 192.0.2.2:40000". */
    @Override
    public String toString() {
        return source() + " > " + destination();
    }

    /** The lowest position that is held or was reported. */
    long lowest() {
        RangeList list = held;
        return waiting && list != null && !list.isEmpty() ? list.firstStart() : startPosition;
    }

    TcpDirection direction(TcpConnection connection) {
        return connection.direction(upward);
    }

    /** The position of a sequence number in the stream. */
    long positionOf(int sequence) {
        return position + SequenceNumbers.difference(sequence, nextSequence);
    }

    boolean holdsNothing() {
        RangeList list = held;
        return list == null || list.isEmpty();
    }

    /** Whether no further call may be made for the stream. */
    boolean isDone() {
        return ignored || connection == null;
    }

    void advance(int length, long frameNumber, long timestampNs) {
        reportedFrameNumber = frameNumber;
        reportedTimestampNs = timestampNs;
        position += length;
        nextSequence += length;
        bytes += length;
    }

    void skip(long length, boolean acknowledged) {
        gapAcknowledged = acknowledged;
        gapStart = position;
        position += length;
        gapEnd = position;
        nextSequence += (int) length;
        missingBytes += length;
    }
}
