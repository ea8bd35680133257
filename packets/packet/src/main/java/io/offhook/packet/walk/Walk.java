package io.offhook.packet.walk;

import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker.Stop;
import java.lang.foreign.MemorySegment;

/**
 * The state of a walk: its position, its results, why it stopped. It knows no protocol; the steps ({@link CommonPath},
 * {@link LinkLayers}, {@link EtherTypes}...) advance it.
 *
 * <p>A step takes the layer that starts at {@link #at}. It returns what comes next: a number space and the number in it
 * ({@code ETHER_TYPE | 0x8847}), or {@link #DONE}.
 *
 * <p>Every field is written for each packet; so the class stores the minimum and derives the rest.
 */
final class Walk {
    static final int DONE = -1;
    static final int LINK = 1 << 16;
    static final int ETHER_TYPE = 2 << 16;
    static final int IP_PROTOCOL = 3 << 16;
    static final int PPP_PROTOCOL = 4 << 16;
    static final int UDP_PORTS = 5 << 16;

    /** The maximum length: positions have 25 bits in the table, and the sum of two remains positive. */
    static final int MAX_LENGTH = (1 << 25) - 1;

    private static final int TYPE_SHIFT = 57;
    private static final int START_SHIFT = 32;

    /**
     * The maximum number of layers listed between two checks for room: IP, transport, payload and two below. A step
     * that would list more returns the next one instead of calling it ({@code StackedTunnelsTest} tries them all).
     */
    private static final int ROOM = 5;

    private static final long PLAIN_ETHERNET = layer(LayerType.ETHERNET, 0);
    private static final long PLAIN_IPV4 = layer(LayerType.IPV4, PlainUdp.IP);
    private static final long PLAIN_UDP = layer(LayerType.UDP, PlainUdp.UDP);
    private static final long PLAIN_PAYLOAD = layer(LayerType.PAYLOAD, PlainUdp.PAYLOAD);

    MemorySegment segment = MemorySegment.NULL;
    /** The offset of the frame in the segment; all positions count from here. */
    long base;

    /** The position of the next layer. */
    int at;
    /** The end of its captured bytes: never before {@link #at}. */
    int end;
    /** Its end by the lengths in the layers below, captured or not. */
    int wireEnd;

    /**
     * One entry per layer: 7 bits of type, 25 of its start, 32 of its end. Its header ends where the next one starts.
     */
    private final long[] layers = new long[PacketWalker.MAX_LAYERS];

    int layerCount;

    Stop stop = Stop.COMPLETE;
    private LayerType stopLayer = LayerType.PAYLOAD;
    private int stopAt;
    private int needed;
    private int had;

    int network;
    int transport;
    int outermostFragment;

    /** Of the innermost IP packet; undefined while there is none. */
    boolean isFragment;

    int protocol;

    /** The bytes of its header from the total length on, as they lie in memory, if a shortcut has read them; else 0. */
    long networkWord;

    int networkPayloadAt;
    private int networkWireEnd;

    /** The ports of its transport layer, the source in the high half; undefined while there is none. */
    int ports;

    /** -1 until a transport header ends. */
    int payloadAt;

