/** Benchmarks of the product: JMH, the same work in C, and its peers. Never a dependency of anything. */
module io.offhook.bench {
    requires io.offhook.analysis;
    requires io.offhook.collector;
    requires io.offhook.store;
    requires io.offhook.transport;
    requires java.management;
    requires java.net.http;
    requires jdk.management;
    requires jmh.core;
    requires static org.jspecify;

    exports io.offhook.bench;
    exports io.offhook.bench.lanes;
}
