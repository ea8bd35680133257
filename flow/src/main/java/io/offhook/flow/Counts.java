package io.offhook.flow;

import io.offhook.packet.PlacedCount;

/**
 * One number for each constant of an enum, and its place in the capture, where that means something. Adding to one
 * without a place costs an array access.
 */
@SuppressWarnings("EnumOrdinal") // the numbers are indices of these arrays alone, and never leave them
final class Counts<E extends Enum<E>> {
    private final long[] values;
    private final PlacedCount[] placed;

    Counts(Class<E> counters) {
        int length = counters.getEnumConstants().length;
        values = new long[length];
        placed = new PlacedCount[length];
        for (int i = 0; i < length; i++) {
            placed[i] = new PlacedCount();
        }
    }

    void add(E counter) {
        values[counter.ordinal()]++;
    }

    void add(E counter, long amount) {
        values[counter.ordinal()] += amount;
    }

    void addAt(long frameNumber, long timestampNs, E counter) {
        placed[counter.ordinal()].add(frameNumber, timestampNs);
    }

    void addAt(long frameNumber, long timestampNs, E counter, long amount) {
        placed[counter.ordinal()].add(amount, frameNumber, timestampNs);
    }

    /** Counts one that happened somewhere between two frames. */
    void addBetween(long firstFrame, long lastFrame, long firstNs, long lastNs, E counter) {
        placed[counter.ordinal()].add(1, firstFrame, lastFrame, firstNs, lastNs);
    }

    long get(E counter) {
        int i = counter.ordinal();
        return values[i] + placed[i].count();
    }

    /** What was counted with its place. */
    PlacedCount placed(E counter) {
        return placed[counter.ordinal()];
    }
}
