package io.offhook.hep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** The JSON object of an agent, whose numbers may be texts. At most 64 KiB, 8 levels and 4,096 values are read. */
final class JsonTree {
    private static final int MOST_BYTES = 65_536;
    private static final int MOST_LEVELS = 8;
    private static final int MOST_VALUES = 4096;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxDocumentLength(MOST_BYTES)
                    .maxNestingDepth(MOST_LEVELS)
                    .maxTokenCount(MOST_VALUES)
                    .maxNumberLength(32)
                    .maxNameLength(256)
                    .build())
            .build();

    private final Map<String, Object> fields;

    private JsonTree(Map<String, Object> fields) {
        this.fields = fields;
    }

    static JsonFactory factory() {
        return FACTORY;
    }

    /** Reads an object; null if the bytes are none, or exceed a limit. */
    static @Nullable JsonTree read(byte[] octets, int offset, int length) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), octets, offset, length)) {
            return parser.nextToken() == JsonToken.START_OBJECT ? new JsonTree(object(parser)) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Map<String, Object> object(JsonParser parser) {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            Object value = value(parser, parser.nextToken());
            if (value != null) {
                fields.put(name, value);
            }
        }
        return fields;
    }

    private static @Nullable Object value(JsonParser parser, @Nullable JsonToken token) {
        if (token == null) {
            return null;
        }
        return switch (token) {
            case START_OBJECT -> new JsonTree(object(parser));
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                for (JsonToken next = parser.nextToken();
                        next != null && next != JsonToken.END_ARRAY;
                        next = parser.nextToken()) {
                    Object element = value(parser, next);
                    if (element != null) {
                        elements.add(element);
                    }
                }
                yield elements;
            }
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getString();
            default -> null;
        };
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    /** The text of a value, or of a number; null if there is none. */
    @Nullable
    String text(String name) {
        return fields.get(name) instanceof String text ? text : null;
    }

    /** A number, also of a text; NaN if there is none. */
    double number(String name) {
        String text = text(name);
        if (text == null || text.length() > 32) {
            return Double.NaN;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** The first of several numbers that is there; NaN if none is. */
    double number(String... names) {
        for (String name : names) {
            double number = number(name);
            if (!Double.isNaN(number)) {
                return number;
            }
        }
        return Double.NaN;
    }

    /** A whole number within limits; 0 if there is none. */
    long whole(String name, long least, long most) {
        double number = number(name);
        return Double.isNaN(number) ? 0 : (long) Math.clamp(number, (double) least, (double) most);
    }

    @Nullable
    JsonTree object(String name) {
        return fields.get(name) instanceof JsonTree tree ? tree : null;
    }

    /** The objects of an array; empty if there is none. */
    List<JsonTree> objects(String name) {
        List<JsonTree> found = new ArrayList<>();
        if (fields.get(name) instanceof List<?> elements) {
            for (Object element : elements) {
                if (element instanceof JsonTree tree) {
                    found.add(tree);
                }
            }
        }
        return found;
    }
}
