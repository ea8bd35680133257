package io.offhook.flow;

import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a TCP connection, from its first payload to its end. The handler may keep it as long as it likes; it
 * is never used for another stream. Single-threaded, as its {@link TcpStreams} is.
 */
public final class TcpStream {
    /** No FIN was seen: farther than any position, and far from overflow. */
    static final long NOWHERE = Long.MAX_VALUE / 2;

    private final long sourceHigh;
    private final long sourceLow;
    private final long destinationHigh;
    private final long destinationLow;
    private final int sourcePort;
    private final int destinationPort;
    private final int scope;
    private final boolean upward;
    /** Where it began: its first segment. */
    final long firstFrameNumber;

    final long firstTimestampNs;
    private @Nullable Endpoint source;
    private @Nullable Endpoint destination;
    private @Nullable Object attachment;
    private boolean ignored;
    private long bytes;
    private long missingBytes;
    private long toldFrameNumber;
    private long toldTimestampNs;
    private boolean gapAcknowledged;
    /** Null once the stream ended. */
    @Nullable
    TcpConnection connection;

    /** Where the next byte expected lies; 0 is that of the first segment seen. */
    long position;
    /** Where the first byte told lies; below 0 if segments from before the first one seen were waited for. */
    long startPosition;
    /** The sequence number of the next byte expected. */
    int nextSequence;
    /** The beginning is not known: all is held, and {@link #position} stays 0. */
    boolean waiting;
    /** The position of the FIN. */
    long finPosition = NOWHERE;

    long finTimestampNs;
    long finFrameNumber;
    /** The hole told last: what comes for it is late, not sent again. */
    long gapStart;

    long gapEnd;

    /** What came before its turn; made when there is some. */
    @Nullable
    RangeList held;
    /** Its place among the streams that wait for a hole to fill. */
    boolean isQueued;

    @Nullable
    TcpStream queuedBefore;

    @Nullable
    TcpStream queuedAfter;
    /** What the hole at {@link #holePosition} waits since. */
    long holeTimestampNs;

    long holePosition;
    /** Segments of either direction since the receiver acknowledged what lies in the hole; 0 if it has not. */
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
        toldFrameNumber = connection.firstFrameNumber;
        toldTimestampNs = connection.firstTimestampNs;
        this.connection = connection;
    }

    /** Who sends. Made when it is first asked for. */
    public Endpoint source() {
        Endpoint endpoint = source;
        if (endpoint == null) {
            endpoint = new Endpoint(sourceHigh, sourceLow, sourcePort);
            source = endpoint;
        }
        return endpoint;
    }

    /** Who receives. Made when it is first asked for. */
    public Endpoint destination() {
        Endpoint endpoint = destination;
        if (endpoint == null) {
            endpoint = new Endpoint(destinationHigh, destinationLow, destinationPort);
            destination = endpoint;
        }
        return endpoint;
    }

    /** The scope that its segments were given with. */
    public int scope() {
        return scope;
    }

    /** The other direction, as long as both live: null before its first payload, and once it ended or is ignored. */
    public @Nullable TcpStream reverse() {
        TcpConnection both = connection;
        return both == null ? null : both.direction(!upward).stream;
    }

    /** What the handler put here. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** A place for whatever the handler wants to find again with the stream. */
    public void attachment(@Nullable Object attachment) {
        this.attachment = attachment;
    }

    /**
     * Wants no more of the stream: no call follows, not even for its end, and what is left of it is a mark in the table.
     * Called from within a call for this stream it takes effect at once, else with the stream's next packet.
     */
    public void ignore() {
        ignored = true;
    }

    /** Whether nobody wants its bytes. */
    public boolean isIgnored() {
        return ignored;
    }

    /** Bytes told so far, those of the call at hand included. */
    public long bytes() {
        return bytes;
    }

    /** Bytes of the gaps told so far. */
    public long missingBytes() {
        return missingBytes;
    }

    /** The packet that brought the bytes told last; before there are any, the first of the connection. */
    public long toldFrameNumber() {
        return toldFrameNumber;
    }

    /** The time of that packet. */
    public long toldTimestampNs() {
        return toldTimestampNs;
    }

    /** Whether the receiver acknowledged what lay in the gap told last: it came, and was lost to the capture alone. */
    public boolean isGapAcknowledged() {
        return gapAcknowledged;
    }

    /** "192.0.2.1:5060 > 192.0.2.2:40000". */
    @Override
    public String toString() {
        return source() + " > " + destination();
    }

    /** The lowest position that is held or was told. */
    long lowest() {
        RangeList list = held;
        return waiting && list != null && !list.isEmpty() ? list.firstStart() : startPosition;
    }

    TcpDirection direction(TcpConnection connection) {
        return connection.direction(upward);
    }

    /** Where in the stream a sequence number lies. */
    long positionOf(int sequence) {
        return position + SequenceNumbers.difference(sequence, nextSequence);
    }

    boolean holdsNothing() {
        RangeList list = held;
        return list == null || list.isEmpty();
    }

    /** No call for it may follow. */
    boolean isDone() {
        return ignored || connection == null;
    }

    void advance(int length, long frameNumber, long timestampNs) {
        toldFrameNumber = frameNumber;
        toldTimestampNs = timestampNs;
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
