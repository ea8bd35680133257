package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** The layers of one packet, as a walk found them: what a {@link Protocol} may ask about those around its own. */
public interface Layers {
    /** A packet without layers: what bytes that stand alone are in. */
    Layers NONE = new NoLayers();

    /** The segment that holds the packet. */
    MemorySegment segment();

    /** Where the frame starts, in the segment. */
    long frameOffset();

    /** Layers that were found, the outermost first. */
    int layerCount();

    /** The kind of layer {@code i}. */
    LayerType layerType(int i);

    /** Where the header of layer {@code i} starts, in the segment. */
    long layerOffset(int i);

    /** Bytes of the header of layer {@code i} that were captured. */
    int layerHeaderLength(int i);

    /** Bytes of the header of layer {@code i} and of what it carries, as far as captured. */
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

    /** 0 to 65535; 0 where there is no transport layer, or one without ports. */
    int sourcePort();

    /** 0 to 65535; 0 where there is no transport layer, or one without ports. */
    int destinationPort();

    /** Where the bytes above the transport layer start, in the segment. */
    long payloadOffset();

    /** Bytes that were captured of them. */
    int payloadLength();

    /** Bytes of them there were, by the lengths in the headers. */
    int payloadWireLength();
}
