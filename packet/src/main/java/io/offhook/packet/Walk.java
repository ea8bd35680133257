package io.offhook.packet;

import io.offhook.packet.PacketWalker.Stop;
import java.lang.foreign.MemorySegment;

/**
 * One walk under way: where it stands, what it has found, why it stopped. It knows no protocol; the steps ({@link
 * CommonPath}, {@link LinkLayers}, {@link EtherTypes}...) move it on.
 *
 * <p>A step takes the layer that starts at {@link #at}. It returns what comes next: a number space and the number in it
 * ({@code ETHER_TYPE | 0x8847}), or {@link #DONE}.
 */
final class Walk {
    static final int DONE = -1;
    static final int LINK = 1 << 16;
    static final int ETHER_TYPE = 2 << 16;
    static final int IP_PROTOCOL = 3 << 16;
    static final int PPP_PROTOCOL = 4 << 16;
    static final int UDP_PORTS = 5 << 16;

    /** The longest length that is believed, so that the sum of two stays positive. */
    static final int MAX_LENGTH = (1 << 30) - 1;

    /** Between two checks for room at most this many layers are listed: IP, transport, payload and two below. */
    private static final int ROOM = 5;

    MemorySegment segment = MemorySegment.NULL;
    /** Where the frame starts; all other positions count from here. */
    long base;

    /** Where the next layer starts. */
    int at;
    /** Where the bytes of it end that were captured: never before {@link #at}. */
    int end;
    /** Where it ends by the lengths in the layers below, captured or not. */
    int wireEnd;

    /** Four numbers a layer: type, start, header length, length. */
    final int[] layers = new int[4 * PacketWalker.MAX_LAYERS];

    int layerCount;

    Stop stop = Stop.COMPLETE;
    LayerType stopLayer = LayerType.PAYLOAD;
    int stopAt;
    int needed;
    int had;

    int network;
    int transport;
    int outermostFragment;
    boolean isFragment;
    int protocol;
    int sourcePort;
    int destinationPort;
    int networkPayloadAt;
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
        needed = 0;
        network = -1;
        transport = -1;
        outermostFragment = -1;
        isFragment = false;
        protocol = -1;
        sourcePort = 0;
        destinationPort = 0;
    }

    void finish() {
        if (network < 0) {
            payload();
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

    long u32(int inLayer) {
        return NetworkOrder.u32(segment, base + at + inLayer);
    }

    boolean lacks(int bytes) {
        return end - at < bytes;
    }

    boolean lacksRoom() {
        return layerCount > PacketWalker.MAX_LAYERS - ROOM;
    }

    /** Lists the layer that starts here, and moves to what it carries. The caller has seen that its header is there. */
    void push(LayerType type, int headerLength) {
        int[] table = layers;
        int slot = layerCount++ << 2;
        table[slot] = type.index();
        table[slot + 1] = at;
        table[slot + 2] = headerLength;
        table[slot + 3] = end - at;
        at += headerLength;
    }

    /** The layer that starts here says how long it is. When that is more than there is, it counts as snapped. */
    void clip(int length) {
        wireEnd = at + Math.min(length, MAX_LENGTH);
        end = Math.min(end, wireEnd);
    }

    /** An IP header starts here: nothing of the outer ones' counts any more. */
    void enterNetwork(int protocol) {
        network = layerCount;
        transport = -1;
        isFragment = false;
        this.protocol = protocol;
        sourcePort = 0;
        destinationPort = 0;
    }

    void enterTransport(int sourcePort, int destinationPort) {
        transport = layerCount;
        this.sourcePort = sourcePort;
        this.destinationPort = destinationPort;
    }

    /** An IP header, or an extension header of it, ends here. */
    void networkPayload() {
        networkPayloadAt = at;
        payload();
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
        return network >= 0 && layers[4 * network] == LayerType.IPV6.index();
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
}
