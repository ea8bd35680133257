package io.offhook.live;

import io.offhook.linux.LinuxException;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One source of several: its reader, a thread that fills hauls as they come and queues them, and what is left of the haul
 * that is being merged. The lock is that of all lanes; who merges is one thread.
 */
final class LiveLane {
    /** Batches that may be in use; made when they are first needed. */
    static final int MOST_HAULS = 64;

    private static final int HAUL_FRAMES = 4096;

    /** Frames that came in one go. */
    static final class Haul {
        final LiveLane lane;
        final FrameBatch batch = new FrameBatch(HAUL_FRAMES);
        /** When it was queued, by {@link System#nanoTime}. */
        long queuedNs;
        /** Batches of the consumer that have frames of it, and one more while it is being merged. */
        int holders;
        /** Packets that were dropped between two times. */
        long drops;

        long dropsFromNs;
        long dropsUntilNs;

        private Haul(LiveLane lane) {
            this.lane = lane;
        }
    }

    final LiveSource source;
    /** Of its first interface, among those of all lanes. */
    final int firstInterface;

    final DropPlaces places;

    /** What is merged now, and its next frame; of the consumer. */
    @Nullable
    Haul head;

    int at;
    /** Whether the consumer's batch has frames of that haul. */
    boolean isLent;
    /** The segment of the frame that was merged last, and its index in the consumer's batch. */
    @Nullable
    MemorySegment segment;

    int segmentIndex;
    /** Whether so many hauls wait behind it that it cannot wait for others. */
    boolean isCrowded;

    private final ReentrantLock lock;
    private final Condition freed;
    private final Runnable arrived;
    private final ArrayDeque<Haul> queue = new ArrayDeque<>(MOST_HAULS);
    /** Those that nobody reads any more, but that still borrow from the source. */
    private final ArrayDeque<Haul> returned = new ArrayDeque<>(MOST_HAULS);
    /** Those that are empty; of the reader alone. */
    private final ArrayDeque<Haul> free = new ArrayDeque<>(MOST_HAULS);

    private final LanePlacement.Place place;
    private final Thread thread;
    private int made;
    private boolean isClosing;
    private boolean isOver;
    private @Nullable CaptureFault fault;
    private @Nullable Throwable failure;

    /**
     * A lane that does not run yet.
     *
     * @param placement where it is to run, as {@code reader-eth0}
     * @param arrived called with the lock held, when there is something new to merge or to know
     */
    LiveLane(LiveSource source, int firstInterface, LanePlacement placement, ReentrantLock lock, Runnable arrived) {
        this.source = source;
        this.firstInterface = firstInterface;
        this.lock = lock;
        this.arrived = arrived;
        freed = lock.newCondition();
        places = new DropPlaces(name());
        place = placement.reserve("reader-" + name());
        thread = Thread.ofPlatform().daemon().name("offhook-reader-" + name()).unstarted(this::read);
    }

    void start() {
        thread.start();
    }

    /** That of its first interface. */
    String name() {
        return source.interfaces().getFirst().file();
    }

    private void read() {
        try {
            place.enter();
            long known = 0;
            long knownNs = WallClock.kernelNs();
            boolean isMore = true;
            Haul haul = empty();
            while (isMore && haul != null) {
                isMore = source.next(haul.batch);
                long drops = source.counts().drops();
                long nowNs = WallClock.kernelNs();
                haul.drops = drops - known;
                haul.dropsFromNs = knownNs;
                haul.dropsUntilNs = nowNs;
                knownNs = nowNs;
                if (haul.batch.count() > 0 || haul.drops > 0) {
                    known = drops;
                    queue(haul);
                    haul = isMore ? empty() : null;
                } else {
                    releaseReturned();
                }
            }
        } catch (LinuxException e) {
            // of one interface: the others go on
            fault = new CaptureFault(CaptureFault.Kind.UNREADABLE, name(), -1, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            place.leave();
            end();
        }
    }

    /** A haul to be filled, once there is one; null when the lane is being closed. */
    private @Nullable Haul empty() {
        lock.lock();
        try {
            while (returned.isEmpty() && free.isEmpty() && made == MOST_HAULS && !isClosing) {
                freed.awaitUninterruptibly();
            }
            if (isClosing) {
                return null;
            }
            releaseReturned();
        } finally {
            lock.unlock();
        }
        Haul haul = free.poll();
        if (haul == null) {
            made++;
            haul = new Haul(this);
        }
        return haul;
    }

    /**
     * Gives back what nobody reads any more: at once, and not when it is filled again, for meanwhile the ring would be short
     * of its blocks. A ring that has lent all of them hands over nothing until then.
     */
    private void releaseReturned() {
        lock.lock();
        try {
            for (Haul haul = returned.poll(); haul != null; haul = returned.poll()) {
                source.release(haul.batch);
                free.add(haul);
            }
        } finally {
            lock.unlock();
        }
    }

    private void queue(Haul haul) {
        haul.queuedNs = System.nanoTime();
        lock.lock();
        try {
            queue.add(haul);
            arrived.run();
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            isOver = true;
            arrived.run();
        } finally {
            lock.unlock();
        }
    }

    /** Goes on to the haul that came next, if there is no other at hand; with the lock held. */
    void refill() {
        while (head == null && !queue.isEmpty()) {
            Haul haul = queue.remove();
            haul.holders = 1;
            places.add(haul.drops, haul.dropsFromNs, haul.dropsUntilNs);
            head = haul;
            at = 0;
            isLent = false;
            segment = null;
            if (haul.batch.count() == 0) {
                endHead(); // it only told of drops
            }
        }
        isCrowded = queue.size() >= MOST_HAULS / 2;
    }

    /** The haul at hand is merged; with the lock held. */
    void endHead() {
        Haul haul = head;
        if (haul != null) {
            head = null;
            let(haul);
        }
    }

    /** Whether nothing comes any more and nothing is left; with the lock held. */
    boolean isDone() {
        return isOver && head == null && queue.isEmpty();
    }

    /** One holder less: the last one gives the haul back to the reader; with the lock held. */
    static void let(Haul haul) {
        if (--haul.holders == 0) {
            haul.lane.returned.add(haul);
            haul.lane.freed.signal();
        }
    }

    /** What ended the lane before its time, or null; with the lock held. */
    @Nullable
    CaptureFault fault() {
        return fault;
    }

    /** A mistake of ours that ended it, or null; with the lock held. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Ends the reader, drained or not, and its source. */
    void close() {
        lock.lock();
        try {
            isClosing = true;
            freed.signal();
        } finally {
            lock.unlock();
        }
        source.stop();
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
        source.close();
    }
}
