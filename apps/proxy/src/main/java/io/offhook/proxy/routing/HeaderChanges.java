package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys by which a configuration changes header fields: {@code remove}, {@code replace} and {@code add}. */
final class HeaderChanges {
    private static final int MOST = 32;

    static final ConfigKey<List<String>> REMOVE =
            ConfigKey.repeated("remove", RoutingTypes.HEADER_NAME, MOST, "Header fields that are removed, by name.");
    static final ConfigKey<Map<String, String>> REPLACE = ConfigKey.optional(
            "replace",
            ConfigTypes.map(ConfigTypes.text(2000), MOST),
            "Header fields that replace all others of their name.");
    static final ConfigKey<Map<String, String>> ADD =
            ConfigKey.optional("add", ConfigTypes.map(ConfigTypes.text(2000), MOST), "Header fields that are added.");

    private static final ConfigSchema<List<HeaderChange>> SCHEMA =
            ConfigSchema.of("headers", "Changes of header fields.", HeaderChanges::read, REMOVE, REPLACE, ADD);

    private HeaderChanges() {}

    static ConfigSchema<List<HeaderChange>> schema() {
        return SCHEMA;
    }

    /** The changes of a section that has the three keys. */
    static List<HeaderChange> read(ConfigValues values) {
        List<HeaderChange> changes = new ArrayList<>();
        for (String name : values.get(REMOVE)) {
            put(changes, HeaderChange.Kind.REMOVE, name, "", values, REMOVE);
        }
        fields(changes, HeaderChange.Kind.REPLACE, values.find(REPLACE), values, REPLACE);
        fields(changes, HeaderChange.Kind.ADD, values.find(ADD), values, ADD);
        return List.copyOf(changes);
    }

    private static void fields(
            List<HeaderChange> changes,
            HeaderChange.Kind kind,
            @Nullable Map<String, String> fields,
            ConfigValues values,
            ConfigKey<?> key) {
        if (fields != null) {
            fields.forEach((name, value) -> put(changes, kind, name, value, values, key));
        }
    }

    private static void put(
            List<HeaderChange> changes,
            HeaderChange.Kind kind,
            String name,
            String value,
            ConfigValues values,
            ConfigKey<?> key) {
        try {
            changes.add(new HeaderChange(kind, name, value));
        } catch (IllegalArgumentException e) {
            values.fault(key, String.valueOf(e.getMessage()));
        }
    }
}
