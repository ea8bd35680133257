package io.offhook.research.handover;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Supplier;

/**
 * Copies into a slot of a pool and puts the slot into an {@link ArrayBlockingQueue}; a consumer takes and examines it, and
 * returns the slot by another queue. Waiting threads are parked.
 */
final class ArrayQueueHandOver extends HandOver {
    private static final Slot END = new Slot(0);

    private final ArrayBlockingQueue<Slot> full = new ArrayBlockingQueue<>(SLOTS);
    private final ArrayBlockingQueue<Slot> free = new ArrayBlockingQueue<>(SLOTS);
    private final List<Thread> threads = new ArrayList<>();
    private final MemorySegment memory;

    /** The memory of a copy. */
    private static final class Slot {
        final long offset;
        int length;

        Slot(long offset) {
            this.offset = offset;
        }
    }

    ArrayQueueHandOver(int consumers, Supplier<PacketLook> looks, boolean payload, Arena arena) {
        memory = arena.allocate((long) SLOTS * CaptureSlots.BYTES, 128);
        for (int i = 0; i < SLOTS; i++) {
            free.add(new Slot((long) i * CaptureSlots.BYTES));
        }
        for (int i = 0; i < consumers; i++) {
            PacketCounter counter = counter(looks.get(), payload);
            threads.add(Thread.ofPlatform().daemon().start(() -> consume(counter)));
        }
    }

    private void consume(PacketCounter counter) {
        try {
            for (Slot slot = full.take(); slot != END; slot = full.take()) {
                counter.look(memory, slot.offset, slot.length);
                free.put(slot);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    void takeOver(MemorySegment segment, long offset, int length) {
        try {
            Slot slot = free.take();
            MemorySegment.copy(segment, offset, memory, slot.offset, length);
            slot.length = length;
            full.put(slot);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            for (int i = 0; i < threads.size(); i++) {
                full.put(END);
            }
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
