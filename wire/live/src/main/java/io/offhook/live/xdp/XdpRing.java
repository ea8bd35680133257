package io.offhook.live.xdp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A ring of AF_XDP, which one side writes and the other reads: both counts increase forever, and the ring holds what is
 * between them. This process writes the {@linkplain #room fill and TX rings}, the kernel the RX and completion rings.
 * One thread at a time.
 */
final class XdpRing {
    private static final VarHandle COUNT = JAVA_INT.varHandle();

    private final MemorySegment memory;
    private final long producerAt;
    private final long consumerAt;
    private final long flagsAt;
    private final long entriesAt;
    private final int entryBytes;
    private final int entries;

    /** The count of this side: entries up to here were written, or read. */
    private int own;

    private XdpRing(MemorySegment memory, MemorySegment offsets, int at, int entries, int entryBytes) {
        this.memory = memory;
        producerAt = offsets.get(JAVA_LONG, at + IfXdp.RING_PRODUCER);
        consumerAt = offsets.get(JAVA_LONG, at + IfXdp.RING_CONSUMER);
        flagsAt = offsets.get(JAVA_LONG, at + IfXdp.RING_FLAGS);
        entriesAt = offsets.get(JAVA_LONG, at + IfXdp.RING_DESCRIPTORS);
        this.entries = entries;
        this.entryBytes = entryBytes;
    }

    /**
     * Creates a ring and maps it.
     *
     * @param option XDP_..._RING
     * @param offsets the offsets of all rings, as declared by the kernel
     * @param at the position of this ring's offsets in them
     * @param pages the offset at which the ring is mapped
     * @param entries a power of two
     */
    static XdpRing make(
            NativeSocket socket, int option, MemorySegment offsets, int at, long pages, int entries, int entryBytes) {
        socket.set(IfXdp.SOL_XDP, option, entries, "make a ring of " + entries + " entries");
        long entriesAt = offsets.get(JAVA_LONG, at + IfXdp.RING_DESCRIPTORS);
        MemorySegment memory = socket.map(pages, entriesAt + (long) entries * entryBytes, "map a ring of AF_XDP");
        return new XdpRing(memory, offsets, at, entries, entryBytes);
    }

    /** The side of the kernel, for a ring that the kernel does not use: both sides have counted nothing yet. */
    XdpRing kernelSide() {
        return new XdpRing(this);
    }

    private XdpRing(XdpRing other) {
        memory = other.memory;
        producerAt = other.producerAt;
        consumerAt = other.consumerAt;
        flagsAt = other.flagsAt;
        entriesAt = other.entriesAt;
        entryBytes = other.entryBytes;
        entries = other.entries;
    }

    int entries() {
        return entries;
    }

    /** Returns the waiting entries of a ring that the kernel writes. */
    int waiting() {
        return (int) COUNT.getAcquire(memory, producerAt) - own;
    }

    /** Returns the free entries of a ring that this process writes. */
    int room() {
        return entries - (own - (int) COUNT.getAcquire(memory, consumerAt));
    }

    /** Returns the offset of entry {@code i}, from 0, of the waiting or free ones. */
    private long at(int i) {
        return entriesAt + (long) (own + i & entries - 1) * entryBytes;
    }

    long address(int i) {
        return memory.get(JAVA_LONG, at(i));
    }

    int length(int i) {
        return memory.get(JAVA_INT, at(i) + IfXdp.DESCRIPTOR_LENGTH);
    }

    int options(int i) {
        return memory.get(JAVA_INT, at(i) + IfXdp.DESCRIPTOR_OPTIONS);
    }

    void address(int i, long address) {
        memory.set(JAVA_LONG, at(i), address);
    }

    void describe(int i, long address, int length) {
        long at = at(i);
        memory.set(JAVA_LONG, at, address);
        memory.set(JAVA_INT, at + IfXdp.DESCRIPTOR_LENGTH, length);
        memory.set(JAVA_INT, at + IfXdp.DESCRIPTOR_OPTIONS, 0);
    }

    /** Releases the first waiting entries, which were read, so that the kernel may overwrite them. */
    void take(int count) {
        own += count;
        COUNT.setRelease(memory, consumerAt, own);
    }

    /** Submits entries that were written, so that the kernel may read them. */
    void submit(int count) {
        own += count;
        COUNT.setRelease(memory, producerAt, own);
    }

    /** Reports, as the kernel does, that it sleeps. */
    void askForWakeUp() {
        COUNT.setRelease(memory, flagsAt, IfXdp.XDP_RING_NEED_WAKEUP);
    }

    /** Whether the kernel sleeps, and is to be told that there is something for it. */
    boolean needsWakeUp() {
        return ((int) COUNT.getAcquire(memory, flagsAt) & IfXdp.XDP_RING_NEED_WAKEUP) != 0;
    }
}
