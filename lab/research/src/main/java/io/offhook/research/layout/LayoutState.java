package io.offhook.research.layout;

/** The state of a benchmark: its set-up and its result. */
interface LayoutState {
    void setUp();

    /** Returns a hash of what was written; 0 for benchmarks that read. */
    default long digest() {
        return 0;
    }
}
