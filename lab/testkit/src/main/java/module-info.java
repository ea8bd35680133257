/** Traffic with known truth, isolated networks for tests, and the programs that Offhook is compared with. */
module io.offhook.testkit {
    requires transitive io.offhook.packet;
    requires static org.assertj.core;
    requires static transitive org.jspecify;
    requires static org.junit.jupiter.api;

    exports io.offhook.testkit.generate;
    exports io.offhook.testkit.network;
    exports io.offhook.testkit.peers;
    exports io.offhook.testkit.traffic;
    exports io.offhook.testkit.truth;
}
