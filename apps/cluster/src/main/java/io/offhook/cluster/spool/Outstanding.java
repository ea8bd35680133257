package io.offhook.cluster.spool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/** Which positions are waited for: all from one on, but for those behind it that are done with already. */
final class Outstanding {
    private long from;
    private final Set<Long> doneBehind = new HashSet<>();
    /** Those that were read, in order, with the times of their events. */
    private final Deque<InFlight> inFlight = new ArrayDeque<>();

    private record InFlight(long position, long atNs) {}

    /** @param from the first position that is waited for */
    Outstanding(long from) {
        this.from = from;
    }

    /** The first position that is waited for. */
    long from() {
        return from;
    }

    boolean has(long position) {
        return position >= from && !doneBehind.contains(position);
    }

    /** Whether all from a position on are waited for. */
    boolean hasAllFrom(long position) {
        return from <= position && doneBehind.isEmpty();
    }

    /** Of the positions before one, how many there are. */
    long countBefore(long until) {
        return until - from - doneBehind.size();
    }

    /** How many there are of the positions from one on, and before another. */
    long count(long first, long until) {
        long count = 0;
        for (long position = Math.max(first, from); position < until; position++) {
            count += has(position) ? 1 : 0;
        }
        return count;
    }

    void read(long position, long atNs) {
        inFlight.add(new InFlight(position, atNs));
    }

    /** Nothing has been read. */
    void rewind() {
        inFlight.clear();
    }

    /** The time of the first event that was read and is waited for. */
    OptionalLong oldestNs() {
        for (InFlight each : inFlight) {
            if (has(each.position())) {
                return OptionalLong.of(each.atNs());
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Positions from one on, and before another, are not waited for any more.
     *
     * @return whether {@link #from} has changed
     */
    boolean done(long first, long until) {
        for (long position = Math.max(first, from); position < until; position++) {
            doneBehind.add(position);
        }
        return advance();
    }

    /** Nothing before a position is waited for any more. */
    void doneBefore(long position) {
        from = Math.max(from, position);
        doneBehind.removeIf(each -> each < from);
        advance();
    }

    private boolean advance() {
        long before = from;
        while (doneBehind.remove(from)) {
            from++;
        }
        while (!inFlight.isEmpty() && inFlight.getFirst().position() < from) {
            inFlight.removeFirst();
        }
        return from != before;
    }
}
