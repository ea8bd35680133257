package io.offhook.research.handover;

import io.offhook.research.handover.PacketLook.Objects;
import io.offhook.research.handover.PacketLook.Views;
import io.offhook.research.handover.PacketLook.Walker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What a capture thread does with a packet before it gives the slot back. */
abstract class HandOver implements AutoCloseable {
    /** The ways: those without consumers first. */
    enum Way {
        VIEWS("views in place", false),
        WALKER("walker in place", false),
        OBJECTS("header objects", false),
        ARRAY_QUEUE("ArrayBlockingQueue", true),
        DISRUPTOR("Disruptor 4", true),
        RING("our ring", true);

        final String words;
        final boolean copies;

        Way(String words, boolean copies) {
            this.words = words;
            this.copies = copies;
        }
    }

    /** As many as the capture has. */
    static final int SLOTS = CaptureSlots.COUNT;

    private static final int MIDDLE = 16;
    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final int SLEEP_NS = 100;

    private final List<PacketCounter> counters = new ArrayList<>();
    /** In its middle, with 128 bytes on both sides: consumers read the fields of this object. */
    private final long[] handedOver = new long[33];

    /** @param payload whether the payload's bytes are read as well, or only the headers */
    static HandOver of(Way way, int consumers, boolean payload, Arena arena) {
        return switch (way) {
            case VIEWS -> inPlace(new Views(), payload);
            case WALKER -> inPlace(new Walker(), payload);
            case OBJECTS -> inPlace(new Objects(), payload);
            case ARRAY_QUEUE, DISRUPTOR, RING -> copying(way, consumers, Views::new, payload, arena);
        };
    }

    static HandOver inPlace(PacketLook look, boolean payload) {
        return new InPlace(look, payload);
    }

    /**
     * @param way one that copies
     * @param looks gives each consumer one of its own
     */
    static HandOver copying(Way way, int consumers, Supplier<PacketLook> looks, boolean payload, Arena arena) {
        return switch (way) {
            case ARRAY_QUEUE -> new ArrayQueueHandOver(consumers, looks, payload, arena);
            case DISRUPTOR -> new DisruptorHandOver(consumers, looks, payload, arena);
            case RING -> new RingHandOver(consumers, looks, payload, arena);
            case VIEWS, WALKER, OBJECTS -> throw new IllegalArgumentException(way + " copies nothing");
        };
    }

    /** A counter for who looks at packets, of one thread. */
    final PacketCounter counter(PacketLook look, boolean payload) {
        PacketCounter counter = new PacketCounter(look, payload);
        counters.add(counter);
        return counter;
    }

    /** Takes a packet over: after it the slot may be written again. Waits for room where there is none. */
    final void take(MemorySegment segment, long offset, int length) {
        takeOver(segment, offset, length);
        handedOver[MIDDLE]++;
    }

    abstract void takeOver(MemorySegment segment, long offset, int length);

    /** Waits until all packets that were handed over have been examined. */
    void drain() {
        for (int spins = 0; looked() < handedOver[MIDDLE]; spins++) {
            pause(spins);
        }
    }

    private long looked() {
        long sum = 0;
        for (PacketCounter counter : counters) {
            sum += counter.packets();
        }
        return sum;
    }

    /** Returns the sum over all examined packets, after {@link #drain}. */
    final long sum() {
        long sum = 0;
        for (PacketCounter counter : counters) {
            sum += counter.sum();
        }
        return sum;
    }

    /**
     * How all wait here, but in the array queue: some turns, then the processor goes to who needs it, then a sleep as short
     * as the system has. The Disruptor's SleepingWaitStrategy does the same.
     */
    @SuppressWarnings("ThreadPriorityCheck") // with more threads than processors, giving way is what is measured
    static void pause(int idle) {
        if (idle < SPINS) {
            Thread.onSpinWait();
        } else if (idle < SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(SLEEP_NS);
        }
    }

    /** Runs a consumer's duty cycle until it is stopped; a cycle returns whether there was work. */
    static void poll(BooleanSupplier turn, BooleanSupplier goesOn) {
        for (int idle = 0; ; ) {
            if (turn.getAsBoolean()) {
                idle = 0;
            } else if (goesOn.getAsBoolean()) {
                pause(idle++);
            } else {
                return;
            }
        }
    }

    @Override
    public abstract void close();

    /** Examines the packet in place, without a copy or another thread. */
    private static final class InPlace extends HandOver {
        private final PacketCounter counter;

        InPlace(PacketLook look, boolean payload) {
            counter = counter(look, payload);
        }

        @Override
        void takeOver(MemorySegment segment, long offset, int length) {
            counter.look(segment, offset, length);
        }

        @Override
        public void close() {}
    }
}
