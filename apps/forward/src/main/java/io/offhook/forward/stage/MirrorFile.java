package io.offhook.forward.stage;

import io.offhook.packet.LinkType;
import io.offhook.pcap.file.PcapNgWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A pcapng file that lanes write packets to, through a bounded queue each: a thread of its own writes, and a disk that is
 * slow or full costs packets of the file, which are counted, and none of the traffic.
 */
public final class MirrorFile implements AutoCloseable {
    private static final long IDLE_NS = 1_000_000;
    private static final long FLUSH_NS = 1_000_000_000;

    private final Path file;
    private final PcapNgWriter writer;
    private final int snapLength;
    private final int slots;
    private final List<Queue> queues = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean isStopping;
    private volatile @Nullable RuntimeException failure;

    /**
     * Makes the file, and starts its thread.
     *
     * @param snapLength most bytes of a packet, 64 to 65,535
     * @param slots packets that each lane's queue holds, 16 to 65,536; rounded up to a power of two
     * @throws java.io.UncheckedIOException where it cannot be made
     */
    public MirrorFile(Path file, int snapLength, int slots) {
        this.file = file;
        this.snapLength = snapLength;
        this.slots = Integer.highestOneBit(Math.max(16, slots) - 1) << 1;
        writer = PcapNgWriter.create(file);
        thread = Thread.ofPlatform().name("mirror").daemon().start(this::write);
    }

    /** A lane's queue: the lane puts, the file's thread takes. */
    final class Queue {
        private static final VarHandle TAIL = field("tail");
        private static final VarHandle HEAD = field("head");
        private static final int HEADER = 16;

        private final Arena arena = Arena.ofShared();
        private final int slotBytes = HEADER + snapLength + 7 & -8;
        private final MemorySegment memory = arena.allocate((long) slots * slotBytes, 8);

        @SuppressWarnings("unused") // by its handle
        private long head;

        private long tail;
        private long dropped;

        private static VarHandle field(String name) {
            try {
                return MethodHandles.lookup().findVarHandle(Queue.class, name, long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        /** Copies a packet; where there is no room, it is counted. */
        void put(MemorySegment from, long address, int length, long timestampNs) {
            long at = tail;
            if (at - (long) HEAD.getAcquire(this) == slots || failure != null) {
                dropped++;
                return;
            }
            long slot = (at & slots - 1) * slotBytes;
            int kept = Math.min(length, snapLength);
            memory.set(ValueLayout.JAVA_LONG, slot, timestampNs);
            memory.set(ValueLayout.JAVA_INT, slot + 8, kept);
            memory.set(ValueLayout.JAVA_INT, slot + 12, length);
            MemorySegment.copy(from, address, memory, slot + HEADER, kept);
            TAIL.setRelease(this, at + 1);
        }

        /** Writes what is there; @return how many packets */
        private int drain() {
            long at = head;
            long end = (long) TAIL.getAcquire(this);
            int written = (int) (end - at);
            for (; at < end; at++) {
                long slot = (at & slots - 1) * slotBytes;
                writer.write(
                        memory,
                        slot + HEADER,
                        memory.get(ValueLayout.JAVA_INT, slot + 8),
                        memory.get(ValueLayout.JAVA_INT, slot + 12),
                        memory.get(ValueLayout.JAVA_LONG, slot),
                        LinkType.ETHERNET);
                HEAD.setRelease(this, at + 1);
            }
            return written;
        }

        long dropped() {
            return dropped;
        }

        long waiting() {
            return (long) TAIL.getAcquire(this) - (long) HEAD.getAcquire(this);
        }
    }

    /** One more lane's. */
    Queue queue() {
        Queue queue = new Queue();
        queues.add(queue);
        return queue;
    }

    private void write() {
        long flushedNs = System.nanoTime();
        try {
            while (true) {
                boolean isLast = isStopping;
                int written = 0;
                for (Queue queue : queues) {
                    written += queue.drain();
                }
                long nowNs = System.nanoTime();
                if (nowNs - flushedNs > FLUSH_NS) {
                    writer.flush();
                    flushedNs = nowNs;
                }
                if (isLast) {
                    return;
                }
                if (written == 0) {
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
        } catch (RuntimeException e) {
            failure = e; // a full disk, as a rule: what comes is counted
        }
    }

    /** Packets that the file does not have, since a queue was full or the file could not be written. */
    public long dropped() {
        long sum = 0;
        for (Queue queue : queues) {
            // what waits for a file that is written no more is never taken
            sum += queue.dropped() + (failure == null ? 0 : queue.waiting());
        }
        return sum;
    }

    /** Where it is. */
    public Path file() {
        return file;
    }

    /** Packets written. */
    public long packets() {
        return writer.packets();
    }

    /** Why it is written no more; null while it is. */
    public @Nullable RuntimeException failure() {
        return failure;
    }

    /** Writes what is queued, after the lanes have stopped, and closes the file. */
    @Override
    public void close() {
        isStopping = true;
        LockSupport.unpark(thread);
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        queues.forEach(queue -> queue.arena.close());
        try {
            writer.close();
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
        }
    }
}
