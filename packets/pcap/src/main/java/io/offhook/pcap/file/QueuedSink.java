package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.buffer.BorrowingThreads;
import io.offhook.pcap.PacketSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Passes frames to another sink on a thread of its own, through a queue of limited size, so that the capturing thread
 * never waits for a disk. Frames for which there is no room are dropped and counted, and reported to the sink in order
 * ({@link PacketSink#lost}).
 *
 * <p>Frames are copied. Lending them would hold blocks of a receive ring, which the kernel hands over half empty when
 * there is little traffic: a disk that stalls for a second could use up a ring of 64 MiB with one megabyte of frames.
 *
 * <p>Written frames are flushed when the queue is empty, and at least once a second. A failure of the sink is thrown by
 * the next call. Single-threaded, as any sink, except for {@link #drops()} and {@link #waitingBytes}, which are
 * thread-safe.
 */
public final class QueuedSink implements PacketSink {
    private static final int SMALLEST_BYTES = 1 << 20;
    private static final int ENTRIES_AT_A_TIME = 256;
    /** The time between flushes while frames keep coming, and once none are waiting. */
    private static final long BUSY_FLUSH_NS = 1_000_000_000L;

    private static final long IDLE_FLUSH_NS = 200_000_000L;

    private final PacketSink sink;
    private final FrameQueue queue;
    private final Life life;
    private final Thread thread;
    private final FrameBatch one = new FrameBatch(1);

    /** For each interface: the losses to report before its next frame. */
    private long[] systemDrops = new long[4];

    private long[] ownDrops = new long[4];
    private boolean isToldAll = true;
    private long[] droppedOf = new long[4];
    private long dropped;
    private volatile long drops;
    private volatile boolean isEnding;
    private volatile boolean isWaiting;
    private volatile @Nullable Throwable failure;
    private boolean closed;

    /** What the writing thread reports of itself, on itself. */
    public interface Life {
        /** Called first; an exception counts as a failure of the sink. */
        default void begins() {}

        /** Called last. */
        default void ends() {}

        /**
         * The thread begins to wait for frames, or has waited.
         *
         * @param begins false when it has waited
         */
        default void waits(boolean begins) {}

        /**
         * The thread has passed frames to the sink.
         *
         * @param frames how many, losses and times among them, at least 1
         * @param waitingBytes what is in the queue now
         */
        default void wrote(int frames, long waitingBytes) {}
    }

    private QueuedSink(PacketSink sink, long bytes, Life life) {
        this.sink = sink;
        this.life = life;
        queue = new FrameQueue(bytes);
        thread = Thread.ofPlatform().daemon().name("offhook-writer").unstarted(this::work);
    }

    /**
     * Puts a queue in front of a sink, which from now on belongs to the queue's thread and is closed with this one.
     *
     * @param bytes the memory for waiting frames, each of which takes 32 bytes besides its own; at least 1 MiB
     */
    public static QueuedSink of(PacketSink sink, long bytes) {
        return of(sink, bytes, new Life() {});
    }

    /**
     * As {@link #of(PacketSink, long)}, with somebody who is called on the writing thread, for instance to learn which thread
     * it is and what it does.
     */
    public static QueuedSink of(PacketSink sink, long bytes, Life life) {
        if (bytes < SMALLEST_BYTES) {
            throw new IllegalArgumentException(
                    "a queue of " + bytes + " bytes; at least " + SMALLEST_BYTES + " are needed");
        }
        QueuedSink queued = new QueuedSink(sink, bytes, life);
        queued.thread.start();
        return queued;
    }

    @Override
    public void write(
            MemorySegment segment, long offset, int capturedLength, int wireLength, long timestampNs, int linkType) {
        one.clear(1);
        one.add(one.addSegment(segment), offset, capturedLength, wireLength, timestampNs, 0, linkType);
        write(one, 0);
        show();
    }

    /** {@inheritDoc} The frame waits until {@link #show} passes it to the writing thread. */
    @Override
    public void write(FrameBatch batch, int i) {
        check();
        if ((isToldAll || tellLosses()) && queue.add(batch, i)) {
            return;
        }
        makeRoom(batch.interfaceIndex(i));
        ownDrops[batch.interfaceIndex(i)]++;
        droppedOf[batch.interfaceIndex(i)]++;
        isToldAll = false;
        dropped++;
    }

    /** Passes the frames written so far to the writing thread; to be called after each batch. */
    public void show() {
        drops = dropped;
        if (queue.show() && isWaiting) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void lost(int interfaceIndex, long bySystem, long byUs) {
        makeRoom(interfaceIndex);
        systemDrops[interfaceIndex] += bySystem;
        ownDrops[interfaceIndex] += byUs;
        isToldAll = false;
    }

    private void makeRoom(int interfaceIndex) {
        if (interfaceIndex >= ownDrops.length) {
            ownDrops = Arrays.copyOf(ownDrops, interfaceIndex + 1);
            systemDrops = Arrays.copyOf(systemDrops, interfaceIndex + 1);
            droppedOf = Arrays.copyOf(droppedOf, interfaceIndex + 1);
        }
    }

    /** Adds the pending losses to the queue; returns false if there is no room. */
    private boolean tellLosses() {
        for (int i = 0; i < ownDrops.length; i++) {
            if (ownDrops[i] != 0 || systemDrops[i] != 0) {
                if (!queue.addLoss(i, systemDrops[i], ownDrops[i])) {
                    return false;
                }
                ownDrops[i] = 0;
                systemDrops[i] = 0;
            }
        }
        isToldAll = true;
        return true;
    }

    /** {@inheritDoc} If the queue has no room, the time is dropped. */
    @Override
    public void time(long nowNs) {
        check();
        if (queue.addTime(nowNs)) {
            show();
        }
    }

    /** Passes on the frames written so far; the writing thread flushes them within 200 ms. */
    @Override
    public void flush() {
        check();
        show();
    }

    /** Returns the frames dropped so far because the queue was full. Thread-safe. */
    public long drops() {
        return drops;
    }

    /** As {@link #drops()}, for one interface; to be called on the thread that writes frames to this sink. */
    public long drops(int interfaceIndex) {
        return interfaceIndex < droppedOf.length ? droppedOf[interfaceIndex] : 0;
    }

    /** Returns the bytes of the queue in use. Thread-safe until this sink is closed. */
    public long waitingBytes() {
        return queue.waiting();
    }

    private void check() {
        Throwable thrown = failure;
        if (thrown != null) {
            throw again(thrown);
        }
        if (closed) {
            throw new IllegalStateException("the sink is closed");
        }
    }

    /** Returns an exception of the same type with the stack trace of this thread. */
    private static RuntimeException again(Throwable thrown) {
        return thrown.getCause() instanceof IOException cause
                ? new UncheckedIOException(thrown.getMessage(), cause)
                : new IllegalStateException("writing frames failed", thrown);
    }

    private void work() {
        try {
            writeAll();
        } catch (RuntimeException | Error e) {
            // no memory for a compressor, say: unreported, later frames would be dropped as if the queue were full
            failure = e;
        } finally {
            life.ends();
        }
    }

    private void writeAll() {
        try (sink) {
            life.begins();
            FrameBatch frame = new FrameBatch(1);
            long flushedNs = System.nanoTime();
            boolean isDirty = false;
            while (true) {
                boolean isLast = isEnding; // read before the queue: afterwards nothing is added
                int count = queue.take(sink, frame, ENTRIES_AT_A_TIME);
                isDirty |= count > 0;
                if (count > 0) {
                    life.wrote(count, queue.waiting());
                }
                long sinceNs = System.nanoTime() - flushedNs;
                if (isDirty && sinceNs >= (count == 0 ? IDLE_FLUSH_NS : BUSY_FLUSH_NS)) {
                    sink.flush();
                    isDirty = false;
                    flushedNs = System.nanoTime();
                }
                if (count == 0) {
                    if (isLast) {
                        return;
                    }
                    await(isDirty ? Math.max(1, IDLE_FLUSH_NS - sinceNs) : Long.MAX_VALUE);
                }
            }
        }
    }

    private void await(long mostNs) {
        life.waits(true);
        isWaiting = true;
        if (queue.waiting() == 0 && !isEnding) {
            LockSupport.parkNanos(mostNs);
        }
        isWaiting = false;
        life.waits(false);
    }

    /** {@inheritDoc} Waits until everything is written. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        while (failure == null && !isToldAll && !tellLosses()) {
            LockSupport.parkNanos(1_000_000); // the last losses must be reported, as soon as there is room
        }
        show();
        isEnding = true;
        LockSupport.unpark(thread);
        BorrowingThreads.join(thread);
        queue.close();
        Throwable thrown = failure;
        if (thrown != null) {
            throw again(thrown);
        }
    }
}
