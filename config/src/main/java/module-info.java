/** Configuration: a YAML file to records, every fault told at once, with its place. */
module io.offhook.config {
    requires org.snakeyaml.engine;
    requires static transitive org.jspecify;

    exports io.offhook.config;
}
