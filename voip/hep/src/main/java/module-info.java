/** The Homer Encapsulation Protocol, versions 2 and 3. */
module io.offhook.hep {
    requires transitive io.offhook.packet;
    requires tools.jackson.core;
    requires static transitive org.jspecify;

    exports io.offhook.hep;
}
