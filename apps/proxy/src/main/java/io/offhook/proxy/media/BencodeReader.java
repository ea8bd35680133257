package io.offhook.proxy.media;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads one value of bencode. Any bytes are read or refused: depth and number of values are limited. */
final class BencodeReader {
    static final int MAX_DEPTH = 16;
    static final int MAX_VALUES = 10_000;

    private static final int MAX_DIGITS = 18;

    private final byte[] octets;
    private final int end;
    private int at;
    private int values;

    private BencodeReader(byte[] octets, int from, int end) {
        this.octets = octets;
        this.at = from;
        this.end = end;
    }

    /** The value that the bytes are; null if they are none, or more than one. */
    static @Nullable Bencode read(byte[] octets, int from, int end) {
        BencodeReader reader = new BencodeReader(octets, from, end);
        Bencode value = reader.value(0);
        return reader.at == end ? value : null;
    }

    private @Nullable Bencode value(int depth) {
        if (at >= end || depth > MAX_DEPTH || ++values > MAX_VALUES) {
            return null;
        }
        return switch (octets[at]) {
            case 'i' -> whole();
            case 'l' -> list(depth);
            case 'd' -> dictionary(depth);
            default -> textValue();
        };
    }

    private @Nullable Bencode textValue() {
        String text = text();
        if (text == null) {
            return null;
        }
        return new Bencode.Text(text);
    }

    private @Nullable Bencode whole() {
        at++;
        boolean isNegative = at < end && octets[at] == '-';
        if (isNegative) {
            at++;
        }
        long number = digits();
        if (number < 0 || !isEnd()) {
            return null;
        }
        return new Bencode.Whole(isNegative ? -number : number);
    }

    /** Digits, at least one; -1 if there are none or too many. */
    private long digits() {
        int from = at;
        long number = 0;
        while (at < end && octets[at] >= '0' && octets[at] <= '9' && at - from < MAX_DIGITS) {
            number = 10 * number + octets[at++] - '0';
        }
        return at == from ? -1 : number;
    }

    private boolean isEnd() {
        if (at < end && octets[at] == 'e') {
            at++;
            return true;
        }
        return false;
    }

    private @Nullable String text() {
        long length = digits();
        if (length < 0 || at >= end || octets[at] != ':' || length > end - at - 1) {
            return null;
        }
        String text = new String(octets, at + 1, (int) length, StandardCharsets.ISO_8859_1);
        at += 1 + (int) length;
        return text;
    }

    private @Nullable Bencode list(int depth) {
        at++;
        List<Bencode> list = new ArrayList<>();
        while (!isEnd()) {
            Bencode value = value(depth + 1);
            if (value == null) {
                return null;
            }
            list.add(value);
        }
        return new Bencode.Sequence(list);
    }

    private @Nullable Bencode dictionary(int depth) {
        at++;
        Map<String, Bencode> dictionary = new TreeMap<>();
        while (!isEnd()) {
            String key = text();
            Bencode value = key == null ? null : value(depth + 1);
            if (key == null || value == null) {
                return null;
            }
            dictionary.put(key, value);
        }
        return new Bencode.Dictionary(dictionary);
    }
}
