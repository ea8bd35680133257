package io.offhook.linux.lanes;

import static io.offhook.linux.lanes.LaneLayout.INT;
import static io.offhook.linux.lanes.LaneLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What a lane publishes of itself: how long it works and waits, what it took, how deep its queue is. The lane's own thread calls it,
 * at the borders of batches; whatever waits on behalf of a lane, such as a source of packets, asks for the meter of
 * the {@linkplain #current() calling thread}.
 *
 * <p>A call adds to plain fields, and stores them in the record of the lane, in memory that is shared with readers: always when it
 * begins to wait or to work, and at most each 100 microseconds while it works on. No lock, no call to the system. Times are those of {@link System#nanoTime}, which the caller has read.
 */
public final class LaneMeter {
    /** From here on, in nanoseconds, the time between two polls is a stall: 10 ms, which a ring of 16,384 frames holds at 1.6 million a second. */
    public static final long STALL_NS = 10_000_000;

    /** So often a lane that is never idle publishes. */
    private static final long PUBLISHED_NS = 100_000;

    private static final ThreadLocal<@Nullable LaneMeter> CURRENT = new ThreadLocal<>();

    private final MemorySegment record;
    private long sequence;
    private int state = LaneLayout.WORKING;
    private long changedNs;
    private long publishedNs;
    private long busyNs;
    private long idleNs;
    private long rounds;
    private long frames;
    private long longestNs;
    private long stalls;
    private long drops;
    private long depth;
    private long deepest;
    /** When the work began that is not interrupted by a poll or a wait. */
    private long workNs;

    /** @param record the memory of a record, which nobody else writes */
    LaneMeter(MemorySegment record, String name, int nativeId, int pinnedTo, long nowNs) {
        this.record = record;
        changedNs = nowNs;
        workNs = nowNs;
        begin();
        record.set(INT, LaneLayout.NATIVE_ID_AT, nativeId);
        record.set(INT, LaneLayout.PINNED_AT, pinnedTo);
        LaneLayout.text(record, LaneLayout.NAME_AT, name);
        end();
    }

    /** Returns the meter of the calling thread; null if it is no lane, or one that publishes nothing. */
    public static @Nullable LaneMeter current() {
        return CURRENT.get();
    }

    /** Makes this the meter of the calling thread. */
    public void bind() {
        CURRENT.set(this);
    }

    /** Names the queue that the lane takes from, such as {@code ring blocks}, and its room, above 0. */
    public void queue(String what, long room) {
        begin();
        LaneLayout.text(record, LaneLayout.QUEUE_AT, what);
        record.set(LONG, LaneLayout.ROOM_AT, room);
        end();
    }

    /** Says how much is in the queue now; published with the next call that has a time. */
    public void depth(long depth) {
        this.depth = depth;
        deepest = Math.max(deepest, depth);
    }

    /** Says how many frames were lost so far, because this lane was too slow or was given none; published likewise. */
    public void drops(long drops) {
        this.drops = drops;
    }

    /** The lane has nothing to do and begins to wait. */
    public void waits(long nowNs) {
        advance(nowNs);
        state = LaneLayout.WAITING;
        publish();
    }

    /** The lane has waited, and works again. */
    public void works(long nowNs) {
        advance(nowNs);
        state = LaneLayout.WORKING;
        workNs = nowNs;
        publish();
    }

    /**
     * The lane asked for work and has some.
     *
     * @param more the frames that it took
     */
    public void polled(long nowNs, long more) {
        advance(nowNs);
        state = LaneLayout.WORKING;
        workNs = nowNs;
        rounds++;
        frames += more;
        if (nowNs - publishedNs >= PUBLISHED_NS) {
            publish();
        }
    }

    /** The lane and its thread have nothing to do with each other any more. */
    public void end(long nowNs) {
        advance(nowNs);
        state = LaneLayout.ENDED;
        publish();
        if (CURRENT.get() == this) {
            CURRENT.remove();
        }
    }

    private void advance(long nowNs) {
        long ns = nowNs - changedNs;
        changedNs = nowNs;
        if (state == LaneLayout.WAITING) {
            idleNs += ns;
            return;
        }
        busyNs += ns;
        long stretchNs = nowNs - workNs;
        longestNs = Math.max(longestNs, stretchNs);
        if (stretchNs > STALL_NS) {
            stalls++;
        }
    }

    private void publish() {
        publishedNs = changedNs;
        begin();
        MemorySegment to = record;
        to.set(INT, LaneLayout.STATE_AT, state);
        to.set(LONG, LaneLayout.CHANGED_AT, changedNs);
        to.set(LONG, LaneLayout.BUSY_AT, busyNs);
        to.set(LONG, LaneLayout.IDLE_AT, idleNs);
        to.set(LONG, LaneLayout.ROUNDS_AT, rounds);
        to.set(LONG, LaneLayout.FRAMES_AT, frames);
        to.set(LONG, LaneLayout.LONGEST_AT, longestNs);
        to.set(LONG, LaneLayout.STALLS_AT, stalls);
        to.set(LONG, LaneLayout.DROPS_AT, drops);
        to.set(LONG, LaneLayout.DEPTH_AT, depth);
        to.set(LONG, LaneLayout.DEEPEST_AT, deepest);
        end();
    }

    /** A reader that sees an odd sequence, or another one behind the record than before it, reads again. */
    private void begin() {
        LaneLayout.SEQUENCE.setOpaque(record, (long) LaneLayout.SEQUENCE_AT, ++sequence);
        VarHandle.storeStoreFence();
    }

    private void end() {
        LaneLayout.SEQUENCE.setRelease(record, (long) LaneLayout.SEQUENCE_AT, ++sequence);
    }
}
