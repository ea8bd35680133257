package io.offhook.flow.tcp;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.state.Counts;
import io.offhook.flow.state.PacketTime;
import io.offhook.flow.tcp.TcpStreamHandler.End;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.walk.PacketWalker;

/**
 * Follows TCP connections (RFC 9293) as a passive observer, and passes the bytes of each direction in order to a
 * {@link TcpStreamHandler}.
 *
 * <p>Pass every TCP segment to {@link #segment}, in the order of the capture and including those without payload, and
 * call {@link #flush} at the end. A connection whose SYN was captured is followed from its first byte. For others the
 * handler is asked, payload by payload, whether and where to start. Bytes in sequence are reported in place, without a
 * copy. Early bytes are held behind the hole, as copies or, where frames stay valid, by reference ({@link Holding}). A
 * reported position keeps its byte; where held bytes overlap, the {@link OverlapPolicy} decides which byte counts.
 *
 * <p>A hole is given up when the hold time has passed; when the receiver has acknowledged it and four more segments of
 * the connection arrived (only the capture lost it); or when a limit on held bytes is reached, for the limit on all
 * streams by the stream that has waited longest. Bytes cut off by the capture length are reported as a hole at once.
 *
 * <p>When the table is full, the connection that has been idle the longest (to within a second) is evicted: first among
 * those without a live stream (a mere SYN, closed, ignored), then among those with a stream, so that a SYN flood evicts
 * itself. A SYN of another connection on the same ports ends the existing one if that is closed or had no packet for a
 * second; otherwise the SYN is dropped as stray. Time is packet time. Not thread-safe: for one thread at a time.
 * Closing frees the memory.
 */
public final class TcpStreams implements AutoCloseable {
    private final TcpLimits limits;
    private final Counts<TcpCounter> counts = new Counts<>(TcpCounter.class);
    private final TcpConnections connections;
    private final TcpFollower follower;
    private final TcpReassembly reassembly;
    private final TcpSegment arrived = new TcpSegment();
    private final TcpNumbers numbers = new TcpNumbers();
    /** The counts by sign; empty unless requested, as the calls pipeline does not need them. */
    private long[] signs = new long[0];

    private boolean isAnalysing;
    private int lastSigns;

    /** Creates a table that copies early bytes and uses {@link OverlapPolicy#FIRST}. */
    public TcpStreams(TcpLimits limits, TcpStreamHandler handler) {
        this(limits, OverlapPolicy.FIRST, Holding.COPY, handler);
    }

    /**
     * Creates a table.
     *
     * @param limits the limits of the table
     * @param policy which bytes count where held segments overlap
     * @param holding whether early bytes are copied, or referenced until they were reported
     * @param handler receives the bytes
     */
    public TcpStreams(TcpLimits limits, OverlapPolicy policy, Holding holding, TcpStreamHandler handler) {
        this.limits = limits;
        connections = new TcpConnections(limits.connections());
        follower = new TcpFollower(limits, policy, holding, handler, counts, connections);
        reassembly = follower.reassembly();
    }

    /**
     * Enables the analysis of segments ({@link #lastSigns}) for connections in the table: those whose SYN was captured
     * or that the handler picked up. Costs about 300 bytes per connection.
     */
    public void analyse() {
        if (!isAnalysing) {
            signs = new long[TcpSign.values().length];
            isAnalysing = true;
        }
    }

    /**
     * Adds the TCP segment of a packet that is not a fragment. VLANs separate equal addresses.
     *
     * @param walker a walker that has walked the packet. With {@link Holding#REFERENCE}, the memory of the packet must
     *     stay valid; the walker need not
     * @param timestampNs the time of the packet, in nanoseconds since the epoch
     * @param frameNumber the number of the frame, 1-based
     * @return false if the packet has no complete TCP header
     */
    public boolean segment(PacketWalker walker, long timestampNs, long frameNumber) {
        if (!arrived.wrap(walker, timestampNs, frameNumber)) {
            return false;
        }
        segment(arrived);
        return true;
    }

