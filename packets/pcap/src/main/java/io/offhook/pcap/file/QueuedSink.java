package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Frames to another sink, written by a thread of its own, behind a queue of so many bytes: who captures never waits for a
 * disk. Frames for which there is no room are dropped and counted, and the sink is told of them
 * ({@link PacketSink#lost}), in their place.
 *
 * <p>Frames are copied. Lent, they would hold blocks of a receive ring, which the kernel hands over half empty when little
 * comes: a disk that is still for a second would use up a ring of 64 MiB with a megabyte in it.
 *
 * <p>What was written is flushed when no more comes, and each second at least. A failure of the sink is thrown by the next
 * call. Single-threaded, as any sink; {@link #drops()} and {@link #waitingBytes} may be asked by all.
 */
public final class QueuedSink implements PacketSink {
    private static final int SMALLEST_BYTES = 1 << 20;
    private static final int ENTRIES_AT_A_TIME = 256;
    /** Between two flushes: while frames come, and once none wait. */
    private static final long BUSY_FLUSH_NS = 1_000_000_000L;

    private static final long IDLE_FLUSH_NS = 200_000_000L;

    private final PacketSink sink;
    private final FrameQueue queue;
    private final Runnable begins;
    private final Runnable ends;
    private final Thread thread;
    private final FrameBatch one = new FrameBatch(1);

    /** Of each interface: what is to be told before its next frame. */
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

    private QueuedSink(PacketSink sink, long bytes, Runnable begins, Runnable ends) {
        this.sink = sink;
        this.begins = begins;
        this.ends = ends;
        queue = new FrameQueue(bytes);
        thread = Thread.ofPlatform().daemon().name("offhook-writer").unstarted(this::work);
    }

    /**
     * Puts a queue before a sink, which is the thread's from now on, and closed with this.
     *
     * @param bytes of memory for frames that wait, each with 32 bytes; 1 MiB at least
     */
    public static QueuedSink of(PacketSink sink, long bytes) {
        return of(sink, bytes, () -> {}, () -> {});
    }

    /**
     * As {@link #of(PacketSink, long)}, for who wants to know which thread it is that writes.
     *
     * @param begins the first thing that the thread does; what it throws is a failure of the sink
     * @param ends the last
     */
    public static QueuedSink of(PacketSink sink, long bytes, Runnable begins, Runnable ends) {
        if (bytes < SMALLEST_BYTES) {
            throw new IllegalArgumentException(
                    "a queue of " + bytes + " bytes; at least " + SMALLEST_BYTES + " are needed");
        }
        QueuedSink queued = new QueuedSink(sink, bytes, begins, ends);
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

    /** {@inheritDoc} It goes to the other thread with {@link #show}; without that, it waits. */
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

    /** Hands over what was written: after each batch. */
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

    /** Adds what was lost to the queue; false where there is no room. */
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

    /** {@inheritDoc} Where there is no room in the queue it goes unsaid. */
    @Override
    public void time(long nowNs) {
        check();
        if (queue.addTime(nowNs)) {
            show();
        }
    }

    /** Hands over what was written; the thread flushes it within 200 ms. */
    @Override
    public void flush() {
        check();
        show();
    }

    /** Frames that there was no room for, so far. Any thread may ask. */
    public long drops() {
        return drops;
    }

    /** As {@link #drops()}, of one interface; for the thread that writes. */
    public long drops(int interfaceIndex) {
        return interfaceIndex < droppedOf.length ? droppedOf[interfaceIndex] : 0;
    }

    /** Bytes of the queue in use. Any thread may ask, until this is closed. */
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

    /** The same, with the stack of this thread. */
    private static RuntimeException again(Throwable thrown) {
        return thrown.getCause() instanceof IOException cause
                ? new UncheckedIOException(thrown.getMessage(), cause)
                : new IllegalStateException("writing frames failed", thrown);
    }

    private void work() {
        try {
            writeAll();
        } catch (RuntimeException | Error e) {
            // no memory for a compressor, say: unheard of, all that comes would be dropped for want of room
            failure = e;
        } finally {
            ends.run();
        }
    }

    private void writeAll() {
        try (sink) {
            begins.run();
            FrameBatch frame = new FrameBatch(1);
            long flushedNs = System.nanoTime();
            boolean isDirty = false;
            while (true) {
                boolean isLast = isEnding; // asked before the queue: what it has now is all
                int count = queue.take(sink, frame, ENTRIES_AT_A_TIME);
                isDirty |= count > 0;
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
        isWaiting = true;
        if (queue.waiting() == 0 && !isEnding) {
            LockSupport.parkNanos(mostNs);
        }
        isWaiting = false;
    }

    /** {@inheritDoc} Waits until all is written. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        while (failure == null && !isToldAll && !tellLosses()) {
            LockSupport.parkNanos(1_000_000); // the end has to tell of the last ones, once there is room
        }
        show();
        isEnding = true;
        LockSupport.unpark(thread);
        await();
        queue.close();
        Throwable thrown = failure;
        if (thrown != null) {
            throw again(thrown);
        }
    }

    private void await() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
