package io.offhook.flow.tcp;

import io.offhook.flow.state.AgeList;
import io.offhook.flow.state.KeyTable;
import io.offhook.flow.state.PacketTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The known connections, found by their endpoints and scope, and ordered by age. Connections with a live stream are
 * listed separately from marks (a SYN, closed, ignored), which are cheap to lose.
 *
 * <p>Age is that of the last packet, to within a second: an active connection moves in the list once per second instead
 * of once per packet.
 */
final class TcpConnections {
    private static final long SECOND_NS = 1_000_000_000;

    /** Marks may take a fraction of the table, 1/2^n with this n, before they are evicted first: one sixteenth. */
    private static final int SHARE_OF_MARKS = 4;

    private final KeyTable table;
    private final int marksKept;
    private final AgeList withStream = new AgeList();
    private final AgeList marks = new AgeList();
    private int streams;
    private TcpConnection[] connections = new TcpConnection[0];

    /** The key looked up last, so that a missing one can be added. */
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

    /** Finds the connection of a segment; null if there is none. Sets the direction of the segment. */
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

    /** Adds the connection that was not found last. The table must have room. */
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

    /** Notes a packet of the connection. */
    void touch(TcpConnection connection, long timestampNs) {
        connection.lastTimestampNs = timestampNs;
        if (PacketTime.isApart(timestampNs, connection.placedNs, SECOND_NS)) {
            connection.placedNs = timestampNs;
            listOf(connection).makeYoungest(connection.number);
        }
    }

    /** Moves the connection to the list of streams or of marks, after that has changed. */
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
     * The connection to evict for a new one; null if there is none. Marks are evicted first, so that a SYN flood costs
     * no stream. The last few marks are kept in preference to streams; otherwise, in a table full of idle streams, each
     * SYN would be evicted by the next before its data arrives.
     */
    @Nullable
    TcpConnection mostDispensable() {
        int known = table.size() - streams;
        TcpConnection first = known > marksKept ? oldestMark() : oldestWithStream();
        return first != null ? first : oldestMark();
    }

    /** The oldest connection with a stream; null if there is none. */
    @Nullable
    TcpConnection oldestWithStream() {
        int number = withStream.oldest();
        return number == AgeList.NONE ? null : connections[number];
    }

    /** The oldest mark; null if there is none. */
    @Nullable
    TcpConnection oldestMark() {
        int number = marks.oldest();
        return number == AgeList.NONE ? null : connections[number];
    }

    private AgeList listOf(TcpConnection connection) {
        return connection.isAmongStreams ? withStream : marks;
    }

    /** Whether the source is the lower endpoint. Any order works that is the same for both directions. */
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
