package io.offhook.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value as written in the file: text, a list, or keys with values. */
sealed interface ConfigNode {
    /** Where the value begins; its path is relative, as the parents are unknown. */
    Mark mark();

    /** The number of values that it contains, itself included; values of aliases count each time they are repeated. */
    long size();

    /** A line and a column, from 1, in a source. */
    record Mark(String source, int line, int column) {
        ConfigPlace at(String path) {
            return new ConfigPlace(source, line, column, path);
        }
    }

    /** @param text the text without quotes; empty and plain if there is no value */
    record Scalar(String text, boolean isPlain, Mark mark) implements ConfigNode {
        @Override
        public long size() {
            return 1;
        }

        boolean isAbsent() {
            return isPlain && (text.isEmpty() || text.equals("~") || text.equals("null"));
        }
    }

    record Sequence(List<ConfigNode> items, Mark mark, long size) implements ConfigNode {}

    /** A key with its value. */
    record Entry(Mark keyMark, ConfigNode value) {}

    /** @param entries mutable: the environment and the command line add entries */
    record Mapping(Map<String, Entry> entries, Mark mark, long size) implements ConfigNode {
        static Mapping empty(Mark mark) {
            return new Mapping(new LinkedHashMap<>(), mark, 1);
        }
    }
}
