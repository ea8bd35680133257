package io.offhook.cli;

import java.util.Arrays;

/** The calls that the packet or message at hand belongs to, by their index among those looked for. Single-threaded. */
final class CallExtractHits {
    private int[] calls = new int[8];
    private int count;

    void clear() {
        count = 0;
    }

    void add(int call) {
        for (int i = 0; i < count; i++) {
            if (calls[i] == call) {
                return;
            }
        }
        if (count == calls.length) {
            calls = Arrays.copyOf(calls, 2 * count);
        }
        calls[count++] = call;
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    int call(int i) {
        return calls[i];
    }
}
