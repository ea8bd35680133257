package io.offhook.flow;

import io.offhook.flow.TcpStreamHandler.End;
import io.offhook.packet.LayerType;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.VlanView;
import java.lang.foreign.MemorySegment;

/**
 * TCP connections (RFC 9293) as a passive observer sees them: puts the bytes of each direction in order for a {@link
 * TcpStreamHandler}.
 *
 * <p>Give every TCP segment to {@link #segment}, in the order of the capture, those without payload too, and call {@link
 * #flush} at the end. A connection whose SYN was captured is followed from its first byte; for others the handler is
 * asked, payload by payload, whether and where to begin. Bytes that come in their turn are told where they lie, without
 * a copy; those that come early are held behind the hole, as copies or, where frames stay, by reference ({@link Holding}).
 * A position that was told keeps its byte; whose byte counts where held ones overlap says the {@link OverlapPolicy}.
 *
 * <p>A hole is given up when the hold time has passed; or when the receiver has acknowledged it and four more segments of
 * the connection came (it was lost to the capture alone); or when a limit on what is held is reached, for the limit on
 * all streams the one that waits longest. What is cut off by the capture length is told as a hole at once.
 *
 * <p>When the table is full, the connection gives way that is longest without a packet (to a second) among those without
 * a live stream - a mere SYN, closed, ignored - and only then one with a stream: a flood of SYN drives out itself. A SYN
 * of another connection on the same ports ends the one before if that is closed or had no packet for a second; else it
 * is dropped as stray. Time is that of the packets. One thread at a time; close frees the memory.
 */
public final class TcpStreams implements AutoCloseable {
    private final TcpLimits limits;
    private final Counts<TcpCounter> counts = new Counts<>(TcpCounter.class);
    private final TcpConnections connections;
    private final TcpFollower follower;
    private final TcpReassembly reassembly;
    private final TcpSegment arrived = new TcpSegment();
    /** One for each sign; empty until that is asked for, as what calls runs does without. */
    private long[] signs = new long[0];

    private boolean isAnalysing;
    private int lastSigns;

    /** Streams of copies, and of the bytes that came first. */
    public TcpStreams(TcpLimits limits, TcpStreamHandler handler) {
        this(limits, OverlapPolicy.FIRST, Holding.COPY, handler);
    }

    /**
     * Streams that hold what came early so, and let those bytes count where it overlaps.
     *
     * @param holding whether what came early is copied or referenced until it was told
     */
    public TcpStreams(TcpLimits limits, OverlapPolicy policy, Holding holding, TcpStreamHandler handler) {
        this.limits = limits;
        connections = new TcpConnections(limits.connections());
        follower = new TcpFollower(limits, policy, holding, handler, counts, connections);
        reassembly = follower.reassembly();
    }

    /**
     * Tells from now on what the numbers of each segment show ({@link #lastSigns}), of connections that are in the table:
     * whose SYN was captured, or that the handler picked up. Costs some 300 bytes a connection.
     */
    public void analyse() {
        if (!isAnalysing) {
            signs = new long[TcpSign.values().length];
            isAnalysing = true;
        }
    }

    /**
     * Takes in the TCP segment of a packet that is no fragment; VLANs keep equal addresses apart.
     *
     * @param walker has walked it. By {@link Holding#REFERENCE} the segment that it lies in stays, not the walker
     * @return false where there is no TCP header, or not the whole of it
     */
    public boolean segment(PacketWalker walker, long timestampNs, long frameNumber) {
        int transport = walker.transport();
        if (transport < 0
                || walker.stop() != PacketWalker.Stop.COMPLETE
                || walker.layerType(transport) != LayerType.TCP
                || walker.outermostFragment() >= 0) {
            return false;
        }
        segment(
                walker.segment(),
                walker.sourceHigh(),
                walker.sourceLow(),
                walker.sourcePort(),
                walker.destinationHigh(),
                walker.destinationLow(),
                walker.destinationPort(),
                walker.layerOffset(transport),
                walker.payloadOffset(),
                walker.payloadLength(),
                walker.payloadWireLength(),
                timestampNs,
                frameNumber,
                VlanView.scope(walker));
        return true;
    }

