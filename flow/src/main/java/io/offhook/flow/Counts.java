package io.offhook.flow;

/** One number for each constant of an enum; adding to one costs an array access. */
@SuppressWarnings("EnumOrdinal") // the numbers are indices of this array alone, and never leave it
final class Counts<E extends Enum<E>> {
    private final long[] values;

    Counts(Class<E> counters) {
        values = new long[counters.getEnumConstants().length];
    }

    void add(E counter) {
        values[counter.ordinal()]++;
    }

    void add(E counter, long amount) {
        values[counter.ordinal()] += amount;
    }

    long get(E counter) {
        return values[counter.ordinal()];
    }
}
