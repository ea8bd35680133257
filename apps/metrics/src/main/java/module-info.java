/** The text format of Prometheus. */
module io.offhook.metrics {
    requires static transitive org.jspecify;

    exports io.offhook.metrics;
}
