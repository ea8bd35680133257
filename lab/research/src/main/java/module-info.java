/**
 * What crossing between Java and native memory costs: suites, their peers in C and C++, reports. Never a dependency of
 * anything.
 */
module io.offhook.research {
    requires com.google.protobuf;
    requires com.lmax.disruptor;
    requires com.sun.jna;
    requires io.offhook.calls;
    requires io.offhook.dpdk;
    requires io.offhook.linux;
    requires io.offhook.packet;
    requires io.offhook.rtp;
    requires io.offhook.testkit;
    requires java.desktop;
    requires java.management;
    requires jdk.management;
    requires javolution.core.java;
    requires jdk.unsupported;
    requires jmh.core;
    requires org.jfree.jfreechart;
    requires org.jfree.svg;
    requires static org.jspecify;
    requires tools.jackson.databind;

    exports io.offhook.research;
}
