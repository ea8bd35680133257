package io.offhook.sip.transaction;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Timers of one thread in wheels of 256 slots: of 1 ms, 268 ms, 69 s and 4.9 hours a slot. Starting and stopping take
 * constant time and allocate nothing. Timers expire up to 1 ms late, never early; those beyond 52 days are limited to
 * that.
 */
public final class TimerWheel {
    /** A tick is 2^20 ns. */
    private static final int TICK_SHIFT = 20;

    private static final int SLOT_BITS = 8;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final int LEVELS = 4;
    private static final long LONGEST = (1L << SLOT_BITS * LEVELS) - 1;

    private final @Nullable Timer[] first = new Timer[LEVELS * SLOTS];
    /** One bit a slot that is not empty. */
    private final long[] used = new long[LEVELS * SLOTS / Long.SIZE];

    private final long startNs;
    /** All timers of this tick and those before have expired. */
    private long tick;

    private int running;

    /** Creates a wheel at a time, from which times are counted. */
    public TimerWheel(long nowNs) {
        startNs = nowNs;
    }

    /** The number of running timers. */
    public int running() {
        return running;
    }

    /** Starts a timer, or starts it anew; one whose time has passed expires at the next {@link #advance}. */
    public void start(Timer timer, long deadlineNs) {
        stop(timer);
        long wanted = (deadlineNs - startNs + (1L << TICK_SHIFT) - 1) >> TICK_SHIFT;
        timer.tick = Math.clamp(wanted, tick + 1, tick + LONGEST);
        running++;
        insert(timer);
    }

    /** Stops a timer, if it runs. */
    public void stop(Timer timer) {
        if (timer.slot >= 0) {
            unlink(timer);
            running--;
        }
    }

    /** Lets all timers expire whose time has come, in the order of their ticks. */
    public void advance(long nowNs) {
        long target = (nowNs - startNs) >> TICK_SHIFT;
        while (tick < target) {
            if (running == 0) {
                tick = target;
                return;
            }
            long next = Math.min(nextTick(), target);
            tick = next;
            if ((tick & SLOTS - 1) == 0) {
                cascade();
            }
            expire((int) (tick & SLOTS - 1), nowNs);
        }
    }

    /** When {@link #advance} has something to do next: at the latest then; {@link Long#MAX_VALUE} if no timer runs. */
    public long nextNs() {
        return running == 0 ? Long.MAX_VALUE : startNs + (nextTick() << TICK_SHIFT);
    }

    /** The next tick at which a slot of the first wheel is used, or at which the wheels above turn. */
    private long nextTick() {
        long turn = (tick | SLOTS - 1) + 1;
        int from = (int) (tick & SLOTS - 1) + 1;
        if (from == SLOTS) {
            return turn;
        }
        int word = from / Long.SIZE;
        long bits = used[word] & -1L << from % Long.SIZE;
        while (bits == 0) {
            if (++word == SLOTS / Long.SIZE) {
                return turn;
            }
            bits = used[word];
        }
        return tick - (tick & SLOTS - 1) + word * (long) Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    private void expire(int slot, long nowNs) {
        // what a timer starts from here on goes to a later tick: the list only becomes shorter
        for (Timer timer = first[slot]; timer != null; timer = first[slot]) {
            unlink(timer);
            running--;
            timer.owner.expired(timer, nowNs);
        }
    }

    /** Moves the timers of the next slot of each wheel above that turns at this tick. */
    private void cascade() {
        for (int level = 1; level < LEVELS; level++) {
            int slot = (int) (tick >>> level * SLOT_BITS & SLOTS - 1);
            int at = level * SLOTS + slot;
            Timer timer = first[at];
            first[at] = null;
            used[at / Long.SIZE] &= ~(1L << at % Long.SIZE);
            while (timer != null) {
                Timer next = timer.next;
                timer.slot = -1;
                insert(timer);
                timer = next;
            }
            if (slot != 0) {
                return;
            }
        }
    }

    private void insert(Timer timer) {
        long ahead = timer.tick - tick;
        int level = 0;
        // by the digit in which the two differ, so that a slot is emptied before its timers are due
        long differing = timer.tick ^ tick;
        while (level < LEVELS - 1 && differing >>> (level + 1) * SLOT_BITS != 0) {
            level++;
        }
        assert ahead >= 0;
        int at = level * SLOTS + (int) (timer.tick >>> level * SLOT_BITS & SLOTS - 1);
        Timer head = first[at];
        timer.slot = at;
        timer.previous = null;
        timer.next = head;
        if (head != null) {
            head.previous = timer;
        }
        first[at] = timer;
        used[at / Long.SIZE] |= 1L << at % Long.SIZE;
    }

    private void unlink(Timer timer) {
        int at = timer.slot;
        Timer next = timer.next;
        Timer previous = timer.previous;
        if (previous == null) {
            first[at] = next;
            if (next == null) {
                used[at / Long.SIZE] &= ~(1L << at % Long.SIZE);
            }
        } else {
            previous.next = next;
        }
        if (next != null) {
            next.previous = previous;
        }
        timer.previous = null;
        timer.next = null;
        timer.slot = -1;
    }

    /** Stops all timers; for a table that is discarded. */
    public void clear() {
        for (int at = 0; at < first.length; at++) {
            while (first[at] != null) {
                unlink(first[at]);
            }
        }
        Arrays.fill(used, 0);
        running = 0;
    }
}
