package io.offhook.monitor.xray;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Times with a value, in the order of their ends; they may overlap. Those that end first can be forgotten. */
final class Spans<T> {
    /** How many are moved at once, at most. */
    private static final int MOST_MOVED = 32;

    private long[] from = new long[16];
    private long[] to = new long[16];
    private @Nullable Object[] values = new Object[16];
    private int begin;
    private int end;
    /** Of those that were ever added: where to stop looking if they overlap. */
    private long longestNs;

    private boolean isDisjoint = true;

    /** Receives a span. */
    interface Visitor<T> {
        void span(long fromNs, long toNs, T value);
    }

    /** As {@link #add}; where the last one ends there, and has this value, it becomes longer instead. */
    void extend(long fromNs, long toNs, T value) {
        if (end > begin && to[end - 1] == fromNs && value.equals(values[end - 1])) {
            to[end - 1] = toNs;
            longestNs = Math.max(longestNs, toNs - from[end - 1]);
        } else {
            add(fromNs, toNs, value);
        }
    }

    /** Adds a span, which usually ends last. */
    void add(long fromNs, long toNs, T value) {
        makeRoom();
        isDisjoint &= end == begin || to[end - 1] <= fromNs;
        int at = end++;
        while (at > begin && to[at - 1] > toNs) {
            from[at] = from[at - 1];
            to[at] = to[at - 1];
            values[at] = values[at - 1];
            at--;
        }
        from[at] = fromNs;
        to[at] = toNs;
        values[at] = value;
        longestNs = Math.max(longestNs, toNs - fromNs);
    }

    private void makeRoom() {
        if (end < to.length) {
            return;
        }
        int count = end - begin;
        int length = Math.max(16, count * 2);
        if (begin > count) {
            length = to.length; // half of it is free
        }
        from = Arrays.copyOf(Arrays.copyOfRange(from, begin, end), length);
        to = Arrays.copyOf(Arrays.copyOfRange(to, begin, end), length);
        values = Arrays.copyOf(Arrays.copyOfRange(values, begin, end), length);
        begin = 0;
        end = count;
    }

    /** Moves the last one to an earlier time, by so much, and those before it, too, as far as they are in its way. */
    void moveLastBack(long ns) {
        if (end > begin && ns > 0) {
            moveBack(end - 1, ns, MOST_MOVED);
        }
    }

    private void moveBack(int i, long ns, int more) {
        long room = i == begin ? Long.MAX_VALUE : from[i] - to[i - 1];
        if (room < ns && more > 0) {
            moveBack(i - 1, ns - room, more - 1);
        }
        long least = i == begin ? Long.MIN_VALUE : to[i - 1];
        to[i] = Math.max(to[i] - ns, least);
        from[i] = Math.max(from[i] - ns, least); // what has no room is cut off
    }

    /** Visits those that have a part of a time, in the order of their ends. */
    @SuppressWarnings("unchecked")
    void overlapping(long fromNs, long toNs, Visitor<? super T> visitor) {
        for (int i = firstEndingAfter(fromNs); mayBegin(i, toNs); i++) {
            if (from[i] < toNs) {
                visitor.span(from[i], to[i], (T) values[i]);
            }
        }
    }

    /** The value at a moment, which is after the begin of a span and not after its end; null if none is there. */
    @SuppressWarnings("unchecked")
    @Nullable
    T at(long ns) {
        for (int i = firstEndingAfter(ns - 1); mayBegin(i, ns); i++) {
            if (from[i] < ns) {
                return (T) values[i];
            }
        }
        return null;
    }

    /** Whether there is a span, and it or one behind it may begin before a moment. */
    private boolean mayBegin(int i, long beforeNs) {
        return i < end && (isDisjoint ? from[i] < beforeNs : to[i] - longestNs < beforeNs);
    }

    private int firstEndingAfter(long ns) {
        int low = begin;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (to[middle] > ns) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The end of the last one; 0 if there is none. */
    long lastNs() {
        return end == begin ? 0 : to[end - 1];
    }

    /** Forgets those that end before a moment. */
    void forget(long beforeNs) {
        int keep = firstEndingAfter(beforeNs - 1);
        Arrays.fill(values, begin, keep, null);
        begin = keep;
    }

    boolean isEmpty() {
        return begin == end;
    }
}
