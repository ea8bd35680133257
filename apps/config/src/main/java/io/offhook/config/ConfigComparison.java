package io.offhook.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares two valid configurations of one schema. Lists whose items cannot change while the program runs are aligned, so that
 * an inserted item does not make all later items differ.
 */
final class ConfigComparison {
    /** The length to which values are cut in messages. */
    private static final int MAX_TEXT = 80;
    /** The most pairs of items compared to align two lists; the items of longer lists are paired by index. */
    private static final long MAX_PAIRS = 1 << 16;

    private final List<ConfigDifference> found = new ArrayList<>();

    private ConfigComparison() {}

    static List<ConfigDifference> of(ConfigSchema<?> schema, ConfigSection before, ConfigSection after) {
        ConfigComparison comparison = new ConfigComparison();
        comparison.section(schema, before.node(), after.node(), after.path(), false);
        return List.copyOf(comparison.found);
    }

    private void compare(ConfigType<?> type, ConfigNode before, ConfigNode after, String path, boolean mayChange) {
        switch (type) {
            case ConfigSchema<?> schema -> section(schema, mapping(before), mapping(after), path, mayChange);
            case PlacedType<?> placed -> compare(placed.type(), before, after, path, mayChange);
            case ListType<?> list -> items(list.item(), sequence(before), sequence(after), path, mayChange);
            case MapType<?> map -> names(map.value(), mapping(before), mapping(after), path, mayChange);
            case ChoiceType<?> choice -> kinds(choice, before, after, path, mayChange);
            case ScalarType<?> scalar -> {
                if (!isSame(scalar, before, after)) {
                    add(before, after, path, mayChange);
                }
            }
        }
    }

    /** Compares by value: {@code 1s} and {@code 1000ms} are the same. */
    private static <T> boolean isSame(ScalarType<T> type, ConfigNode before, ConfigNode after) {
        String was = text(before);
        String is = text(after);
        return was.equals(is) || type.parse(was).equals(type.parse(is));
    }

    private void section(
            ConfigSchema<?> schema,
            ConfigNode.Mapping before,
            ConfigNode.Mapping after,
            String path,
            boolean mayChange) {
        for (ConfigKey<?> key : schema.keys()) {
            String at = path.isEmpty() ? key.name() : path + "." + key.name();
            either(
                    key.type(),
                    key.in(before),
                    key.in(after),
                    new Within(before, after, at),
                    mayChange || key.mayChange());
        }
    }

    /** The two parents of the values, which give a place to a missing value. */
    private record Within(ConfigNode before, ConfigNode after, String path) {}

    private void either(
            ConfigType<?> type,
            @Nullable ConfigNode before,
            @Nullable ConfigNode after,
            Within within,
            boolean mayChange) {
        if (before != null && after != null) {
            compare(type, before, after, within.path(), mayChange);
        } else if (before != null || after != null) {
            found.add(new ConfigDifference(
                    before == null ? "" : shown(before),
                    after == null ? "" : shown(after),
                    (before == null ? within.before() : before).mark().at(within.path()),
                    (after == null ? within.after() : after).mark().at(within.path()),
                    mayChange));
        }
    }

    private void names(
            ConfigType<?> type, ConfigNode.Mapping before, ConfigNode.Mapping after, String path, boolean mayChange) {
        Set<String> names = new LinkedHashSet<>(before.entries().keySet());
        names.addAll(after.entries().keySet());
        for (String name : names) {
            Within within = new Within(before, after, path + "." + name);
            either(type, value(before, name), value(after, name), within, mayChange);
        }
        List<String> was = List.copyOf(before.entries().keySet());
        List<String> is = List.copyOf(after.entries().keySet());
        if (!was.equals(is) && Set.copyOf(was).equals(Set.copyOf(is))) {
            add(before, after, path, mayChange); // the order may be significant
        }
    }

    private static @Nullable ConfigNode value(ConfigNode.Mapping mapping, String name) {
        ConfigNode.Entry entry = mapping.entries().get(name);
        return entry == null ? null : entry.value();
    }

    private void kinds(ChoiceType<?> choice, ConfigNode before, ConfigNode after, String path, boolean mayChange) {
        String was = kind(before);
        String is = kind(after);
        if (was.equals(is)) {
            section(choice.kind(is), body(before), body(after), path + "." + is, mayChange);
        } else {
            add(before, after, path, mayChange);
        }
    }

    private static String kind(ConfigNode node) {
        return node instanceof ConfigNode.Mapping mapping
                ? mapping.entries().keySet().iterator().next()
                : text(node);
    }

