package io.offhook.live;

import java.lang.foreign.MemorySegment;

/** A ring of a backend that no interface fills, but whoever calls {@link #put}, in place of the kernel. */
public interface RehearsedRing {
    /** Returns what reads from it, as the backend does from an interface; always the same. */
    RingDriver driver();

    /**
     * Puts a frame in. Called by the thread that calls the {@link #driver}.
     *
     * @param memory the memory that holds it, which is copied
     * @param offset its first byte
     * @param length its bytes, at most 1,024
     * @return false if the ring is full
     */
    boolean put(MemorySegment memory, long offset, int length);
}
