/** Opens what is encrypted in captures, with keys that somebody has. */
module io.offhook.decrypt {
    requires transitive io.offhook.analysis;
    requires static transitive org.jspecify;

    exports io.offhook.decrypt;
}
