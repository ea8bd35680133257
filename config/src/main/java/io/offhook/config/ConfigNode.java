package io.offhook.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of the file as it stands there: text, a list, or keys with values. */
sealed interface ConfigNode {
    /** Where it begins; of the path only what is known without its parents. */
    Mark mark();

    /** Values that it holds, itself included, those of aliases as often as they are repeated. */
    long size();

    /** Line and column, from 1, and what they count in. */
    record Mark(String source, int line, int column) {
        ConfigPlace at(String path) {
            return new ConfigPlace(source, line, column, path);
        }
    }

    /** @param text without its quotes; empty and plain where nothing stands */
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

    /** One key with its value. */
    record Entry(Mark keyMark, ConfigNode value) {}

    /** @param entries may be added to: by the environment and the command line */
    record Mapping(Map<String, Entry> entries, Mark mark, long size) implements ConfigNode {
        static Mapping empty(Mark mark) {
            return new Mapping(new LinkedHashMap<>(), mark, 1);
        }
    }
}
