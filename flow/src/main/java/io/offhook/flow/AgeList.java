package io.offhook.flow;

import java.util.Arrays;

/** Small numbers in an order of age, oldest first: a linked list in two arrays. A number is in it once at most. */
final class AgeList {
    static final int NONE = -1;

    private int[] older = new int[64];
    private int[] younger = new int[64];
    private int oldest = NONE;
    private int youngest = NONE;

    /** The oldest, or {@link #NONE}. */
    int oldest() {
        return oldest;
    }

    /** The one that follows it in age, or {@link #NONE}. */
    int younger(int number) {
        return younger[number];
    }

    void addYoungest(int number) {
        if (number >= older.length) {
            int length = Math.max(number + 1, older.length * 2);
            older = Arrays.copyOf(older, length);
            younger = Arrays.copyOf(younger, length);
        }
        older[number] = youngest;
        younger[number] = NONE;
        if (youngest == NONE) {
            oldest = number;
        } else {
            younger[youngest] = number;
        }
        youngest = number;
    }

    void remove(int number) {
        int before = older[number];
        int after = younger[number];
        if (before == NONE) {
            oldest = after;
        } else {
            younger[before] = after;
        }
        if (after == NONE) {
            youngest = before;
        } else {
            older[after] = before;
        }
    }

    void makeYoungest(int number) {
        if (number != youngest) {
            remove(number);
            addYoungest(number);
        }
    }
}
