package io.offhook.forward.stage;

import io.offhook.packet.LinkType;
import io.offhook.packet.buffer.BorrowingThreads;
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
 * A pcapng file to which lanes write packets through bounded queues, one per lane, that its own thread drains. A slow
 * or full disk costs packets in the file, which are counted, but never traffic.
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
     * Creates the file and starts its thread.
     *
     * @param snapLength the most bytes of a packet, 64 to 65,535
     * @param slots the packets that each lane's queue holds, 16 to 65,536; rounded up to a power of two
     * @throws java.io.UncheckedIOException if the file cannot be created
     */
    public MirrorFile(Path file, int snapLength, int slots) {
        this.file = file;
        this.snapLength = snapLength;
        this.slots = Integer.highestOneBit(Math.max(16, slots) - 1) << 1;
        writer = PcapNgWriter.create(file);
        thread = Thread.ofPlatform().name("mirror").daemon().start(this::write);
    }

    /** The queue of a lane: the lane adds packets, the thread of the file removes them. */
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

        /** Copies a packet; if there is no room, it is counted as dropped. */
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

        /** Writes all queued packets. @return their number */
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

    /** Creates the queue of another lane. */
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
            failure = e; // usually a full disk: further packets are counted as dropped
        }
    }

    /** The packets missing in the file because a queue was full or the file could not be written. */
    public long dropped() {
        long sum = 0;
        for (Queue queue : queues) {
            // what is queued for a failed file is never written
            sum += queue.dropped() + (failure == null ? 0 : queue.waiting());
        }
        return sum;
    }

    /** The path of the file. */
    public Path file() {
        return file;
    }

    /** The packets written. */
    public long packets() {
        return writer.packets();
    }

    /** Why writing stopped; null while it continues. */
    public @Nullable RuntimeException failure() {
        return failure;
    }

    /** Writes what is queued and closes the file. Called after the lanes stopped. */
    @Override
    public void close() {
        isStopping = true;
        LockSupport.unpark(thread);
        BorrowingThreads.join(thread);
        queues.forEach(queue -> queue.arena.close());
        try {
            writer.close();
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
        }
    }
}
