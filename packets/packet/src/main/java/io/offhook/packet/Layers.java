package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** The layers of one packet as a walk found them, so that a {@link Protocol} can look at those around its own. */
public interface Layers {
    /** A packet without layers, for bytes that stand alone. */
    Layers NONE = new NoLayers();

    /** The segment that holds the packet. */
    MemorySegment segment();

    /** The offset of the frame in the segment. */
    long frameOffset();

    /** The number of layers found; layer 0 is the outermost. */
    int layerCount();

    /** The kind of layer {@code i}. */
    LayerType layerType(int i);

    /** The offset in the segment of the header of layer {@code i}. */
    long layerOffset(int i);

    /** The number of captured bytes of the header of layer {@code i}. */
    int layerHeaderLength(int i);

    /** The number of captured bytes of layer {@code i}, header and payload. */
    int layerLength(int i);

    /** The innermost IP layer, or -1. */
    int network();

    /** The transport layer of the innermost IP packet, or -1. */
    int transport();

    /** First half of the innermost IP source address, IPv4 as IPv4-mapped IPv6; 0 without IP. */
    long sourceHigh();

    /** Second half of the innermost IP source address. */
    long sourceLow();

    /** First half of the innermost IP destination address. */
    long destinationHigh();

    /** Second half of the innermost IP destination address. */
    long destinationLow();

    /** 0 to 65535; 0 if there is no transport layer, or one without ports. */
    int sourcePort();

    /** 0 to 65535; 0 if there is no transport layer, or one without ports. */
    int destinationPort();

    /** The offset in the segment of the bytes above the transport layer. */
    long payloadOffset();

    /** The number of captured payload bytes. */
    int payloadLength();

    /** The number of payload bytes sent, by the lengths in the headers. */
    int payloadWireLength();
}
