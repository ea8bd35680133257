/** Benchmarks: JMH, and the same work in C. Never a dependency of anything. */
module io.offhook.bench {
    requires io.offhook.analysis;
    requires jmh.core;
    requires static org.jspecify;

    exports io.offhook.bench;
}
