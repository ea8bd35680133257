package io.offhook.store;

import java.util.List;
import java.util.stream.Collectors;

/** Writes names and texts in SQL. */
final class Sql {
    private Sql() {}

    static String text(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    static String texts(List<String> texts) {
        return texts.stream().map(Sql::text).collect(Collectors.joining(", "));
    }

    static String name(String name) {
        return "\"" + name + "\"";
    }
}