    /**
     * Takes in a TCP segment whose header was captured whole.
     *
     * @param segment where it lies; native. Borrowed for the call, or by {@link Holding#REFERENCE} until its bytes were
     *     told, or given up
     * @param sourceHigh the first 64 bits of the address, as in {@link io.offhook.packet.Endpoint}
     * @param sourceLow the last 64 bits
     * @param tcpOffset of the first byte of the TCP header, of which 20 bytes are there
     * @param payloadOffset of the first byte of payload
     * @param payloadLength bytes of payload captured, 0 or more
     * @param payloadWireLength bytes of payload sent
     * @param timestampNs of the packet
     * @param frameNumber of the packet
     * @param scope keeps apart what has the same addresses in different VLANs or tunnels
     */
    public void segment(
            MemorySegment segment,
            long sourceHigh,
            long sourceLow,
            int sourcePort,
            long destinationHigh,
            long destinationLow,
            int destinationPort,
            long tcpOffset,
            long payloadOffset,
            int payloadLength,
            int payloadWireLength,
            long timestampNs,
            long frameNumber,
            int scope) {
        counts.add(TcpCounter.SEGMENTS);
        TcpSegment s = arrived;
        s.readHeader(segment, tcpOffset);
        s.sourceHigh = sourceHigh;
        s.sourceLow = sourceLow;
        s.sourcePort = sourcePort;
        s.destinationHigh = destinationHigh;
        s.destinationLow = destinationLow;
        s.destinationPort = destinationPort;
        s.scope = scope;
        s.payload = payloadOffset;
        s.length = payloadLength;
        s.wireLength = Math.max(payloadLength, Math.min(payloadWireLength, TcpFollower.WINDOW));
        s.timestampNs = timestampNs;
        s.frameNumber = frameNumber;
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
            lastSigns = analyse(s, tcpOffset, (int) (payloadOffset - tcpOffset));
        }
    }

    private int analyse(TcpSegment s, long header, int headerLength) {
        TcpConnection connection = connections.find(s);
        if (connection == null) {
            return 0;
        }
        TcpAnalysis analysis = connection.analysis;
        if (analysis == null) {
            analysis = new TcpAnalysis();
            connection.analysis = analysis;
        }
        int shown = analysis.segment(s.upward, s.memory, header, headerLength, s.wireLength, s.timestampNs);
        for (int left = shown; left != 0; left &= left - 1) {
            signs[Integer.numberOfTrailingZeros(left)]++;
        }
        return shown;
    }

    /** What the last segment showed, as a set of bits, once {@link #analyse} was asked for; 0 of unknown connections. */
    public int lastSigns() {
        return lastSigns;
    }

    /** How often segments showed it, since {@link #analyse} was asked for. */
    @SuppressWarnings("EnumOrdinal") // an index of this array, and never leaves it
    public long count(TcpSign sign) {
        return isAnalysing ? signs[sign.ordinal()] : 0;
    }

    /** What was counted so far. */
    public long count(TcpCounter counter) {
        return counts.get(counter);
    }

    /**
     * What was counted with its place: that of the segment; of what gave way to others, that of its first segment. What is
     * in order has no place.
     */
    public PlacedCount placed(TcpCounter counter) {
        return counts.placed(counter);
    }

    /** Connections in the table. */
    public int size() {
        return connections.size();
    }

    /** Bytes of memory taken for held payload, free or not: at most {@link TcpLimits#bytesHeld()}. */
    public long reservedBytes() {
        return reassembly.pool().reservedBytes();
    }

    /**
     * Ends all streams, those longest without a packet first, and empties the table: the capture has ended. What is held
     * is told before, with its holes.
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
     * Takes out connections that are idle for twice the timeout. Their own next packet would find them idle after once
     * the timeout, so that what becomes of them does not depend on the packets of others.
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
