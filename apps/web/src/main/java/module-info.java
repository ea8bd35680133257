/** The page of offhook serve: HTTP, server-sent events, metrics. */
module io.offhook.web {
    requires transitive io.offhook.audio;
    requires transitive io.offhook.config;
    requires io.offhook.metrics;
    requires transitive io.offhook.store;
    requires transitive io.offhook.transport;
    requires io.helidon.webserver;
    requires io.helidon.webserver.sse;
    requires jakarta.mail;
    requires java.logging;
    requires java.net.http;
    requires transitive java.sql;
    requires java.management;
    requires password4j;
    requires static transitive org.jspecify;

    exports io.offhook.web;
    exports io.offhook.web.access;
    exports io.offhook.web.alert;
    exports io.offhook.web.data;
    exports io.offhook.web.metrics;
}
