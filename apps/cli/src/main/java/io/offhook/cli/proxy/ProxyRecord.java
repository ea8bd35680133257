package io.offhook.cli.proxy;

import io.offhook.proxy.control.ControlException;
import io.offhook.report.fields.JsonFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** An object of the answer of a proxy, by the names of its fields. What is missing, as in the answer of another version, is empty. */
final class ProxyRecord {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** Times of the proxy, whose unit is in their name, and what they are called in output. */
    private static final Map<String, String> TIMES = Map.of(
            "startedMs", "startedAt",
            "answeredMs", "answeredAt",
            "registeredMs", "registeredAt",
            "expiresMs", "expiresAt",
            "untilMs", "until",
            "atMs", "at",
            "atUs", "at");

    private final Map<String, @Nullable Object> fields;

    private ProxyRecord(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    /** @throws ControlException if it is no object of JSON */
    static ProxyRecord parse(String line) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), line)) {
            parser.nextToken();
            if (value(parser) instanceof ProxyRecord found) {
                return found;
            }
        } catch (JacksonException e) {
            throw new ControlException("the proxy answered with what is no JSON; is it of another version?", e);
        }
        throw new ControlException("the proxy answered with what is no object; is it of another version?");
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
                yield new ProxyRecord(object);
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

    /** Text; empty if it is null or missing. */
    String text(String name) {
        Object value = fields.get(name);
        return value == null ? "" : value.toString();
    }

    /** A number; 0 if it is null or missing. */
    long number(String name) {
        return fields.get(name) instanceof Number number ? number.longValue() : 0;
    }

    /** A number with decimals; 0 if it is null or missing. */
    double decimal(String name) {
        return fields.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    boolean isTrue(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    /** An object; an empty one if it is null or missing. */
    ProxyRecord object(String name) {
        return fields.get(name) instanceof ProxyRecord object ? object : new ProxyRecord(Map.of());
    }

    /** The objects of an array; empty if it is missing. */
    List<ProxyRecord> objects(String name) {
        List<ProxyRecord> objects = new ArrayList<>();
        if (fields.get(name) instanceof List<?> list) {
            for (Object one : list) {
                if (one instanceof ProxyRecord object) {
                    objects.add(object);
                }
            }
        }
        return objects;
    }

    /** The names of its fields, in their order. */
    List<String> names() {
        return List.copyOf(fields.keySet());
    }

    /** Writes its fields into an object that is open, with times in the form asked for. */
    void write(JsonFields json) {
        fields.forEach((name, value) -> {
            String time = TIMES.get(name);
            if (time != null) {
                if (value instanceof Number number) {
                    json.time(time, number.longValue() * (name.endsWith("Us") ? 1_000L : 1_000_000L));
                } else {
                    json.nullField(time);
                }
                return;
            }
            switch (value) {
                case null -> json.nullField(name);
                case Boolean truth -> json.field(name, truth);
                case Long number -> json.field(name, number);
                case Double number -> json.field(name, number, 6);
                case ProxyRecord object -> {
                    json.object(name);
                    object.write(json);
                    json.end();
                }
                case List<?> list -> {
                    json.array(name);
                    for (Object one : list) {
                        if (one instanceof ProxyRecord object) {
                            json.object();
                            object.write(json);
                            json.end();
                        } else {
                            json.element(String.valueOf(one));
                        }
                    }
                    json.end();
                }
                default -> json.field(name, value.toString());
            }
        });
    }

    /** Writes a document: the records as an array, one a line. */
    static void write(JsonFields json, String array, List<ProxyRecord> records) {
        json.object().array(array);
        for (ProxyRecord one : records) {
            json.line().object();
            one.write(json);
            json.end();
        }
        json.line().end().end();
    }
}
