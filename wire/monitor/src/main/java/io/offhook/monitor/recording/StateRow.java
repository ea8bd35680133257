package io.offhook.monitor.recording;

import io.offhook.monitor.JavaState;
import io.offhook.monitor.StateTimes;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a thread was in the states of Java in a look. Of a thread that was in one state all the time, as in the look before,
 * there is none.
 */
final class StateRow {
    private static final int STATES = JavaState.values().length;
    private static final int NS_A_US = 1000;

    private final int index;
    private final int mask;
    private final long[] us;

    private StateRow(int index, int mask, long[] us) {
        this.index = index;
        this.mask = mask;
        this.us = us;
    }

    /** That of the thread. */
    int index() {
        return index;
    }

    /** A bit a state, the lowest for the first; 0 if nothing is known. */
    int mask() {
        return mask;
    }

    static StateRow of(int index, long[] us) {
        int mask = 0;
        for (int i = 0; i < STATES; i++) {
            mask |= us[i] > 0 ? 1 << i : 0;
        }
        return new StateRow(index, mask, us);
    }

    static long[] us(StateTimes times) {
        long[] us = new long[STATES];
        for (JavaState state : JavaState.values()) {
            us[position(state)] = times.ns(state) / NS_A_US;
        }
        return us;
    }

    static StateTimes times(long[] us) {
        return new StateTimes(
                us[position(JavaState.RUNNING)] * NS_A_US,
                us[position(JavaState.SLEEPING)] * NS_A_US,
                us[position(JavaState.WAIT)] * NS_A_US,
                us[position(JavaState.PARK)] * NS_A_US,
                us[position(JavaState.MONITOR)] * NS_A_US);
    }

    /** As the format has them. */
    private static int position(JavaState state) {
        return switch (state) {
            case RUNNING -> 0;
            case SLEEPING -> 1;
            case WAIT -> 2;
            case PARK -> 3;
            case MONITOR -> 4;
        };
    }

    /** Whether it was in one state, or nothing is known. */
    boolean isSteady() {
        return Integer.bitCount(mask) <= 1;
    }

    /** The time in each state in a look of this length. */
    long[] us(long spanUs) {
        if (!isSteady()) {
            return us;
        }
        long[] all = new long[STATES];
        if (mask != 0) {
            all[Integer.numberOfTrailingZeros(mask)] = spanUs;
        }
        return all;
    }

    static void write(List<StateRow> rows, RecordBytes payload) {
        payload.number(rows.size());
        int before = -1;
        for (StateRow row : rows) {
            payload.number(row.index - before - 1L).number(row.mask);
            for (int i = 0; i < STATES && !row.isSteady(); i++) {
                if ((row.mask & 1 << i) != 0) {
                    payload.number(row.us[i]);
                }
            }
            before = row.index;
        }
    }

    static List<StateRow> read(RecordCursor cursor) {
        int count = cursor.count();
        List<StateRow> rows = new ArrayList<>(Math.min(count, cursor.left()));
        int before = -1;
        for (int i = 0; i < count && !cursor.isShort(); i++) {
            int index = before + 1 + cursor.count();
            int mask = cursor.count() & (1 << STATES) - 1;
            StateRow row = new StateRow(index, mask, new long[STATES]);
            for (int state = 0; state < STATES && !row.isSteady(); state++) {
                row.us[state] = (mask & 1 << state) == 0 ? 0 : cursor.number();
            }
            rows.add(row);
            before = index;
        }
        return rows;
    }
}
