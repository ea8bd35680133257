package io.offhook.research;

/** How much time a run takes for its figures. */
public enum Effort {
    /** Reliable figures: forks, warm-up and measurement as each benchmark declares. */
    FULL,
    /** One short run of each benchmark, to check that it works; its figures mean little. */
    QUICK;

    /** Returns the amount for this effort. */
    public int pick(int full, int quick) {
        return this == FULL ? full : quick;
    }
}
