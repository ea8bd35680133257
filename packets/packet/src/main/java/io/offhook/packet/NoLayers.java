package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** A packet without layers; {@link Layers#NONE}. */
final class NoLayers implements Layers {
    @Override
    public MemorySegment segment() {
        return MemorySegment.NULL;
    }

    @Override
    public long frameOffset() {
        return 0;
    }

    @Override
    public int layerCount() {
        return 0;
    }

    @Override
    public LayerType layerType(int i) {
        throw none(i);
    }

    @Override
    public long layerOffset(int i) {
        throw none(i);
    }

    @Override
    public int layerHeaderLength(int i) {
        throw none(i);
    }

    @Override
    public int layerLength(int i) {
        throw none(i);
    }

    private static IndexOutOfBoundsException none(int i) {
        return new IndexOutOfBoundsException("layer " + i + " of a packet without layers");
    }

    @Override
    public int network() {
        return -1;
    }

    @Override
    public int transport() {
        return -1;
    }

    @Override
    public long sourceHigh() {
        return 0;
    }

    @Override
    public long sourceLow() {
        return 0;
    }

    @Override
    public long destinationHigh() {
        return 0;
    }

    @Override
    public long destinationLow() {
        return 0;
    }

    @Override
    public int sourcePort() {
        return 0;
    }

    @Override
    public int destinationPort() {
        return 0;
    }

    @Override
    public long payloadOffset() {
        return 0;
    }

    @Override
    public int payloadLength() {
        return 0;
    }

    @Override
    public int payloadWireLength() {
        return 0;
    }
}