    /** Takes in a TCP segment whose header was captured whole. It may be filled anew afterwards. */
    public void segment(TcpSegment s) {
        counts.add(TcpCounter.SEGMENTS);
        long timestampNs = s.timestampNs;
        reassembly.expire(timestampNs);
        expire(timestampNs);
        TcpConnection connection = connections.find(s);
        if (connection != null && PacketTime.isApart(timestampNs, connection.lastTimestampNs, limits.idleTimeoutNs())) {
            follower.remove(connection, End.IDLE);
            connection = null;
        }
        if (connection == null) {
            follower.meet(s);
        } else {
            follower.follow(connection, s);
        }
        if (isAnalysing) {
            lastSigns = analyse(s);
        }
    }

    private int analyse(TcpSegment s) {
        TcpConnection connection = connections.find(s);
        if (connection == null) {
            return 0;
        }
        TcpAnalysis analysis = connection.analysis;
        if (analysis == null) {
            analysis = new TcpAnalysis();
            connection.analysis = analysis;
        }
        numbers.wrap(s.memory, s.header, (int) (s.payload - s.header));
        int shown = analysis.segment(s.upward, numbers, s.wireLength, s.timestampNs);
        for (int left = shown; left != 0; left &= left - 1) {
            signs[Integer.numberOfTrailingZeros(left)]++;
        }
        return shown;
    }

    /**
     * The {@link TcpSign}s of the last segment as a bit set, if {@link #analyse} was called; 0 for unknown connections.
     */
    public int lastSigns() {
        return lastSigns;
    }

    /** How many segments showed the sign since {@link #analyse} was called. */
    @SuppressWarnings("EnumOrdinal") // used as an array index only
    public long count(TcpSign sign) {
        return isAnalysing ? signs[sign.ordinal()] : 0;
    }

    /** The value of a counter. */
    public long count(TcpCounter counter) {
        return counts.get(counter);
    }

    /**
     * The value of a counter with its place: the place of the segment or, for evictions, of the first segment. Data in
     * sequence has no place.
     */
    public PlacedCount placed(TcpCounter counter) {
        return counts.placed(counter);
    }

    /** The number of connections in the table. */
    public int size() {
        return connections.size();
    }

    /** Bytes of memory reserved for held payload, in use or not: at most {@link TcpLimits#bytesHeld()}. */
    public long reservedBytes() {
        return reassembly.pool().reservedBytes();
    }

    /**
     * Ends all streams, those idle the longest first, and empties the table. Held bytes are reported first, with their
     * holes. Call it when the capture has ended.
     */
    public void flush() {
        for (TcpConnection c = connections.oldestWithStream(); c != null; c = connections.oldestWithStream()) {
            follower.remove(c, End.CAPTURE_END);
        }
        for (TcpConnection c = connections.oldestMark(); c != null; c = connections.oldestMark()) {
            follower.remove(c, End.CAPTURE_END);
        }
    }

    @Override
    public void close() {
        reassembly.pool().close();
    }

    /**
     * Removes connections that have been idle for twice the timeout. A connection's own packets find it idle after once
     * the timeout, so its fate does not depend on the packets of others.
     */
    private void expire(long timestampNs) {
        long limitNs = PacketTime.twice(limits.idleTimeoutNs());
        TcpConnection oldest = connections.oldestWithStream();
        while (oldest != null && PacketTime.isApart(timestampNs, oldest.lastTimestampNs, limitNs)) {
            follower.remove(oldest, End.IDLE);
            oldest = connections.oldestWithStream();
        }
        oldest = connections.oldestMark();
        while (oldest != null && PacketTime.isApart(timestampNs, oldest.lastTimestampNs, limitNs)) {
            follower.remove(oldest, End.IDLE);
            oldest = connections.oldestMark();
        }
    }
}
