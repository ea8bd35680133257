package io.offhook.flow.tcp;

import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/**
 * The TCP segment that {@link TcpStreams#segment(TcpSegment)} takes. Filled from a walked packet by {@link #wrap}, or
 * in parts by {@link #source}, {@link #destination}, {@link #captured} and, last, {@link #bytes}. Reused for each
 * packet; single-threaded.
 */
public final class TcpSegment {
    MemorySegment memory = MemorySegment.NULL;
    /** The offset of the TCP header. */
    long header;

    long sourceHigh;
    long sourceLow;
    int sourcePort;
    long destinationHigh;
    long destinationLow;
    int destinationPort;
    int scope;
    /** Whether the source is the lower of the two endpoints, which identifies the direction of the connection. */
    boolean upward;

    /** The sequence number of the header; a SYN takes this number, and data begins at the next. */
    int sequence;

    int acknowledgment;
    int flags;
    long payload;
    /** Captured bytes of payload. */
    int length;
    /** Bytes of payload sent, at least {@link #length}. */
    int wireLength;

    long timestampNs;
    long frameNumber;

    /** Creates an empty segment. */
    public TcpSegment() {}

    /**
     * Fills the segment from a packet. VLANs separate equal addresses.
     *
     * @param walker a walker that has walked the packet
     * @return false, with nothing filled, if the packet is a fragment or has no complete TCP header
     */
    public boolean wrap(PacketWalker walker, long timestampNs, long frameNumber) {
        int transport = walker.transport();
        if (transport < 0
                || walker.stop() != PacketWalker.Stop.COMPLETE
                || walker.layerType(transport) != LayerType.TCP
                || walker.outermostFragment() >= 0) {
            return false;
        }
        source(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort());
        destination(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort());
        captured(timestampNs, frameNumber, walker.scope());
        bytes(
                walker.segment(),
                walker.layerOffset(transport),
                walker.payloadOffset(),
                walker.payloadLength(),
                walker.payloadWireLength());
        return true;
    }

    /**
     * Sets the source.
     *
     * @param high the first 64 bits of the address, as in {@link io.offhook.packet.Endpoint}
     * @param low the last 64 bits
     */
    public void source(long high, long low, int port) {
        sourceHigh = high;
        sourceLow = low;
        sourcePort = port;
    }

    /** Sets the destination, as {@link #source}. */
    public void destination(long high, long low, int port) {
        destinationHigh = high;
        destinationLow = low;
        destinationPort = port;
    }

    /**
     * Sets where and when it was captured.
     *
     * @param timestampNs the time of the packet, in nanoseconds since the epoch
     * @param frameNumber the number of the frame, 1-based
     * @param scope separates equal addresses in different VLANs or tunnels
     */
    public void captured(long timestampNs, long frameNumber, int scope) {
        this.timestampNs = timestampNs;
        this.frameNumber = frameNumber;
        this.scope = scope;
    }

    /**
     * Sets its header, which was captured completely, and its payload.
     *
     * @param memory native memory with the segment. Borrowed for the call or, with {@link
     *     io.offhook.flow.Holding#REFERENCE}, until its bytes were reported or given up
     * @param tcpOffset the first byte of the TCP header, of which at least 20 bytes are present
     * @param payloadOffset the first byte of payload
     * @param payloadLength captured bytes of payload, 0 or more
     * @param payloadWireLength bytes of payload sent
     */
    public void bytes(
            MemorySegment memory, long tcpOffset, long payloadOffset, int payloadLength, int payloadWireLength) {
        this.memory = memory;
        header = tcpOffset;
        sequence = NetworkOrder.bits32(memory, tcpOffset + TcpView.SEQUENCE_NUMBER);
        acknowledgment = NetworkOrder.bits32(memory, tcpOffset + TcpView.ACKNOWLEDGMENT_NUMBER);
        flags = NetworkOrder.u16(memory, tcpOffset + TcpView.OFFSET_FLAGS) & 0xff;
        payload = payloadOffset;
        length = payloadLength;
        wireLength = Math.max(payloadLength, Math.min(payloadWireLength, TcpFollower.WINDOW));
    }

    /** The first 64 bits of the source address. */
    public long sourceHigh() {
        return sourceHigh;
    }

    /** The last 64 bits of the source address. */
    public long sourceLow() {
        return sourceLow;
    }

    /** The source port. */
    public int sourcePort() {
        return sourcePort;
    }

    /** The first 64 bits of the destination address. */
    public long destinationHigh() {
        return destinationHigh;
    }

    /** The last 64 bits of the destination address. */
    public long destinationLow() {
        return destinationLow;
    }

    /** The destination port. */
    public int destinationPort() {
        return destinationPort;
    }

    /** The scope that it was captured in. */
    public int scope() {
        return scope;
    }

    /** The time of the packet, in nanoseconds since the epoch. */
    public long timestampNs() {
        return timestampNs;
    }

    /** The number of the frame, 1-based. */
    public long frameNumber() {
        return frameNumber;
    }

    boolean isSyn() {
        return (flags & TcpView.SYN) != 0;
    }

    boolean isFin() {
        return (flags & TcpView.FIN) != 0;
    }

    boolean isRst() {
        return (flags & TcpView.RST) != 0;
    }

    boolean hasAcknowledgment() {
        return (flags & TcpView.ACK) != 0;
    }

    /** Whether none of SYN, FIN and RST is set: data and acknowledgments only. */
    boolean isOrdinary() {
        return (flags & (TcpView.SYN | TcpView.FIN | TcpView.RST)) == 0;
    }

    /** The sequence number of the first byte of payload. */
    int dataSequence() {
        return isSyn() ? sequence + 1 : sequence;
    }

    /** The sequence number after the last byte of payload: that of the FIN, if there is one. */
    int endSequence() {
        return dataSequence() + wireLength;
    }
}
