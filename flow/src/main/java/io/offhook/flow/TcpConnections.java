package io.offhook.flow;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The connections that are known, found by their two endpoints and scope, and in an order of age: those with a live
 * stream, and apart from them mere marks (a SYN, closed, ignored), which are cheap to lose.
 *
 * <p>Age is that of the last packet, to a second: a connection in use changes its place once a second, not with each
 * packet.
 */
final class TcpConnections {
    private static final long SECOND_NS = 1_000_000_000;

    /** So many of the table's places marks may have before they give way first: a sixteenth. */
    private static final int SHARE_OF_MARKS = 4;

    private final KeyTable table;
    private final int marksKept;
    private final AgeList withStream = new AgeList();
    private final AgeList marks = new AgeList();
    private int streams;
    private TcpConnection[] connections = new TcpConnection[0];

    /** The key asked for last, so that what was not found can be added. */
    private int hash;

    private long lowHigh;
    private long lowLow;
    private long highHigh;
    private long highLow;
    private long ports;

    TcpConnections(int limit) {
        table = new KeyTable(limit);
        marksKept = limit >>> SHARE_OF_MARKS;
    }

    int size() {
        return table.size();
    }

    boolean isFull() {
        return table.isFull();
    }

    /** The connection of a segment, or null. Tells the segment which direction it is. */
    @Nullable
    TcpConnection find(TcpSegment s) {
        boolean upward = isUpward(s);
        s.upward = upward;
        if (upward) {
            lowHigh = s.sourceHigh;
            lowLow = s.sourceLow;
            highHigh = s.destinationHigh;
            highLow = s.destinationLow;
            ports = (s.sourcePort & 0xffffL) << 16 | s.destinationPort & 0xffffL;
        } else {
            lowHigh = s.destinationHigh;
            lowLow = s.destinationLow;
            highHigh = s.sourceHigh;
            highLow = s.sourceLow;
            ports = (s.destinationPort & 0xffffL) << 16 | s.sourcePort & 0xffffL;
        }
        ports |= (long) s.scope << 32;
        hash = table.hash(lowHigh, lowLow, highHigh, highLow, ports);
        int number = table.find(hash, lowHigh, lowLow, highHigh, highLow, ports);
        return number == KeyTable.NONE ? null : connections[number];
    }

    /** Adds the connection that was not found last; there is room. */
    TcpConnection addMissing(long frameNumber, long timestampNs) {
        int number = table.add(hash, lowHigh, lowLow, highHigh, highLow, ports);
        if (number >= connections.length) {
            int known = connections.length;
            connections = Arrays.copyOf(connections, Math.max(64, known * 2));
            for (int i = known; i < connections.length; i++) {
                connections[i] = new TcpConnection(i);
            }
        }
        TcpConnection connection = connections[number];
        connection.begin(frameNumber, timestampNs);
        marks.addYoungest(number);
        return connection;
    }

    void remove(TcpConnection connection) {
        streams -= connection.isAmongStreams ? 1 : 0;
        listOf(connection).remove(connection.number);
        table.remove(connection.number);
    }

    /** A packet of the connection came. */
    void touch(TcpConnection connection, long timestampNs) {
        connection.lastTimestampNs = timestampNs;
        if (PacketTime.isApart(timestampNs, connection.placedNs, SECOND_NS)) {
            connection.placedNs = timestampNs;
            listOf(connection).makeYoungest(connection.number);
        }
    }

    /** Puts the connection among those with a stream or among the marks, after that has changed. */
    void place(TcpConnection connection) {
        if (connection.hasStream() != connection.isAmongStreams) {
            listOf(connection).remove(connection.number);
            connection.isAmongStreams = !connection.isAmongStreams;
            streams += connection.isAmongStreams ? 1 : -1;
            connection.placedNs = connection.lastTimestampNs;
            listOf(connection).addYoungest(connection.number);
        }
    }

    /**
     * The connection that gives way to another one, or null when there is none. Marks come first, so that a flood of SYN
     * costs no stream; but the last few only after streams, or, in a table full of idle ones, each SYN would be forgotten
     * for the next one, before its data comes.
     */
    @Nullable
    TcpConnection mostDispensable() {
        int known = table.size() - streams;
        TcpConnection first = known > marksKept ? oldestMark() : oldestWithStream();
        return first != null ? first : oldestMark();
    }

    /** The oldest connection with a stream, or null. */
    @Nullable
    TcpConnection oldestWithStream() {
        int number = withStream.oldest();
        return number == AgeList.NONE ? null : connections[number];
    }

    /** The oldest mark, or null. */
    @Nullable
    TcpConnection oldestMark() {
        int number = marks.oldest();
        return number == AgeList.NONE ? null : connections[number];
    }

    private AgeList listOf(TcpConnection connection) {
        return connection.isAmongStreams ? withStream : marks;
    }

    /** Whether the source is the lower endpoint. Any order will do, as long as it is the same for both directions. */
    private static boolean isUpward(TcpSegment s) {
        if (s.sourceLow != s.destinationLow) {
            return s.sourceLow < s.destinationLow;
        }
        if (s.sourceHigh != s.destinationHigh) {
            return s.sourceHigh < s.destinationHigh;
        }
        return s.sourcePort < s.destinationPort;
    }
}
