package io.offhook.transport;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections by the time at which one of their deadlines may pass, in slots of 67 ms. A connection is in at most one
 * slot. Activity moves a deadline away without touching the wheel: who is due is looked at, and put in again. Used by the
 * thread of the loop.
 */
final class DeadlineWheel {
    private static final int TICK_SHIFT = 26;
    private static final int SLOTS = 1024;

    private final @Nullable Connection[] slots = new Connection[SLOTS];
    private final long[] occupied = new long[SLOTS / 64];
    private long tick;

    DeadlineWheel(long nowNs) {
        tick = nowNs >> TICK_SHIFT;
    }

    /** Puts the connection in, unless it is in for an earlier time. */
    void place(Connection connection, long deadlineNs) {
        // a tick later, so that the deadline has passed when its slot does; beyond the last slot it is looked at early
        long due = Math.min(Math.max((deadlineNs >> TICK_SHIFT) + 1, tick + 1), tick + SLOTS - 1);
        if (connection.wheelTick >= 0 && connection.wheelTick - tick <= due - tick) {
            return;
        }
        remove(connection);
        int slot = slot(due);
        Connection first = slots[slot];
        connection.wheelTick = due;
        connection.wheelNext = first;
        if (first != null) {
            first.wheelPrevious = connection;
        }
        slots[slot] = connection;
        occupied[slot >> 6] |= 1L << slot;
    }

    void remove(Connection connection) {
        if (connection.wheelTick < 0) {
            return;
        }
        Connection next = connection.wheelNext;
        Connection previous = connection.wheelPrevious;
        int slot = slot(connection.wheelTick);
        if (next != null) {
            next.wheelPrevious = previous;
        }
        if (previous != null) {
            previous.wheelNext = next;
        } else {
            slots[slot] = next;
            if (next == null) {
                occupied[slot >> 6] &= ~(1L << slot);
            }
        }
        connection.wheelNext = null;
        connection.wheelPrevious = null;
        connection.wheelTick = -1;
    }

    /** Takes out all that are due and passes them on; the consumer may place them again. */
    void advance(long nowNs, Consumer<Connection> due) {
        long now = nowNs >> TICK_SHIFT;
        // after a jump of the clock by more than a turn, a turn passes by every slot
        long from = Math.max(tick, now - SLOTS);
        for (long at = from + 1; at <= now; at++) {
            tick = at;
            int slot = slot(at);
            for (Connection one = slots[slot]; one != null; one = slots[slot]) {
                remove(one);
                due.accept(one);
            }
        }
    }

    /** Milliseconds until {@link #advance} has something to do; 0 for never. */
    long untilNextMs(long nowNs) {
        int start = slot(tick + 1);
        for (int word = 0; word <= occupied.length; word++) {
            int at = (start >> 6) + word & occupied.length - 1;
            long bits = occupied[at];
            if (word == 0) {
                bits &= -1L << start;
            }
            if (bits != 0) {
                int slot = (at << 6) + Long.numberOfTrailingZeros(bits);
                long dueNs = tick + 1 + (slot - start & SLOTS - 1) << TICK_SHIFT;
                return Math.max(1, (dueNs - nowNs) / 1_000_000 + 1);
            }
        }
        return 0;
    }

    private static int slot(long tick) {
        return (int) tick & SLOTS - 1;
    }
}
