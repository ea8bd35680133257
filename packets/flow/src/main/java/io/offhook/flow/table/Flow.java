package io.offhook.flow.table;

import io.offhook.flow.tcp.TcpFlow;
import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * A flow: the packets between two endpoints, in both directions, as counted by {@link FlowTable}. Forward is from the
 * {@link FlowKey#source() source}, which sent the first packet (for TCP, the SYN); reverse is towards it.
 *
 * <p>A live view of the counters. It no longer changes, and may be kept, once {@link FlowHandler#end} was called for
 * it. For the thread of the table until then.
 */
public final class Flow {
    static final int ENDED = -1;

    private final FlowKey firstKey;
    private final long sourceHigh;
    private final long sourceLow;
    private final int sourcePort;
    private final boolean isOneWay;
    private final @Nullable TcpFlow tcp;
    private @Nullable FlowKey key;

    /** The first packet came from the destination: it answered a SYN that was not captured. */
    private boolean isTurned;

    final long firstFrameNumber;
    final long firstTimestampNs;
    private long lastFrameNumber;
    private long lastTimestampNs;
    private long earliestNs;
    private long latestNs;
    private long forwardPackets;
    private long forwardBytes;
    private long reversePackets;
    private long reverseBytes;
    private long fragments;
    /** The number of the flow in the table; {@link #ENDED} if it is no longer there. */
    int number = ENDED;
    /** When the flow last moved in the order of age. */
    long placedNs;

    Flow(FlowView view, FlowPath path, boolean isTcp, long frameNumber, long timestampNs) {
        firstKey = view.key(path);
        sourceHigh = view.sourceHigh();
        sourceLow = view.sourceLow();
        sourcePort = view.sourcePort();
        isOneWay = view.isOneWay();
        tcp = isTcp ? new TcpFlow() : null;
        firstFrameNumber = frameNumber;
        firstTimestampNs = timestampNs;
        lastFrameNumber = frameNumber;
        lastTimestampNs = timestampNs;
        earliestNs = timestampNs;
        latestNs = timestampNs;
        placedNs = timestampNs;
    }

    /** The five-tuple, from source to destination, with the path of VLANs and tunnels. */
    public FlowKey key() {
        FlowKey made = key;
        if (made == null) {
            made = isTurned ? firstKey.reversed() : firstKey;
            key = made;
        }
        return made;
    }

    /** The TCP part: state, round trips and signs; null for other protocols, and if no packet had a TCP header. */
    public @Nullable TcpFlow tcp() {
        return tcp;
    }

    /** The number of the first packet's frame, 1-based, in the order of the capture. */
    public long firstFrameNumber() {
        return firstFrameNumber;
    }

    /** The number of the latest packet's frame so far. */
    public long lastFrameNumber() {
        return lastFrameNumber;
    }

    /** The earliest timestamp of the flow's packets, in nanoseconds since the epoch. */
    public long earliestNs() {
        return earliestNs;
    }

    /** The latest timestamp of the flow's packets, in nanoseconds since the epoch. */
    public long latestNs() {
        return latestNs;
    }

    /** Packets in both directions. */
    public long packets() {
        return forwardPackets + reversePackets;
    }

    /** Bytes of whole frames on the wire in both directions, link header included. */
    public long bytes() {
        return forwardBytes + reverseBytes;
    }

    /** Packets from the source to the destination. */
    public long forwardPackets() {
        return isTurned ? reversePackets : forwardPackets;
    }

    /** Bytes on the wire from the source to the destination. */
    public long forwardBytes() {
        return isTurned ? reverseBytes : forwardBytes;
    }

    /** Packets from the destination to the source. */
    public long reversePackets() {
        return isTurned ? forwardPackets : reversePackets;
    }

    /** Bytes on the wire from the destination to the source. */
    public long reverseBytes() {
        return isTurned ? forwardBytes : reverseBytes;
    }

    /** Packets, in both directions, that are IP fragments. */
    public long fragments() {
        return fragments;
    }

    /** The timestamp of the last packet in the order of the capture. */
    long lastTimestampNs() {
        return lastTimestampNs;
    }

    /** Whether a packet of the flow has the direction of the first packet. */
    boolean isAsFirst(FlowView view) {
        return isOneWay
                || view.sourceLow() == sourceLow
                        && view.sourceHigh() == sourceHigh
                        && (!view.hasPorts() || view.sourcePort() == sourcePort);
    }

    /** Reverses the flow: the first packet was an answer, so its sender is the destination. */
    void turn() {
        isTurned = true;
        key = null;
    }

    boolean isTurned() {
        return isTurned;
    }

    void count(boolean isAsFirst, int bytes, boolean isFragment, long timestampNs, long frameNumber) {
        if (isAsFirst) {
            forwardPackets++;
            forwardBytes += bytes;
        } else {
            reversePackets++;
            reverseBytes += bytes;
        }
        if (isFragment) {
            fragments++;
        }
        lastFrameNumber = frameNumber;
        lastTimestampNs = timestampNs;
        earliestNs = Math.min(earliestNs, timestampNs);
        latestNs = Math.max(latestNs, timestampNs);
    }

    /** Marks the flow as removed from the table, and drops what only counting needs. */
    void ended() {
        number = ENDED;
        if (tcp != null) {
            tcp.roundTripToDestination().letGo();
            tcp.roundTripToSource().letGo();
            tcp.timestampRoundTripToDestination().letGo();
            tcp.timestampRoundTripToSource().letGo();
        }
    }

    /** The endpoint that sent the first packet (for TCP, the SYN). */
    public Endpoint source() {
        return key().source();
    }

    /** The endpoint that the first packet was sent to. */
    public Endpoint destination() {
        return key().destination();
    }

    /** For example "TCP 192.0.2.1:40000 > 192.0.2.2:80: 12 packets, 4711 bytes". */
    @Override
    public String toString() {
        return key() + ": " + packets() + " packets, " + bytes() + " bytes";
    }
}
