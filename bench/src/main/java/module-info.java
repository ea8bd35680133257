/** Benchmarks. */
module io.offhook.bench {
    requires io.offhook.analysis;
    requires static org.jspecify;
}
