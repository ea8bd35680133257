package io.offhook.audio;

import java.util.Arrays;

/**
 * Times on an axis, in nanoseconds: ranges that are added roughly in order, those that touch become one. At most
 * {@value #LIMIT}; further ones are counted.
 */
final class Ranges {
    private static final int LIMIT = 50_000;

    /** Ranges this near are one: times are rounded to samples. */
    private static final long NEAR_NS = 300_000;

    /** Beginning and end in turn. */
    private long[] bounds = new long[16];

    private int size;
    private long dropped;

    /** Adds a range, unless it is empty. */
    void add(long from, long until) {
        if (until <= from) {
            return;
        }
        if (size > 0 && from <= bounds[size - 1] + NEAR_NS && from >= bounds[size - 2]) {
            bounds[size - 1] = Math.max(bounds[size - 1], until);
            return;
        }
        if (size == 2 * LIMIT) {
            dropped++;
            return;
        }
        if (size == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * size);
        }
        bounds[size++] = from;
        bounds[size++] = until;
    }

    int count() {
        return size / 2;
    }

    long from(int i) {
        return bounds[2 * i];
    }

    long until(int i) {
        return bounds[2 * i + 1];
    }

    long dropped() {
        return dropped;
    }

    /** The same in ascending order, none touching another. */
    Ranges sorted() {
        Integer[] order = new Integer[count()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Long.compare(from(a), from(b)));
        Ranges sorted = new Ranges();
        for (int i : order) {
            sorted.add(from(i), until(i));
        }
        sorted.dropped = dropped;
        return sorted;
    }

    /**
     * What of these is in none of the others.
     *
     * @param others sorted, as these
     */
    Ranges without(Ranges others) {
        Ranges rest = new Ranges();
        int next = 0;
        for (int i = 0; i < count(); i++) {
            long from = from(i);
            while (next > 0 && others.until(next - 1) > from) {
                next--;
            }
            for (; next < others.count() && others.from(next) < until(i); next++) {
                if (others.until(next) > from) {
                    rest.addDistinct(from, others.from(next));
                    from = others.until(next);
                }
            }
            rest.addDistinct(from, until(i));
        }
        rest.dropped += dropped;
        return rest;
    }

    /** What is left between two others is too short to be meant if it is within the precision of times. */
    private void addDistinct(long from, long until) {
        if (until - from > NEAR_NS) {
            add(from, until);
        }
    }
}
