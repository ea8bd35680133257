package io.offhook.forward;

import java.lang.foreign.Arena;

/** Buffers of one size in native memory, for packets that are created, copied or held. Not thread-safe. */
public final class FramePool implements PacketBuffers, AutoCloseable {
    /** Headroom of each packet, for tags and outer headers. */
    public static final int HEADROOM = 128;

    private final Arena arena = Arena.ofShared();
    private final long base;
    private final int frameBytes;
    private final int[] free;
    private int freeCount;

    /**
     * Allocates all buffers.
     *
     * @param frames 1 or more
     * @param packetBytes the longest packet
     */
    public FramePool(int frames, int packetBytes) {
        frameBytes = HEADROOM + packetBytes + 63 & -64;
        base = arena.allocate((long) frames * frameBytes, 64).address();
        free = new int[frames];
        for (int i = 0; i < frames; i++) {
            free[i] = frames - 1 - i;
        }
        freeCount = frames;
    }

    /** Takes a free buffer. @return its handle, or -1 if all are in use */
    public int take() {
        return freeCount == 0 ? -1 : free[--freeCount];
    }

    @Override
    public void free(long handle) {
        if (freeCount == free.length) {
            throw new IllegalStateException("buffer " + handle + " was freed twice");
        }
        free[freeCount++] = (int) handle;
    }

    /** The address of the packet in a buffer, behind the headroom. */
    public long address(int frame) {
        return base + (long) frame * frameBytes + HEADROOM;
    }

    /** The longest packet, in bytes. */
    public int packetBytes() {
        return frameBytes - HEADROOM;
    }

    /** The number of free buffers. */
    public int available() {
        return freeCount;
    }

    @Override
    public void close() {
        arena.close();
    }
}
