/** The SIP proxy and registrar: sockets, routing and storage around the machines of {@code io.offhook.sip}. */
module io.offhook.proxy {
    requires transitive io.offhook.config;
    requires io.offhook.hep;
    requires transitive io.offhook.linux;
    requires io.offhook.metrics;
    requires transitive io.offhook.sip;
    requires transitive io.offhook.transport;
    requires HdrHistogram;
    requires java.management;
    requires java.sql;
    requires jdk.httpserver;
    requires jdk.management;
    requires org.dnsjava;
    requires static transitive org.jspecify;

    exports io.offhook.proxy.config;
    exports io.offhook.proxy.control;
    exports io.offhook.proxy.lane;
    exports io.offhook.proxy.limit;
    exports io.offhook.proxy.line;
    exports io.offhook.proxy.location;
    exports io.offhook.proxy.log;
    exports io.offhook.proxy.routing;
    exports io.offhook.proxy.statistics;
    exports io.offhook.proxy.stream;
    exports io.offhook.proxy.users;
    exports io.offhook.proxy;

    uses io.offhook.proxy.routing.CallRouter;
}
