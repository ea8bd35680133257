package io.offhook.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Reads JSON back: objects as maps in their order, arrays as lists, numbers as Long or Double. A name given twice is an error. */
public final class Json {
    private Json() {}

    /** One document, with nothing after it. */
    public static Map<String, Object> object(String text) {
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw new AssertionError("something follows the document: " + parser.currentToken());
            }
            return asObject(value);
        }
    }

    private static @Nullable Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> asObject(@Nullable Object value) {
        if (!(value instanceof Map)) {
            throw new AssertionError("an object was expected, found " + value);
        }
        return (Map<String, Object>) value;
    }

    /** A field's value as text. */
    public static String text(Map<String, Object> object, String name) {
        return String.valueOf(object.get(name));
    }

    /** The objects of an array. */
    @SuppressWarnings("unchecked")
    public static List<Map<String, Object>> objects(@Nullable Object array) {
        if (!(array instanceof List)) {
            throw new AssertionError("an array was expected, found " + array);
        }
        return (List<Map<String, Object>>) array;
    }

    /** "calls[].streams[].ssrc" and the like: the path of every value, of objects and arrays themselves too. */
    public static Set<String> paths(Object value) {
        Set<String> paths = new TreeSet<>();
        addPaths("", value, paths);
        return paths;
    }

    private static void addPaths(String path, @Nullable Object value, Set<String> paths) {
        if (value instanceof Map<?, ?> object) {
            object.forEach((name, member) -> {
                String inner = path.isEmpty() ? name.toString() : path + "." + name;
                paths.add(inner);
                addPaths(inner, member, paths);
            });
        } else if (value instanceof List<?> array) {
            for (Object element : array) {
                paths.add(path + "[]");
                addPaths(path + "[]", element, paths);
            }
        }
    }
}
