package io.offhook.monitor.recording;

/**
 * What a thread did in a look: a row of its record. Of a thread that did nothing, whose state and processor are as they were,
 * there is none.
 */
final class ThreadDelta {
    static final char ENDED = 'X';
    private static final int USER = 1;
    private static final int SYSTEM = 1 << 1;
    private static final int WAITED = 1 << 2;
    private static final int VOLUNTARY = 1 << 3;
    private static final int INVOLUNTARY = 1 << 4;
    private static final int MIGRATIONS = 1 << 5;
    private static final int PROCESSOR = 1 << 6;
    private static final int STATE = 1 << 7;
    private static final int DEVIATION = 1 << 8;

    /** Its index in the file. */
    final int index;

    long userUs;
    long systemUs;
    long waitedUs;
    long voluntary;
    long involuntary;
    long migrations;
    /** -1 as the kernel has it; meaningless unless {@link #hasProcessor}. */
    int processor;

    boolean hasProcessor;
    /** 0 if it is as it was. */
    char state;
    /** By how much the time of its reading differs from that of the look. */
    long deviationUs;

    ThreadDelta(int index) {
        this.index = index;
    }

    boolean isEnded() {
        return state == ENDED;
    }

    /** Whether it says nothing. */
    boolean isIdle() {
        return mask() == 0;
    }

    private int mask() {
        return bit(userUs != 0, USER)
                | bit(systemUs != 0, SYSTEM)
                | bit(waitedUs != 0, WAITED)
                | bit(voluntary != 0, VOLUNTARY)
                | bit(involuntary != 0, INVOLUNTARY)
                | bit(migrations != 0, MIGRATIONS)
                | bit(hasProcessor, PROCESSOR)
                | bit(state != 0, STATE)
                | bit(deviationUs != 0, DEVIATION);
    }

    private static int bit(boolean isSet, int bit) {
        return isSet ? bit : 0;
    }

    /** Adds what it did next. */
    void add(ThreadDelta next) {
        userUs += next.userUs;
        systemUs += next.systemUs;
        waitedUs += next.waitedUs;
        voluntary += next.voluntary;
        involuntary += next.involuntary;
        migrations += next.migrations;
        deviationUs += next.deviationUs;
        if (next.hasProcessor) {
            hasProcessor = true;
            processor = next.processor;
        }
        if (next.state != 0) {
            state = next.state;
        }
    }

    /** Takes away what {@link #add} added; its state and processor stay. */
    void subtract(ThreadDelta earlier) {
        userUs -= earlier.userUs;
        systemUs -= earlier.systemUs;
        waitedUs -= earlier.waitedUs;
        voluntary -= earlier.voluntary;
        involuntary -= earlier.involuntary;
        migrations -= earlier.migrations;
        deviationUs -= earlier.deviationUs;
    }

    /** Leaves its state and processor only. */
    void forgetCounts() {
        userUs = systemUs = waitedUs = voluntary = involuntary = migrations = deviationUs = 0;
    }

    /** @param before the index of the row before; -1 for the first */
    void write(RecordBytes to, int before) {
        int mask = mask();
        to.number(index - before - 1L).number(mask);
        long[] numbers = {userUs, systemUs, waitedUs, voluntary, involuntary, migrations};
        for (int i = 0; i < numbers.length; i++) {
            if ((mask & 1 << i) != 0) {
                to.number(numbers[i]);
            }
        }
        if (hasProcessor) {
            to.number(processor + 1L);
        }
        if (state != 0) {
            to.u8(state);
        }
        if (deviationUs != 0) {
            to.signed(deviationUs);
        }
    }

    static ThreadDelta read(RecordCursor from, int before) {
        ThreadDelta row = new ThreadDelta(before + 1 + from.count());
        int mask = from.count();
        row.userUs = number(from, mask, USER);
        row.systemUs = number(from, mask, SYSTEM);
        row.waitedUs = number(from, mask, WAITED);
        row.voluntary = number(from, mask, VOLUNTARY);
        row.involuntary = number(from, mask, INVOLUNTARY);
        row.migrations = number(from, mask, MIGRATIONS);
        row.hasProcessor = (mask & PROCESSOR) != 0;
        row.processor = row.hasProcessor ? from.count() - 1 : -1;
        row.state = (mask & STATE) == 0 ? 0 : (char) from.u8();
        row.deviationUs = (mask & DEVIATION) == 0 ? 0 : from.signed();
        return row;
    }

    private static long number(RecordCursor from, int mask, int bit) {
        return (mask & bit) == 0 ? 0 : from.number();
    }
}
