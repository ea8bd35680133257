/** Traffic with known truth, for tests. */
module io.offhook.testkit {
    requires transitive io.offhook.packet;
    requires static transitive org.jspecify;

    exports io.offhook.testkit;
}
