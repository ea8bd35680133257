package io.offhook.live.xdp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A ring of AF_XDP, which one side writes and the other reads: both count up without end, and the ring is what lies between
 * the two. This process writes {@linkplain #room fill and TX}, the kernel RX and completion. One thread at a time.
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

    /** Our side's count; what is to come is written, or was read, up to there. */
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
     * Makes a ring, and maps it.
     *
     * @param option XDP_..._RING
     * @param offsets of all rings, as the kernel told
     * @param at where those of this ring are
     * @param pages where the ring is mapped from
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

    /** Of a ring that the kernel writes: the entries that wait. */
    int waiting() {
        return (int) COUNT.getAcquire(memory, producerAt) - own;
    }

    /** Of a ring that this process writes: the entries that may be written. */
    int room() {
        return entries - (own - (int) COUNT.getAcquire(memory, consumerAt));
    }

    /** Where entry {@code i} lies: from 0, of those that wait or that may be written. */
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

    /** The first of those that wait were read: the kernel may write there again. */
    void take(int count) {
        own += count;
        COUNT.setRelease(memory, consumerAt, own);
    }

    /** So many were written: the kernel may read them. */
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
