package io.offhook.config;

/**
 * A place in a configuration.
 *
 * @param source the file or other source: {@code environment variable OFFHOOK_FORWARD_STATISTICS}
 * @param line from 1; 0 if the source has no lines
 * @param column from 1, in characters; 0 if the source has no lines
 * @param path the keys from the top, {@code ports[0].interface}; empty for the whole
 */
public record ConfigPlace(String source, int line, int column, String path) {
    /** A place within this one, whose own line is unknown. */
    ConfigPlace key(String name) {
        return new ConfigPlace(source, line, column, path.isEmpty() ? name : path + "." + name);
    }

    /** {@code file:line:column}, or the source alone. */
    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line + ":" + column;
    }
}
