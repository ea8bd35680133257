package io.offhook.config;

/**
 * A section as read, including the overrides of environment and command line. {@link
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

    /** The place where the section begins. */
    public ConfigPlace place() {
        return node.mark().at(path);
    }
}
