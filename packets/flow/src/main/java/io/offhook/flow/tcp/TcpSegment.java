package io.offhook.flow.tcp;

import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/**
 * The TCP segment at hand: what {@link TcpStreams#segment(TcpSegment)} takes. Filled from a walked packet by {@link
 * #wrap}, or part by part by {@link #source}, {@link #destination}, {@link #captured} and, last, {@link #bytes}, and then
 * anew for each packet. Single-threaded.
 */
public final class TcpSegment {
    MemorySegment memory = MemorySegment.NULL;
    /** Of the first byte of the TCP header. */
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

    /** A segment that is not filled yet. */
    public TcpSegment() {}

    /**
     * Fills all of it from a packet; VLANs keep equal addresses apart.
     *
     * @param walker has walked the packet
     * @return false, with nothing filled, where there is no TCP header, not the whole of it, or a fragment
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
     * Who sends.
     *
     * @param high the first 64 bits of the address, as in {@link io.offhook.packet.Endpoint}
     * @param low the last 64 bits
     */
    public void source(long high, long low, int port) {
        sourceHigh = high;
        sourceLow = low;
        sourcePort = port;
    }

    /** Who receives; as {@link #source}. */
    public void destination(long high, long low, int port) {
        destinationHigh = high;
        destinationLow = low;
        destinationPort = port;
    }

    /**
     * Where and when it was captured.
     *
     * @param timestampNs of the packet, nanoseconds since the epoch
     * @param frameNumber of the packet, 1-based
     * @param scope keeps apart what has the same addresses in different VLANs or tunnels
     */
    public void captured(long timestampNs, long frameNumber, int scope) {
        this.timestampNs = timestampNs;
        this.frameNumber = frameNumber;
        this.scope = scope;
    }

    /**
     * Its header, which was captured whole, and its payload.
     *
     * @param memory where it lies; native. Borrowed while the table takes the segment in, or by {@link
     *     io.offhook.flow.Holding#REFERENCE} until its bytes were reported, or given up
     * @param tcpOffset of the first byte of the TCP header, of which 20 bytes are there
     * @param payloadOffset of the first byte of payload
     * @param payloadLength bytes of payload captured, 0 or more
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

    /** Who sends: the first 64 bits of the address. */
    public long sourceHigh() {
        return sourceHigh;
    }

    /** Who sends: the last 64 bits of the address. */
    public long sourceLow() {
        return sourceLow;
    }

    /** Who sends: the port. */
    public int sourcePort() {
        return sourcePort;
    }

    /** Who receives: the first 64 bits of the address. */
    public long destinationHigh() {
        return destinationHigh;
    }

    /** Who receives: the last 64 bits of the address. */
    public long destinationLow() {
        return destinationLow;
    }

    /** Who receives: the port. */
    public int destinationPort() {
        return destinationPort;
    }

    /** The scope that it was captured in. */
    public int scope() {
        return scope;
    }

    /** The time of the packet, nanoseconds since the epoch. */
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
