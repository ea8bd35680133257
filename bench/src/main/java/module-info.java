/** Benchmarks: JMH, and the same work in C. Never a dependency of anything. */
module io.offhook.bench {
    requires com.google.protobuf;
    requires com.lmax.disruptor;
    requires com.sun.jna;
    requires io.offhook.analysis;
    requires io.offhook.dpdk;
    requires io.offhook.linux;
    requires java.desktop;
    requires java.management;
    requires jdk.management;
    requires jdk.unsupported;
    requires jmh.core;
    requires org.jfree.jfreechart;
    requires org.jfree.svg;
    requires static org.jspecify;
    requires tools.jackson.databind;

    exports io.offhook.bench;
}
