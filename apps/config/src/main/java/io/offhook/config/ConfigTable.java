package io.offhook.config;

import java.util.ArrayList;
import java.util.List;

/**
 * Formats a schema as Markdown tables, one per section: key, type with range, default, meaning, and whether the value may
 * change while the program runs ("Reloaded").
 */
public final class ConfigTable {
    private ConfigTable() {}

    /** The table of a schema's keys, followed by those of its subsections, each with a heading. */
    public static String markdown(ConfigSchema<?> schema) {
        StringBuilder out = new StringBuilder();
        table(schema, "", schema.description(), out, new ArrayList<>());
        return out.toString();
    }

    private static void table(
            ConfigSchema<?> schema, String path, String heading, StringBuilder out, List<ConfigSchema<?>> done) {
        if (done.contains(schema)) {
            return;
        }
        done.add(schema);
        if (!path.isEmpty()) {
            out.append("\n### `").append(path).append("`\n\n");
        }
        out.append(heading).append('\n');
        if (!schema.keys().isEmpty()) {
            out.append("\n| key | type | default | meaning |\n|---|---|---|---|\n");
        }
        for (ConfigKey<?> key : schema.keys()) {
            out.append("| `")
                    .append(key.name())
                    .append("` | ")
                    .append(key.type().label())
                    .append(" | ")
                    .append(key.defaultText())
                    .append(" | ")
                    .append(key.description())
                    .append(key.mayChange() ? " Reloaded." : "")
                    .append(" |\n");
        }
        for (ConfigKey<?> key : schema.keys()) {
            below(key.type(), path.isEmpty() ? key.name() : path + "." + key.name(), out, done);
        }
    }

    private static void below(ConfigType<?> type, String path, StringBuilder out, List<ConfigSchema<?>> done) {
        switch (type) {
            case ConfigSchema<?> schema -> table(schema, path, schema.description(), out, done);
            case ListType<?> list -> below(list.item(), path + "[]", out, done);
            case MapType<?> map -> below(map.value(), path + ".NAME", out, done);
            case PlacedType<?> placed -> below(placed.type(), path, out, done);
            case ChoiceType<?> choice ->
                choice.kinds().forEach(kind -> table(kind, path + "." + kind.name(), kind.description(), out, done));
            case ScalarType<?> _ -> {}
        }
    }
}
