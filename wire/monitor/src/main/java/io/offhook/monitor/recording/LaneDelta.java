package io.offhook.monitor.recording;

/** What a lane did in a look: a row of its record. */
final class LaneDelta {
    private static final int NUMBERS = 10;

    /** Its index in the file. */
    final int index;

    /** At the end of the look: 1 it works, 2 it waits, 3 it has ended. */
    int state;

    long busyUs;
    long idleUs;
    long rounds;
    long frames;
    long stalls;
    long drops;
    /** Since it began, in microseconds. */
    long longestUs;
    /** In its queue; of several looks the most. */
    long depth;
    /** In its queue since it began. */
    long most;
    /** For how long it has been in its state. */
    long stateUs;

    LaneDelta(int index) {
        this.index = index;
    }

    /** Adds what it did next. */
    void add(LaneDelta next) {
        busyUs += next.busyUs;
        idleUs += next.idleUs;
        rounds += next.rounds;
        frames += next.frames;
        stalls += next.stalls;
        drops += next.drops;
        longestUs = Math.max(longestUs, next.longestUs);
        depth = Math.max(depth, next.depth);
        most = Math.max(most, next.most);
        state = next.state;
        stateUs = next.stateUs;
    }

    private long[] numbers() {
        return new long[] {busyUs, idleUs, rounds, frames, stalls, drops, longestUs, depth, most, stateUs};
    }

    /** @param before the index of the row before; -1 for the first */
    void write(RecordBytes to, int before) {
        long[] numbers = numbers();
        int mask = 0;
        for (int i = 0; i < NUMBERS; i++) {
            mask |= numbers[i] > 0 ? 1 << i : 0;
        }
        to.number(index - before - 1L).u8(state).number(mask);
        for (int i = 0; i < NUMBERS; i++) {
            if ((mask & 1 << i) != 0) {
                to.number(numbers[i]);
            }
        }
    }

    static LaneDelta read(RecordCursor from, int before) {
        LaneDelta row = new LaneDelta(before + 1 + from.count());
        row.state = from.u8();
        int mask = from.count();
        long[] numbers = new long[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = (mask & 1 << i) == 0 ? 0 : Math.max(0, from.number());
        }
        int at = 0;
        row.busyUs = numbers[at++];
        row.idleUs = numbers[at++];
        row.rounds = numbers[at++];
        row.frames = numbers[at++];
        row.stalls = numbers[at++];
        row.drops = numbers[at++];
        row.longestUs = numbers[at++];
        row.depth = numbers[at++];
        row.most = numbers[at++];
        row.stateUs = numbers[at];
        return row;
    }
}
