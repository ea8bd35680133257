package io.offhook.linux.lanes;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What a lane has done since it began, as it published it. Numbers are as they stand in the memory of another process: never
 * negative where that means nothing, but not necessarily true.
 *
 * @param identity who it is
 * @param state what it does now
 * @param stateNs for how long it has done that, or since it last said so, in nanoseconds: of a lane that works, since its last poll
 * @param counts what it did
 * @param queue what it takes from; null if that is not known
 */
public record LaneReport(
        Identity identity,
        State state,
        long stateNs,
        Counts counts,
        @Nullable Queue queue) {
    /**
     * Who a lane is.
     *
     * @param name what it calls itself, of at most 64 bytes; may have any character
     * @param nativeId of its thread, as {@code top -H} shows it inside its container
     * @param pinnedTo the processor that it is pinned to; -1 if it may run anywhere
     */
    public record Identity(String name, int nativeId, int pinnedTo) {}

    /**
     * What a lane did.
     *
     * @param busyNs how long it had work, until it was read, in nanoseconds
     * @param idleNs how long it waited for work, likewise
     * @param rounds how often it took work
     * @param frames that it took
     * @param longestStallNs the longest work without a poll or a wait, in nanoseconds
     * @param stalls how often that was longer than {@link LaneMeter#STALL_NS}
     * @param drops frames that were lost at it
     */
    public record Counts(
            long busyNs, long idleNs, long rounds, long frames, long longestStallNs, long stalls, long drops) {}

    /** What a lane does. */
    public enum State {
        /** It has work, or does not say. */
        WORKING,
        /** It waits for work. */
        WAITING,
        /** It has ended. */
        ENDED
    }

    /**
     * A queue.
     *
     * @param what waits in it, such as {@code ring blocks}; may have any character
     * @param depth how many are in it
     * @param most how many were in it at most
     * @param room how many fit; 1 at least
     */
    public record Queue(String what, long depth, long most, long room) {}

    static LaneReport of(MemorySegment record, int state, long nowNs) {
        State is = switch (state) {
            case LaneLayout.WAITING -> State.WAITING;
            case LaneLayout.ENDED -> State.ENDED;
            default -> State.WORKING;
        };
        long sinceNs = Math.max(0, nowNs - record.get(LaneLayout.LONG, LaneLayout.CHANGED_AT));
        long room = count(record, LaneLayout.ROOM_AT);
        return new LaneReport(
                new Identity(
                        LaneLayout.text(record, LaneLayout.NAME_AT),
                        Math.max(0, record.get(LaneLayout.INT, LaneLayout.NATIVE_ID_AT)),
                        Math.max(-1, record.get(LaneLayout.INT, LaneLayout.PINNED_AT))),
                is,
                sinceNs,
                new Counts(
                        plus(count(record, LaneLayout.BUSY_AT), is == State.WORKING ? sinceNs : 0),
                        plus(count(record, LaneLayout.IDLE_AT), is == State.WAITING ? sinceNs : 0),
                        count(record, LaneLayout.ROUNDS_AT),
                        count(record, LaneLayout.FRAMES_AT),
                        count(record, LaneLayout.LONGEST_AT),
                        count(record, LaneLayout.STALLS_AT),
                        count(record, LaneLayout.DROPS_AT)),
                room == 0
                        ? null
                        : new Queue(
                                LaneLayout.text(record, LaneLayout.QUEUE_AT),
                                count(record, LaneLayout.DEPTH_AT),
                                count(record, LaneLayout.DEEPEST_AT),
                                room));
    }

    /** The same, by another number of its thread: that of another namespace. */
    public LaneReport withNativeId(int id) {
        return new LaneReport(new Identity(identity.name, id, identity.pinnedTo), state, stateNs, counts, queue);
    }

    /** As {@link Identity#name}. */
    public String name() {
        return identity.name;
    }

    /** As {@link Identity#nativeId}. */
    public int nativeId() {
        return identity.nativeId;
    }

    /** As {@link Identity#pinnedTo}. */
    public int pinnedTo() {
        return identity.pinnedTo;
    }

    /** As {@link Counts#busyNs}. */
    public long busyNs() {
        return counts.busyNs;
    }

    /** As {@link Counts#idleNs}. */
    public long idleNs() {
        return counts.idleNs;
    }

    /** As {@link Counts#rounds}. */
    public long rounds() {
        return counts.rounds;
    }

    /** As {@link Counts#frames}. */
    public long frames() {
        return counts.frames;
    }

    /** As {@link Counts#longestStallNs}. */
    public long longestStallNs() {
        return counts.longestStallNs;
    }

    /** As {@link Counts#stalls}. */
    public long stalls() {
        return counts.stalls;
    }

    /** As {@link Counts#drops}. */
    public long drops() {
        return counts.drops;
    }

    private static long count(MemorySegment record, long at) {
        return Math.max(0, record.get(LaneLayout.LONG, at));
    }

    private static long plus(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    /** Whether it says when it works and when it waits: some sources of packets do not. */
    public boolean isMetered() {
        return counts.rounds > 0 || counts.idleNs > 0;
    }
}
