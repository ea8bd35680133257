package io.offhook.packet.walk;

import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker.Stop;
import java.lang.foreign.MemorySegment;

/**
 * One walk under way: where it stands, what it has found, why it stopped. It knows no protocol; the steps ({@link
 * CommonPath}, {@link LinkLayers}, {@link EtherTypes}...) move it on.
 *
 * <p>A step takes the layer that starts at {@link #at}. It returns what comes next: a number space and the number in it
 * ({@code ETHER_TYPE | 0x8847}), or {@link #DONE}.
 *
 * <p>What this class stores is stored for each packet; so it stores the minimum, and derives the rest.
 */
final class Walk {
    static final int DONE = -1;
    static final int LINK = 1 << 16;
    static final int ETHER_TYPE = 2 << 16;
    static final int IP_PROTOCOL = 3 << 16;
    static final int PPP_PROTOCOL = 4 << 16;
    static final int UDP_PORTS = 5 << 16;

    /** The longest length that is believed: positions have 25 bits in the table, and the sum of two stays positive. */
    static final int MAX_LENGTH = (1 << 25) - 1;

    private static final int TYPE_SHIFT = 57;
    private static final int START_SHIFT = 32;

    /**
     * Between two checks for room at most this many layers are listed: IP, transport, payload and two below. A step
     * that would list more returns what comes next instead of calling it ({@code StackedTunnelsTest} tries them all).
     */
    private static final int ROOM = 5;

    private static final long PLAIN_ETHERNET = layer(LayerType.ETHERNET, 0);
    private static final long PLAIN_IPV4 = layer(LayerType.IPV4, PlainUdp.IP);
    private static final long PLAIN_UDP = layer(LayerType.UDP, PlainUdp.UDP);
    private static final long PLAIN_PAYLOAD = layer(LayerType.PAYLOAD, PlainUdp.PAYLOAD);

    MemorySegment segment = MemorySegment.NULL;
    /** Where the frame starts; all other positions count from here. */
    long base;

    /** Where the next layer starts. */
    int at;
    /** Where the bytes of it end that were captured: never before {@link #at}. */
    int end;
    /** Where it ends by the lengths in the layers below, captured or not. */
    int wireEnd;

    /** A layer each: 7 bits of type, 25 of its start, 32 of its end. Its header ends where the next one starts. */
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

    /** Of the innermost IP packet; they mean nothing while there is none. */
    boolean isFragment;

    int protocol;
    int networkPayloadAt;
    private int networkWireEnd;

    /** Of its transport layer, the source's in the high half; it means nothing while there is none. */
    int ports;

    /** -1 until a transport header ends. */
    int payloadAt;

    int payloadEnd;
    int payloadWireEnd;

    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // an equal one would do as well
    void start(MemorySegment segment, long offset, int capturedLength, int wireLength) {
        if (this.segment != segment) { // a reference is dearer to store than to compare
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
        transport = -1;
        outermostFragment = -1;
        payloadAt = -1;
    }

    /** A whole walk at once, of what {@link PlainUdp} is about; ends are counted from the frame's start. */
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

    /** The start of a walk that {@link PlainTransport} is about, up to the IPv4 header. */
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
        transport = 2;
        outermostFragment = -1;
        isFragment = false;
        this.protocol = protocol;
        networkPayloadAt = PlainUdp.UDP;
        networkWireEnd = ipWireEnd;
        this.ports = ports;
    }

    /** The rest of it: the transport header, at which it stops. */
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

    /** The first layer from {@code from} on that is one of those, or -1. */
    int find(LayerSet types, int from) {
        for (int i = from; i < layerCount; i++) {
            if (types.contains(layerIndex(i))) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Layer {@code i} was all that was asked for: it becomes the last one.
     *
     * @param headerEnd of it
     */
    void reach(int i, int headerEnd) {
        stop = Stop.REACHED;
        if (i + 1 != layerCount) {
            layerCount = i + 1;
            at = headerEnd;
            int layerEnd = layerEnd(i);
            wireEnd = layerEnd < end ? layerEnd : Math.max(wireEnd, layerEnd); // less only by its own length
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

    /** Reads in the layer that starts at {@link #at}. */
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

    /** Lists the layer that starts here, and moves to what it carries. The caller has seen that its header is there. */
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

    /** What a layer skips before the next one starts counts as its header. */
    int layerHeaderEnd(int i) {
        return i + 1 < layerCount ? layerStart(i + 1) : at;
    }

    /** The layer that starts here says how long it is. When that is more than there is, it counts as snapped. */
    void clip(int length) {
        wireEnd = at + Math.min(length, MAX_LENGTH);
        end = Math.min(end, wireEnd);
    }

    /** An IP header starts here: nothing of the outer ones' counts any more. */
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

    /** @param ports the source's in the high half, the destination's in the low; 0 for a protocol without */
    void enterTransport(int ports) {
        transport = layerCount;
        this.ports = ports;
    }

    /** An IP header, or an extension header of it, ends here. */
    void networkPayload() {
        networkPayloadAt = at;
        networkWireEnd = wireEnd;
    }

    /** A transport header ends here. */
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

    /** The fixed part of a header is there and its options are not, or not all: it is listed, with nothing in it. */
    int cutOptions(LayerType layer, int headerLength) {
        int headerEnd = at + headerLength;
        truncated(layer, headerLength);
        push(layer, end - at);
        payload();
        payloadWireEnd = at + Math.max(wireEnd - headerEnd, 0);
        return DONE;
    }

    /** The header is there and has a length that is too short for it: it is listed, with nothing in it. */
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

    /** Whether it stopped for another reason than that nothing more was there, or asked for. */
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
