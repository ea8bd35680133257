package io.offhook.flow;

import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * A flow: packets between two endpoints, both directions together, and what was counted of them. Forward is from its
 * {@link FlowKey#source() source}, which is who sent the first packet (of TCP: the SYN), reverse is towards it.
 *
 * <p>A live view of what {@link FlowTable} counts; once {@link FlowHandler#end} was told of it, it does not change any
 * more and may be kept. Single-threaded until then.
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

    /** The first packet came from the destination: an answer to a SYN that was not captured. */
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
    /** Its number in the table; {@link #ENDED} when it is no longer there. */
    int number = ENDED;
    /** When it last took its place in the order of age. */
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

    /** The five-tuple, from source to destination, with VLANs and tunnels. */
    public FlowKey key() {
        FlowKey made = key;
        if (made == null) {
            made = isTurned ? firstKey.reversed() : firstKey;
            key = made;
        }
        return made;
    }

    /** State, round trips and signs of TCP; null of other protocols, and where no packet had a TCP header. */
    public @Nullable TcpFlow tcp() {
        return tcp;
    }

    /** The number of its first packet, 1-based, in the order of the capture. */
    public long firstFrameNumber() {
        return firstFrameNumber;
    }

    /** The number of its last packet so far. */
    public long lastFrameNumber() {
        return lastFrameNumber;
    }

    /** The earliest time of its packets, nanoseconds since the epoch. */
    public long earliestNs() {
        return earliestNs;
    }

    /** The latest. */
    public long latestNs() {
        return latestNs;
    }

    /** Of both directions. */
    public long packets() {
        return forwardPackets + reversePackets;
    }

    /** Of whole frames as they were on the wire, link header included. */
    public long bytes() {
        return forwardBytes + reverseBytes;
    }

    /** Packets from the source. */
    public long forwardPackets() {
        return isTurned ? reversePackets : forwardPackets;
    }

    /** Bytes on the wire of the packets in the direction of the key. */
    public long forwardBytes() {
        return isTurned ? reverseBytes : forwardBytes;
    }

    /** Packets to the source. */
    public long reversePackets() {
        return isTurned ? forwardPackets : reversePackets;
    }

    /** Bytes on the wire of the packets in the other direction. */
    public long reverseBytes() {
        return isTurned ? forwardBytes : reverseBytes;
    }

    /** Of the packets, those that are IP fragments. */
    public long fragments() {
        return fragments;
    }

    /** When its last packet came, in the order of the capture. */
    long lastTimestampNs() {
        return lastTimestampNs;
    }

    /** Whether a packet of the flow goes the way of its first one. */
    boolean isAsFirst(FlowView view) {
        return isOneWay
                || view.sourceLow() == sourceLow
                        && view.sourceHigh() == sourceHigh
                        && (!view.hasPorts() || view.sourcePort() == sourcePort);
    }

    /** The first packet was an answer: what it was sent from is the destination. */
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

    /** It is out of the table; what only served counting is let go. */
    void ended() {
        number = ENDED;
        if (tcp != null) {
            tcp.roundTripToDestination().letGo();
            tcp.roundTripToSource().letGo();
            tcp.timestampRoundTripToDestination().letGo();
            tcp.timestampRoundTripToSource().letGo();
        }
    }

    /** Whom it comes from. */
    public Endpoint source() {
        return key().source();
    }

    /** Whom it goes to. */
    public Endpoint destination() {
        return key().destination();
    }

    /** "TCP 192.0.2.1:40000 > 192.0.2.2:80: 12 packets, 4711 bytes". */
    @Override
    public String toString() {
        return key() + ": " + packets() + " packets, " + bytes() + " bytes";
    }
}
