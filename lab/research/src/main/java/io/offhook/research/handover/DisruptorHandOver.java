package io.offhook.research.handover;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Copies into an event of a Disruptor with one producer. Each of two consumers sees all events, and examines every other
 * one, because version 4 has no work pool. Consumers wait as in {@link HandOver#pause}; the producer sleeps at once.
 */
final class DisruptorHandOver extends HandOver {
    private final Disruptor<Event> disruptor;
    private final RingBuffer<Event> ring;
    private final MemorySegment memory;
    private long allocated;

    /** The memory of a copy. */
    private static final class Event {
        final long offset;
        int length;

        Event(long offset) {
            this.offset = offset;
        }
    }

    DisruptorHandOver(int consumers, Supplier<PacketLook> looks, boolean payload, Arena arena) {
        memory = arena.allocate((long) SLOTS * CaptureSlots.BYTES, 128);
        disruptor = new Disruptor<>(
                () -> new Event(CaptureSlots.BYTES * allocated++),
                SLOTS,
                DaemonThreadFactory.INSTANCE,
                ProducerType.SINGLE,
                new SleepingWaitStrategy());
        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
        EventHandler<Event>[] handlers = new EventHandler[consumers];
        for (int i = 0; i < consumers; i++) {
            int mine = i;
            PacketCounter counter = counter(looks.get(), payload);
            handlers[i] = (event, sequence, endOfBatch) -> {
                if (sequence % consumers == mine) {
                    counter.look(memory, event.offset, event.length);
                }
            };
        }
        disruptor.handleEventsWith(handlers);
        ring = disruptor.start();
    }

    @Override
    void takeOver(MemorySegment segment, long offset, int length) {
        long sequence = ring.next();
        Event event = ring.get(sequence);
        MemorySegment.copy(segment, offset, memory, event.offset, length);
        event.length = length;
        ring.publish(sequence);
    }

    @Override
    public void close() {
        disruptor.shutdown();
    }
}
