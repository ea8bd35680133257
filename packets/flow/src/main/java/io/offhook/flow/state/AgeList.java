package io.offhook.flow.state;

import java.util.Arrays;

/** Small numbers ordered by age, oldest first: a linked list in two arrays. A number is in the list at most once. */
public final class AgeList {
    public static final int NONE = -1;

    private int[] older = new int[64];
    private int[] younger = new int[64];
    private int oldest = NONE;
    private int youngest = NONE;

    /** The oldest number, or {@link #NONE}. */
    public int oldest() {
        return oldest;
    }

    /** The number that follows in age, or {@link #NONE}. */
    public int younger(int number) {
        return younger[number];
    }

    public void addYoungest(int number) {
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

    public void remove(int number) {
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

    public void makeYoungest(int number) {
        if (number != youngest) {
            remove(number);
            addYoungest(number);
        }
    }
}
