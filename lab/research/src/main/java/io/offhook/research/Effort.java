package io.offhook.research;

/** How much time a run takes for its figures. */
public enum Effort {
    /** Figures to believe: forks, warm-up and measurement as each benchmark says. */
    FULL,
    /** A run of each, to see that it runs; its figures mean little. */
    QUICK;

    /** Of two amounts the one that fits. */
    public int pick(int full, int quick) {
        return this == FULL ? full : quick;
    }
}
