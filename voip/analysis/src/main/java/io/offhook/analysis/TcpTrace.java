package io.offhook.analysis;

import io.offhook.calls.event.SipPacket;
import io.offhook.flow.tcp.TcpSegment;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records the frames of the TCP connections of a shard, and those that each message came in. Used by traced pipelines
 * only. Single-threaded; the frames of a message are kept until the end of the round.
 */
final class TcpTrace {
    /** The most packets recorded per connection; beyond that, only the frames of its messages are known. */
    private static final int MOST_CONNECTION_FRAMES = 1 << 16;

    /** The most connections whose packets are recorded; the oldest are evicted. */
    private static final int MOST_CONNECTIONS = (1 << 17) / Shards.TCP * 2;

    /** The bits of {@link #evicted}, a power of two: 128 KB. */
    private static final int EVICTED_BITS = 1 << 20;

    /** The most packets recorded for all connections of the shard together. */
    private static final int MOST_FRAMES = (1 << 22) / Shards.TCP * 2;

    private record Ends(Endpoint one, Endpoint other, int scope) {
        /** The bit of these ends, one of {@link #EVICTED_BITS}. */
        int bit() {
            return hashCode() * 0x9e37_79b9 >>> Integer.SIZE - Integer.numberOfTrailingZeros(EVICTED_BITS);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Origin(long[] frames, TracedConnection connection) {}

    private final Map<Ends, TracedConnection> connections = new LinkedHashMap<>();
    /**
     * A bit for each connection that was evicted although it may carry SIP, so that it is not whole if it returns. A
     * connection that shares the bit counts as untraced, too.
     */
    private final BitSet evicted = new BitSet();

    private final IdentityHashMap<SipPacket, Origin> origins = new IdentityHashMap<>();
    private final PlacedCount untraced = new PlacedCount();
    private int remembered;

    /**
     * Records a packet of a connection, before its stream receives it.
     *
     * @param fragments knows the frames of a packet that came in fragments; otherwise null
     */
    void packet(TcpSegment segment, @Nullable FragmentStage fragments) {
        Endpoint source = new Endpoint(segment.sourceHigh(), segment.sourceLow(), segment.sourcePort());
        Endpoint destination =
                new Endpoint(segment.destinationHigh(), segment.destinationLow(), segment.destinationPort());
        TracedConnection connection = connection(source, destination, segment.scope());
        if (connection.isOther()) {
            return;
        }
        if (connection.isWhole() && (connection.count() >= MOST_CONNECTION_FRAMES || remembered >= MOST_FRAMES)) {
            giveUp(connection);
        }
        if (!connection.isWhole()) {
            untraced.add(segment.frameNumber(), segment.timestampNs());
            return;
        }
        connection.packets().add(segment.frameNumber(), segment.timestampNs());
        int before = connection.count();
        if (fragments == null) {
            connection.add(segment.frameNumber());
        } else {
            fragments.framesOf(segment.frameNumber(), connection::add);
        }
        remembered += connection.count() - before;
    }

    /** Forgets a connection for a limit. */
    private void giveUp(TracedConnection connection) {
        if (connection.isWhole()) {
            untraced.add(connection.packets());
        }
        forget(connection, false);
    }

    private void forget(TracedConnection connection, boolean isOther) {
        remembered -= connection.count();
        connection.forget(isOther);
    }

    /** Forgets the connection of a stream that carries something other than SIP. */
    void other(TcpStream stream) {
        forget(connection(stream.source(), stream.destination(), stream.scope()), true);
    }

    private TracedConnection connection(Endpoint source, Endpoint destination, int scope) {
        boolean isOrdered = source.low() != destination.low()
                ? source.low() < destination.low()
                : source.high() != destination.high()
                        ? source.high() < destination.high()
                        : source.port() < destination.port();
        Ends ends = isOrdered ? new Ends(source, destination, scope) : new Ends(destination, source, scope);
        TracedConnection known = connections.get(ends);
        if (known != null) {
            return known;
        }
        if (connections.size() == MOST_CONNECTIONS) {
            evictOldest();
        }
        TracedConnection connection = new TracedConnection();
        if (evicted.get(ends.bit())) {
            connection.forget(false);
        }
        connections.put(ends, connection);
        return connection;
    }

    private void evictOldest() {
        Iterator<Map.Entry<Ends, TracedConnection>> entries =
                connections.entrySet().iterator();
        Map.Entry<Ends, TracedConnection> oldest = entries.next();
        if (!oldest.getValue().isOther()) {
            giveUp(oldest.getValue());
            evicted.set(oldest.getKey().bit());
        }
        entries.remove();
    }

    /** Records the frames of a message. */
    void message(SipPacket message, TcpStream stream, Positions positions, StreamMessage read) {
        origins.put(
                message,
                new Origin(
                        positions.take(read.start(), read.end()),
                        connection(stream.source(), stream.destination(), stream.scope())));
    }

    /** Reports the frames that a message of this round came in; false if the message is not of this shard. */
    boolean framesOf(SipPacket message, LongConsumer to) {
        Origin origin = origins.get(message);
        if (origin == null) {
            return false;
        }
        Arrays.stream(origin.frames()).forEach(to);
        return true;
    }

    @Nullable
    TracedConnection connectionOf(SipPacket message) {
        Origin origin = origins.get(message);
        return origin == null ? null : origin.connection();
    }

    /**
     * The packets of connections that reached a limit, except those known to carry something other than SIP. Of these
     * connections, only the packets that carried bytes of messages are known.
     */
    PlacedCount untraced() {
        return untraced;
    }

    void endRound() {
        origins.clear();
    }

    /**
     * The frames that the latest bytes of a stream came in: a ring of pieces that overwrites the oldest. It holds the
     * longest message even in pieces of one byte; WebSocket frames without payload may take more, but then their
     * connection has been given up and counted.
     */
    static final class Positions {
        private static final int LEAST = 8;

        private static final int MOST = 1 << 18;

        private long[] ends = new long[LEAST];
        private long[] frames = new long[LEAST];
        private int first;
        private int count;
        private long position;

        /** Adds bytes that came in a frame. */
        void add(int length, long frame) {
            position += length;
            if (count == ends.length) {
                grow();
            }
            int at = first + count & ends.length - 1;
            ends[at] = position;
            frames[at] = frame;
            count++;
        }

        /** Skips missing bytes. */
        void skip(long bytes) {
            position += bytes;
            add(0, 0);
        }

        private void grow() {
            if (ends.length == MOST) {
                first = first + 1 & MOST - 1;
                count--;
                return;
            }
            int size = ends.length;
            long[] moreEnds = new long[size * 2];
            long[] moreFrames = new long[size * 2];
            for (int i = 0; i < count; i++) {
                moreEnds[i] = ends[first + i & size - 1];
                moreFrames[i] = frames[first + i & size - 1];
            }
            ends = moreEnds;
            frames = moreFrames;
            first = 0;
        }

        /** The frames of a range of bytes, ascending, each once; forgets what precedes the range. */
        private long[] take(long start, long end) {
            int mask = ends.length - 1;
            while (count > 0 && ends[first] <= start) {
                first = first + 1 & mask;
                count--;
            }
            long[] found = new long[count];
            int size = 0;
            for (int i = 0; i < count; i++) {
                int at = first + i & mask;
                if (frames[at] != 0) {
                    found[size++] = frames[at];
                }
                if (ends[at] >= end) {
                    break;
                }
            }
            return Arrays.stream(found, 0, size).sorted().distinct().toArray();
        }
    }
}
