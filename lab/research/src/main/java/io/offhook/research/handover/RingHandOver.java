package io.offhook.research.handover;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Copies into a slot of a {@link SlotRing}. Each of two consumers reads every other slot. */
final class RingHandOver extends HandOver {
    private final SlotRing ring;
    private final MemorySegment memory;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean goesOn = true;

    RingHandOver(int consumers, Supplier<PacketLook> looks, boolean payload, Arena arena) {
        ring = new SlotRing(SLOTS, CaptureSlots.BYTES, consumers, arena);
        memory = ring.memory();
        for (int i = 0; i < consumers; i++) {
            SlotRing.Reader reader = ring.reader(i);
            PacketCounter counter = counter(looks.get(), payload);
            threads.add(Thread.ofPlatform().daemon().start(() -> poll(() -> consume(reader, counter), () -> goesOn)));
        }
    }

    /** Examines all packets that are present. */
    private boolean consume(SlotRing.Reader reader, PacketCounter counter) {
        boolean any = false;
        for (long at = reader.next(); at >= 0; at = reader.next()) {
            counter.look(memory, at, reader.length());
            reader.release();
            any = true;
        }
        return any;
    }

    @Override
    void takeOver(MemorySegment segment, long offset, int length) {
        long at = ring.claim();
        for (int spins = 0; at < 0; spins++) {
            pause(spins);
            at = ring.claim();
        }
        MemorySegment.copy(segment, offset, memory, at, length);
        ring.publish(length);
    }

    @Override
    public void close() {
        goesOn = false;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