    private static ConfigNode.Mapping body(ConfigNode node) {
        return node instanceof ConfigNode.Mapping mapping
                ? mapping(mapping.entries().values().iterator().next().value())
                : mapping(node);
    }

    // ---- lists

    private void items(
            ConfigType<?> type, ConfigNode.Sequence before, ConfigNode.Sequence after, String path, boolean mayChange) {
        List<ConfigNode> was = before.items();
        List<ConfigNode> is = after.items();
        boolean[][] areSame = mayChange || (long) was.size() * is.size() > MAX_PAIRS ? null : same(type, was, is);
        int i = 0;
        int j = 0;
        while (i < was.size() || j < is.size()) {
            int[] next = areSame == null || was.isEmpty() || is.isEmpty()
                    ? new int[] {was.size(), is.size()}
                    : nextPair(areSame, i, j);
            // up to the next equal pair, items were changed, added or removed
            while (i < next[0] || j < next[1]) {
                int at = j < next[1] ? j : i;
                Within within = new Within(before, after, path + "[" + at + "]");
                either(type, i < next[0] ? was.get(i) : null, j < next[1] ? is.get(j) : null, within, mayChange);
                i += i < next[0] ? 1 : 0;
                j += j < next[1] ? 1 : 0;
            }
            if (i < was.size() && j < is.size()) {
                compare(type, was.get(i), is.get(j), path + "[" + j + "]", mayChange);
                i++;
                j++;
            }
        }
    }

    /** Whether items differ only in what may change, by pair of indices. */
    private static boolean[][] same(ConfigType<?> type, List<ConfigNode> was, List<ConfigNode> is) {
        boolean[][] areSame = new boolean[was.size()][is.size()];
        for (int i = 0; i < was.size(); i++) {
            for (int j = 0; j < is.size(); j++) {
                ConfigComparison ofTwo = new ConfigComparison();
                ofTwo.compare(type, was.get(i), is.get(j), "", false);
                areSame[i][j] = ofTwo.found.stream().allMatch(ConfigDifference::mayChange);
            }
        }
        return areSame;
    }

    /** The next pair of a longest common subsequence, or the ends of both lists if there is none. */
    private static int[] nextPair(boolean[][] areSame, int from, int fromOther) {
        int rows = areSame.length;
        int columns = areSame[0].length;
        int[][] longest = new int[rows + 1][columns + 1];
        for (int i = rows - 1; i >= from; i--) {
            for (int j = columns - 1; j >= fromOther; j--) {
                longest[i][j] =
                        areSame[i][j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
            }
        }
        int i = from;
        int j = fromOther;
        while (i < rows && j < columns && !areSame[i][j]) {
            if (longest[i + 1][j] >= longest[i][j + 1]) {
                i++;
            } else {
                j++;
            }
        }
        boolean isFound = i < rows && j < columns;
        return new int[] {isFound ? i : rows, isFound ? j : columns};
    }

    // ---- nodes

    private void add(ConfigNode before, ConfigNode after, String path, boolean mayChange) {
        found.add(new ConfigDifference(
                shown(before),
                shown(after),
                before.mark().at(path),
                after.mark().at(path),
                mayChange));
    }

    private static String text(ConfigNode node) {
        return node instanceof ConfigNode.Scalar scalar ? scalar.text() : "";
    }

    private static ConfigNode.Mapping mapping(ConfigNode node) {
        return node instanceof ConfigNode.Mapping mapping ? mapping : ConfigNode.Mapping.empty(node.mark());
    }

    private static ConfigNode.Sequence sequence(ConfigNode node) {
        return node instanceof ConfigNode.Sequence sequence
                ? sequence
                : new ConfigNode.Sequence(List.of(), node.mark(), 1);
    }

    /** Formats a value as YAML, cut to {@link #MAX_TEXT}. */
    private static String shown(ConfigNode node) {
        String text = flow(node, MAX_TEXT);
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 3) + "...";
    }

    private static String flow(ConfigNode node, int most) {
        return switch (node) {
            case ConfigNode.Scalar scalar -> scalar.isAbsent() ? "nothing" : scalar.text();
            case ConfigNode.Sequence sequence ->
                sequence.items().stream()
                        .limit(most)
                        .map(item -> flow(item, most / 2))
                        .collect(Collectors.joining(", ", "[", "]"));
            case ConfigNode.Mapping mapping ->
                mapping.entries().entrySet().stream()
                        .limit(most)
                        .map(entry ->
                                entry.getKey() + ": " + flow(entry.getValue().value(), most / 2))
                        .collect(Collectors.joining(", ", "{", "}"));
        };
    }
}
