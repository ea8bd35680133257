package io.offhook.config;

/**
 * A section as it was read, with what the environment and the command line put in its place. {@link
 * ConfigSchema#differences} compares two.
 */
public final class ConfigSection {
    private final ConfigNode.Mapping node;
    private final String path;

    ConfigSection(ConfigNode.Mapping node, String path) {
        this.node = node;
        this.path = path;
    }

    ConfigNode.Mapping node() {
        return node;
    }

    String path() {
        return path;
    }

    /** Where it begins. */
    public ConfigPlace place() {
        return node.mark().at(path);
    }
}
