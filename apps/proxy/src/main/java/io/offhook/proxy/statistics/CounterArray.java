package io.offhook.proxy.statistics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters that one thread writes and any thread reads. A write is a plain addition and an opaque store: a reader sees
 * each counter whole and growing, without an order between several of them.
 */
final class CounterArray {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells;

    CounterArray(int size) {
        cells = new long[size];
    }

    /** By the writer. */
    void add(int index, long amount) {
        CELL.setOpaque(cells, index, cells[index] + amount);
    }

    long get(int index) {
        return (long) CELL.getOpaque(cells, index);
    }

    int size() {
        return cells.length;
    }
}
