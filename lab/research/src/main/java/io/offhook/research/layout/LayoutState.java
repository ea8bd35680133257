package io.offhook.research.layout;

/** Of a benchmark here: how to make it ready, and what it left. */
interface LayoutState {
    void setUp();

    /** A hash of what was written; 0 of those that read. */
    default long digest() {
        return 0;
    }
}