    int payloadEnd;
    int payloadWireEnd;

    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"
    }) // identity suffices: an equal segment is merely stored again
    void start(MemorySegment segment, long offset, int capturedLength, int wireLength) {
        if (this.segment != segment) { // comparing references is cheaper than storing one
            this.segment = segment;
        }
        if (stop != Stop.COMPLETE) {
            stop = Stop.COMPLETE;
        }
        base = offset;
        at = 0;
        end = Math.min(capturedLength, MAX_LENGTH);
        wireEnd = Math.min(Math.max(wireLength, capturedLength), MAX_LENGTH);
        layerCount = 0;
        network = -1;
        networkWord = 0;
        transport = -1;
        outermostFragment = -1;
        payloadAt = -1;
    }

    /** Stores the result of a whole walk, for {@link PlainUdp}; ends count from the start of the frame. */
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"})
    void plainUdp(
            MemorySegment segment,
            long base,
            int captured,
            int ipEnd,
            int ipWireEnd,
            int udpEnd,
            int udpWireEnd,
            int ports) {
        if (this.segment != segment) {
            this.segment = segment;
        }
        if (stop != Stop.COMPLETE) {
            stop = Stop.COMPLETE;
        }
        this.base = base;
        at = PlainUdp.PAYLOAD;
        end = udpEnd;
        wireEnd = udpWireEnd;
        long[] layers = this.layers;
        layers[0] = PLAIN_ETHERNET | captured;
        layers[1] = PLAIN_IPV4 | ipEnd;
        layers[2] = PLAIN_UDP | udpEnd;
        layers[3] = PLAIN_PAYLOAD | udpEnd;
        layerCount = udpEnd > PlainUdp.PAYLOAD ? 4 : 3;
        network = 1;
        transport = 2;
        outermostFragment = -1;
        isFragment = false;
        protocol = IpProtocol.UDP;
        networkPayloadAt = PlainUdp.UDP;
        networkWireEnd = ipWireEnd;
        this.ports = ports;
        payloadAt = PlainUdp.PAYLOAD;
        payloadEnd = udpEnd;
        payloadWireEnd = udpWireEnd;
    }

    /** Stores the start of a walk, up to the IPv4 header, for {@link PlainTransport}. */
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"})
    void plainIpv4(MemorySegment segment, long base, int captured, int ipEnd, int ipWireEnd, int protocol, int ports) {
        if (this.segment != segment) {
            this.segment = segment;
        }
        this.base = base;
        layers[0] = PLAIN_ETHERNET | captured;
        layers[1] = PLAIN_IPV4 | ipEnd;
        layerCount = 2;
        network = 1;
        networkWord = 0;
        transport = 2;
        outermostFragment = -1;
        isFragment = false;
        this.protocol = protocol;
        networkPayloadAt = PlainUdp.UDP;
        networkWireEnd = ipWireEnd;
        this.ports = ports;
    }

    /** Stores the rest of it: the transport header, at which the walk stops. */
    void plainTransport(LayerType type, int start, int headerLength, int end, int wireEnd) {
        at = start;
        this.end = end;
        this.wireEnd = wireEnd;
        push(type, headerLength);
        payload();
        if (stop != Stop.REACHED) {
            stop = Stop.REACHED;
        }
    }

    /** The first layer from {@code from} on with a type of the set, or -1. */
    int find(LayerSet types, int from) {
        for (int i = from; i < layerCount; i++) {
            if (types.contains(layerIndex(i))) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Makes layer {@code i}, which the caller asked for, the last one.
     *
     * @param headerEnd the end of its header
     */
    void reach(int i, int headerEnd) {
        stop = Stop.REACHED;
        if (i + 1 != layerCount) {
            layerCount = i + 1;
            at = headerEnd;
            int layerEnd = layerEnd(i);
            wireEnd = layerEnd < end ? layerEnd : Math.max(wireEnd, layerEnd); // shorter only because of its own length
            end = layerEnd;
        }
        if (i <= network) {
            transport = -1;
            payloadAt = -1;
        }
    }

    void finish() {
        if (payloadAt < 0) {
            payloadAt = network < 0 ? at : networkPayloadAt;
            payloadEnd = network < 0 ? end : layerEnd(network);
            payloadWireEnd = network < 0 ? wireEnd : networkWireEnd;
        }
        if (at < end && (stop == Stop.COMPLETE || stop == Stop.UNSUPPORTED)) {
            push(LayerType.PAYLOAD, 0);
        }
    }

    /** Reads a byte of the layer that starts at {@link #at}. */
    int u8(int inLayer) {
        return NetworkOrder.u8(segment, base + at + inLayer);
    }

    int u16(int inLayer) {
        return NetworkOrder.u16(segment, base + at + inLayer);
    }

    int bits32(int inLayer) {
        return NetworkOrder.bits32(segment, base + at + inLayer);
    }

    long u32(int inLayer) {
        return NetworkOrder.u32(segment, base + at + inLayer);
    }

    long bits64(int inLayer) {
        return NetworkOrder.bits64(segment, base + at + inLayer);
    }

    boolean lacks(int bytes) {
        return end - at < bytes;
    }

    boolean lacksRoom() {
        return layerCount > PacketWalker.MAX_LAYERS - ROOM;
    }

    /**
     * Lists the layer that starts here, and moves to its payload. The caller has checked that its header is present.
     */
    void push(LayerType type, int headerLength) {
        layers[layerCount++] = layer(type, at) | end;
        at += headerLength;
    }

    private static long layer(LayerType type, int start) {
        return (long) type.index() << TYPE_SHIFT | (long) start << START_SHIFT;
    }

    int layerIndex(int i) {
        return (int) (layers[i] >>> TYPE_SHIFT);
    }

    int layerStart(int i) {
        return (int) (layers[i] >>> START_SHIFT) & MAX_LENGTH;
    }

    int layerEnd(int i) {
        return (int) layers[i];
    }

    /** Bytes that a layer skips before the next one count as its header. */
    int layerHeaderEnd(int i) {
        return i + 1 < layerCount ? layerStart(i + 1) : at;
    }

    /**
     * Applies the stated length of the layer that starts here. If that exceeds the captured bytes, the layer counts as
     * snapped.
     */
    void clip(int length) {
        wireEnd = at + Math.min(length, MAX_LENGTH);
        end = Math.min(end, wireEnd);
    }

    /** Begins an IP header: the results of outer ones no longer count. */
    void enterNetwork(int protocol, boolean isFragment) {
        network = layerCount;
        transport = -1;
        payloadAt = -1;
        this.protocol = protocol;
        this.isFragment = isFragment;
        if (isFragment) {
            markFragment();
        }
    }

    /** @param ports the source in the high half, the destination in the low; 0 for a protocol without ports */
    void enterTransport(int ports) {
        transport = layerCount;
        this.ports = ports;
    }

    /** Ends an IP header, or an extension header. */
    void networkPayload() {
        networkPayloadAt = at;
        networkWireEnd = wireEnd;
    }

    /** Ends a transport header. */
    void payload() {
        payloadAt = at;
        payloadEnd = end;
        payloadWireEnd = wireEnd;
    }

    void markFragment() {
        isFragment = true;
        if (outermostFragment < 0) {
            outermostFragment = network;
        }
    }

    /** Whether the innermost IP layer so far is IPv6. */
    boolean isIpv6() {
        return network >= 0 && layerIndex(network) == LayerType.IPV6.index();
    }

    int truncated(LayerType layer, int bytes) {
        return stop(Stop.TRUNCATED, layer, bytes);
    }

    int malformed(LayerType layer, int bytes) {
        return stop(Stop.MALFORMED, layer, bytes);
    }

    int unsupported(LayerType layer) {
        return stop(Stop.UNSUPPORTED, layer, 0);
    }

    int tooDeep(LayerType layer) {
        return stop(Stop.TOO_DEEP, layer, 0);
    }

    /** Lists a header whose fixed part is present but whose options are incomplete; it has no payload. */
    int cutOptions(LayerType layer, int headerLength) {
        int headerEnd = at + headerLength;
        truncated(layer, headerLength);
        push(layer, end - at);
        payload();
        payloadWireEnd = at + Math.max(wireEnd - headerEnd, 0);
        return DONE;
    }

    /** Lists a header that states a length too short for itself; it has no payload. */
    int malformedLength(LayerType layer, int headerLength) {
        malformed(layer, headerLength);
        end = at + headerLength;
        wireEnd = end;
        push(layer, headerLength);
        payload();
        return DONE;
    }

    private int stop(Stop why, LayerType layer, int bytes) {
        stop = why;
        stopLayer = layer;
        stopAt = at;
        needed = bytes;
        had = end - at;
        return DONE;
    }

    /** Whether it stopped for a reason other than reaching the end or the requested layer. */
    private boolean isBroken() {
        return stop != Stop.COMPLETE && stop != Stop.REACHED;
    }

    LayerType stopLayer() {
        if (isBroken()) {
            return stopLayer;
        }
        return layerCount == 0 ? LayerType.PAYLOAD : LayerType.ofIndex(layerIndex(layerCount - 1));
    }

    int stopAt() {
        if (isBroken()) {
            return stopAt;
        }
        return layerCount == 0 ? 0 : layerStart(layerCount - 1);
    }

    int needed() {
        return isBroken() ? needed : 0;
    }

    int had() {
        return needed() == 0 ? 0 : had;
    }
}
