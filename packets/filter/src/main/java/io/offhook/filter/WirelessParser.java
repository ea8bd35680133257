package io.offhook.filter;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses {@code type}, {@code subtype} and {@code dir} of IEEE 802.11 frames (IEEE 802.11-2020, 9.2.4.1). */
final class WirelessParser {
    private static final int TYPE_MASK = 0x0c;
    private static final int SUBTYPE_MASK = 0xf0;

    private static final int MANAGEMENT = 0x00;
    private static final int CONTROL = 0x04;
    private static final int DATA = 0x08;

    private static final Map<String, Integer> TYPES =
            Map.of("mgt", MANAGEMENT, "management", MANAGEMENT, "ctl", CONTROL, "control", CONTROL, "data", DATA);

    private static final Map<String, Integer> MANAGEMENT_SUBTYPES = subtypes("""
        assocreq 00 assoc-req 00 assocresp 10 assoc-resp 10 reassocreq 20 reassoc-req 20 reassocresp 30 reassoc-resp 30
        probereq 40 probe-req 40 proberesp 50 probe-resp 50 beacon 80 atim 90 disassoc a0 disassociation a0
        auth b0 authentication b0 deauth c0 deauthentication c0
        """);

    private static final Map<String, Integer> CONTROL_SUBTYPES =
            subtypes("ps-poll a0 rts b0 cts c0 ack d0 cf-end e0 cf-end-ack f0");

    private static final Map<String, Integer> DATA_SUBTYPES = subtypes("""
        data 00 data-cf-ack 10 data-cf-poll 20 data-cf-ack-poll 30 null 40 cf-ack 50 cf-poll 60 cf-ack-poll 70
        qos-data 80 qos-data-cf-ack 90 qos-data-cf-poll a0 qos-data-cf-ack-poll b0 qos c0 qos-cf-poll e0
        qos-cf-ack-poll f0
        """);

    private static final Map<String, Integer> DIRECTIONS = Map.of("nods", 0, "tods", 1, "fromds", 2, "dstods", 3);

    private final String expression;
    private final Parser.TokenReader tokens;

    WirelessParser(String expression, Parser.TokenReader tokens) {
        this.expression = expression;
        this.tokens = tokens;
    }

    private static Map<String, Integer> subtypes(String table) {
        Map<String, Integer> subtypes = new HashMap<>();
        String[] words = table.strip().split("\\s+", -1);
        for (int i = 0; i < words.length; i += 2) {
            subtypes.put(words[i], Integer.valueOf(words[i + 1], 16));
        }
        return subtypes;
    }

    Expression primitive(int offset) {
        Token keyword = tokens.next();
        return switch (keyword.text()) {
            case "type" -> type(offset);
            case "subtype" -> subtype(offset);
            default -> direction(offset);
        };
    }

    private Expression type(int offset) {
        Token value = nameOrNumber();
        int type = value.kind() == Token.Kind.NUMBER
                ? checked(value, TYPE_MASK, "invalid 802.11 type value")
                : named(TYPES, value, "unknown 802.11 type name");
        if (!tokens.take("subtype")) {
            return new Expression.WirelessType(type, TYPE_MASK, offset);
        }
        Token second = nameOrNumber();
        int subtype = second.kind() == Token.Kind.NUMBER
                ? checked(second, SUBTYPE_MASK, "invalid 802.11 subtype value")
                : named(subtypesOf(type, second), second, "unknown 802.11 subtype name");
        return new Expression.WirelessType(type | subtype, TYPE_MASK | SUBTYPE_MASK, offset);
    }

    private Map<String, Integer> subtypesOf(int type, Token place) {
        return switch (type) {
            case MANAGEMENT -> MANAGEMENT_SUBTYPES;
            case CONTROL -> CONTROL_SUBTYPES;
            case DATA -> DATA_SUBTYPES;
            default -> throw new FilterException("unknown 802.11 type", expression, place.offset());
        };
    }

    private Expression subtype(int offset) {
        Token name = tokens.expect(Token.Kind.NAME);
        int[] types = {MANAGEMENT, CONTROL, DATA};
        for (int type : types) {
            Integer subtype = find(subtypesOf(type, name), name);
            if (subtype != null) {
                return new Expression.WirelessType(type | subtype, TYPE_MASK | SUBTYPE_MASK, offset);
            }
        }
        throw new FilterException("unknown 802.11 type name", expression, name.offset());
    }

    private Expression direction(int offset) {
        Token value = nameOrNumber();
        if (value.kind() == Token.Kind.NUMBER) {
            return new Expression.WirelessDirection(value.number(), offset);
        }
        Integer direction = find(DIRECTIONS, value);
        if (direction == null) {
            throw new FilterException("unknown 802.11 direction", expression, value.offset());
        }
        return new Expression.WirelessDirection(direction, offset);
    }

    private Token nameOrNumber() {
        Token token = tokens.peek();
        return token.kind() == Token.Kind.NUMBER ? tokens.next() : tokens.expect(Token.Kind.NAME);
    }

    private int checked(Token number, int mask, String complaint) {
        if ((number.number() & ~mask) != 0) {
            String value = String.format(Locale.ROOT, " 0x%02x", number.number());
            throw new FilterException(complaint + value, expression, number.offset());
        }
        return number.number();
    }

    private int named(Map<String, Integer> names, Token name, String complaint) {
        Integer value = find(names, name);
        if (value == null) {
            throw new FilterException(complaint + " \"" + name.text() + '"', expression, name.offset());
        }
        return value;
    }

    private static @Nullable Integer find(Map<String, Integer> names, Token name) {
        return names.get(name.text().toLowerCase(Locale.ROOT));
    }
}
