/** Configuration: YAML files to records; reports all faults at once, each with its place. */
module io.offhook.config {
    requires org.snakeyaml.engine;
    requires static transitive org.jspecify;

    exports io.offhook.config;
}
