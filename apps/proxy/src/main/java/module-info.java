/** The SIP proxy and registrar: sockets, routing and storage around the machines of {@code io.offhook.sip}. */
module io.offhook.proxy {
    requires transitive io.offhook.config;
    requires io.offhook.hep;
    requires transitive io.offhook.sip;
    requires HdrHistogram;
    requires io.offhook.transport;
    requires java.sql;
    requires org.dnsjava;
    requires java.management;
    requires jdk.httpserver;
    requires jdk.management;
    requires static transitive org.jspecify;

    exports io.offhook.proxy;
    exports io.offhook.proxy.config;
    exports io.offhook.proxy.limit;
    exports io.offhook.proxy.routing;

    uses io.offhook.proxy.routing.CallRouter;

    exports io.offhook.proxy.control;
    exports io.offhook.proxy.line;
    exports io.offhook.proxy.log;
    exports io.offhook.proxy.location;
    exports io.offhook.proxy.users;
    exports io.offhook.proxy.statistics;
    exports io.offhook.proxy.stream;

    requires transitive io.offhook.transport;
}
