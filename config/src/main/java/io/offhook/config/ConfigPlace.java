package io.offhook.config;

/**
 * Where something of a configuration stands.
 *
 * @param source the file, or what else it came from: {@code environment variable OFFHOOK_FORWARD_STATISTICS}
 * @param line from 1; 0 where the source has no lines
 * @param column from 1, in characters; 0 where the source has no lines
 * @param path of keys from the top, {@code ports[0].interface}; empty for the whole
 */
public record ConfigPlace(String source, int line, int column, String path) {
    /** A place within this one, whose own line is not known. */
    ConfigPlace key(String name) {
        return new ConfigPlace(source, line, column, path.isEmpty() ? name : path + "." + name);
    }

    /** {@code file:line:column}, or only the source. */
    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line + ":" + column;
    }
}
