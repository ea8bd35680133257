package io.offhook.live;

import io.offhook.linux.LinuxException;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.buffer.BorrowingThreads;
import io.offhook.pcap.CaptureFault;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One of several merged sources: its reader, a thread that fills hauls with frames as they arrive and queues them, and
 * the rest of the haul being merged. The lock is shared by all lanes; one thread merges.
 */
final class LiveLane {
    /** The most batches in use at once; each is created when first needed. */
    static final int MOST_HAULS = 64;

    private static final int HAUL_FRAMES = 4096;

    /** The frames of one batch. */
    static final class Haul {
        final LiveLane lane;
        final FrameBatch batch = new FrameBatch(HAUL_FRAMES);
        /** When it was queued, by {@link System#nanoTime}. */
        long queuedNs;
        /** The number of the consumer's batches that have frames of it, plus one while it is being merged. */
        int holders;
        /** Packets that were dropped between the two times. */
        long drops;

        long dropsFromNs;
        long dropsUntilNs;

        private Haul(LiveLane lane) {
            this.lane = lane;
        }
    }

    final LiveSource source;
    /** The number of its first interface among those of all lanes. */
    final int firstInterface;

    final DropPlaces places;

    /** The haul being merged, and its next frame; used by the consumer only. */
    @Nullable
    Haul head;

    int at;
    /** Whether the consumer's current batch has frames of that haul. */
    boolean isLent;
    /** The segment of the frame merged last, and its index in the consumer's batch. */
    @Nullable
    MemorySegment segment;

    int segmentIndex;
    /** Whether so many hauls are queued behind it that it cannot wait for other lanes. */
    boolean isCrowded;

    private final ReentrantLock lock;
    private final Condition freed;
    private final Runnable arrived;
    private final ArrayDeque<Haul> queue = new ArrayDeque<>(MOST_HAULS);
    /** Hauls that are no longer read but still borrow from the source. */
    private final ArrayDeque<Haul> returned = new ArrayDeque<>(MOST_HAULS);
    /** Empty hauls; used by the reader only. */
    private final ArrayDeque<Haul> free = new ArrayDeque<>(MOST_HAULS);

    private final LanePlacement.Place place;
    private final Thread thread;
    private int made;
    private boolean isClosing;
    private boolean isOver;
    private @Nullable CaptureFault fault;
    private @Nullable Throwable failure;

    /**
     * Creates a lane that is not running yet.
     *
     * @param placement receives the reader's thread as a lane, such as {@code reader-eth0}
     * @param arrived called with the lock held when there are frames to merge or the state has changed
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

    /** Returns the name of its first interface. */
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
            // concerns one interface: the others continue
            fault = new CaptureFault(CaptureFault.Kind.UNREADABLE, name(), -1, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            place.leave();
            end();
        }
    }

    /** Returns a haul to fill, waiting for one if necessary; null once the lane is being closed. */
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
     * Returns the memory of hauls that are no longer read: at once instead of on the next fill, because until then the
     * ring would be short of these blocks. A ring that has lent all of them delivers nothing.
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

    /** Moves to the next queued haul if there is none at hand; with the lock held. */
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
                endHead(); // it only reported drops
            }
        }
        isCrowded = queue.size() >= MOST_HAULS / 2;
    }

    /** Returns how many hauls wait, that at hand among them; with the lock held. */
    int queued() {
        return queue.size() + (head == null ? 0 : 1);
    }

    /** Ends the haul at hand, which is merged completely; with the lock held. */
    void endHead() {
        Haul haul = head;
        if (haul != null) {
            head = null;
            let(haul);
        }
    }

    /** Returns whether nothing will arrive and nothing is left; with the lock held. */
    boolean isDone() {
        return isOver && head == null && queue.isEmpty();
    }

    /** Removes one holder; the last one returns the haul to the reader. With the lock held. */
    static void let(Haul haul) {
        if (--haul.holders == 0) {
            haul.lane.returned.add(haul);
            haul.lane.freed.signal();
        }
    }

    /** Returns what ended the lane prematurely, or null; with the lock held. */
    @Nullable
    CaptureFault fault() {
        return fault;
    }

    /** Returns the internal error that ended it, or null; with the lock held. */
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
        BorrowingThreads.join(thread);
        source.close();
    }
}
