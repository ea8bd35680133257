package io.offhook.research.handover;

import io.offhook.research.handover.HandOver.Way;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Examines packets in place, and copies only RTP for a second thread. */
final class SiftingHandOver extends HandOver {
    private final PacketCounter sieve;
    private final HandOver ring;

    SiftingHandOver(Arena arena) {
        sieve = counter(new SnifferLook.Once(), false);
        ring = copying(Way.RING, 1, SnifferLook.Once::new, false, arena);
    }

    @Override
    void takeOver(MemorySegment segment, long offset, int length) {
        if (sieve.look(segment, offset, length) != 0) {
            ring.take(segment, offset, length);
        }
    }

    @Override
    void drain() {
        super.drain();
        ring.drain();
        if (ring.sum() != sieve.sum()) {
            throw new IllegalStateException(
                    "the second thread received " + ring.sum() + ", but the first had found " + sieve.sum());
        }
    }

    @Override
    public void close() {
        ring.close();
    }
}
