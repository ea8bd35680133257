package io.offhook.flow.state;

import io.offhook.packet.PlacedCount;

/**
 * One counter for each constant of an enum, with its place in the capture if it has one. Adding to a counter without a
 * place costs one array access.
 */
@SuppressWarnings("EnumOrdinal")
public // ordinals are used as array indices only, inside this class
final class Counts<E extends Enum<E>> {
    private final long[] values;
    private final PlacedCount[] placed;

    public Counts(Class<E> counters) {
        int length = counters.getEnumConstants().length;
        values = new long[length];
        placed = new PlacedCount[length];
        for (int i = 0; i < length; i++) {
            placed[i] = new PlacedCount();
        }
    }

    public void add(E counter) {
        values[counter.ordinal()]++;
    }

    public void add(E counter, long amount) {
        values[counter.ordinal()] += amount;
    }

    public void addAt(long frameNumber, long timestampNs, E counter) {
        placed[counter.ordinal()].add(frameNumber, timestampNs);
    }

    public void addAt(long frameNumber, long timestampNs, E counter, long amount) {
        placed[counter.ordinal()].add(amount, frameNumber, timestampNs);
    }

    /** Counts an event that happened somewhere between two frames. */
    public void addBetween(long firstFrame, long lastFrame, long firstNs, long lastNs, E counter) {
        placed[counter.ordinal()].add(1, firstFrame, lastFrame, firstNs, lastNs);
    }

    public long get(E counter) {
        int i = counter.ordinal();
        return values[i] + placed[i].count();
    }

    /** The value of a counter with its place. */
    public PlacedCount placed(E counter) {
        return placed[counter.ordinal()];
    }
}
