package io.offhook.flow;

/**
 * One number for each constant of an enum, and the first and last frame at which it was counted, where the place means
 * something. Adding to one costs an array access.
 */
@SuppressWarnings("EnumOrdinal") // the numbers are indices of these arrays alone, and never leave them
final class Counts<E extends Enum<E>> {
    private final long[] values;
    private final long[] firstFrame;
    private final long[] lastFrame;

    Counts(Class<E> counters) {
        int length = counters.getEnumConstants().length;
        values = new long[length];
        firstFrame = new long[length];
        lastFrame = new long[length];
    }

    void add(E counter) {
        values[counter.ordinal()]++;
    }

    void add(E counter, long amount) {
        values[counter.ordinal()] += amount;
    }

    void addAt(long frameNumber, E counter) {
        addAt(frameNumber, counter, 1);
    }

    void addAt(long frameNumber, E counter, long amount) {
        int i = counter.ordinal();
        if (values[i] == 0) {
            firstFrame[i] = frameNumber;
            lastFrame[i] = frameNumber;
        } else {
            firstFrame[i] = Math.min(firstFrame[i], frameNumber);
            lastFrame[i] = Math.max(lastFrame[i], frameNumber);
        }
        values[i] += amount;
    }

    long get(E counter) {
        return values[counter.ordinal()];
    }

    /** The lowest number of a frame at which it was counted; 0 if none was noted. */
    long firstFrame(E counter) {
        return firstFrame[counter.ordinal()];
    }

    /** The highest number of a frame at which it was counted; 0 if none was noted. */
    long lastFrame(E counter) {
        return lastFrame[counter.ordinal()];
    }
}
