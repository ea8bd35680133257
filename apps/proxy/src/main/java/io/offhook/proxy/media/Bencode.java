package io.offhook.proxy.media;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A value of bencode, which the NG protocol is written in: {@code 3:abc}, {@code i42e}, {@code l...e} and
 * {@code d...e}.
 */
sealed interface Bencode {
    /**
     * Octets, one a character (ISO 8859-1), so that any are kept.
     *
     * @param octets as characters 0 to 255
     */
    record Text(String octets) implements Bencode {}

    /** A number. */
    record Whole(long number) implements Bencode {}

    /** A list. */
    record Sequence(List<Bencode> values) implements Bencode {
        public Sequence {
            values = List.copyOf(values);
        }
    }

    /** Values by key, in the order of the keys. */
    record Dictionary(Map<String, Bencode> values) implements Bencode {
        /** The text of a key; "" if there is none. */
        String text(String key) {
            return values.get(key) instanceof Text text ? text.octets : "";
        }

        /** The dictionary of a key; null if there is none. */
        @Nullable
        Dictionary dictionary(String key) {
            return values.get(key) instanceof Dictionary dictionary ? dictionary : null;
        }
    }

    /** Text as UTF-8. */
    static Text text(String text) {
        return new Text(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    }

    /** A list of texts. */
    static Sequence texts(List<String> texts) {
        return new Sequence(texts.stream().map(each -> (Bencode) text(each)).toList());
    }

    /** The value as it is sent. */
    static byte[] written(Bencode value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void write(Bencode value, StringBuilder out) {
        switch (value) {
            case Text text -> out.append(text.octets.length()).append(':').append(text.octets);
            case Whole whole -> out.append('i').append(whole.number).append('e');
            case Sequence list -> {
                out.append('l');
                list.values.forEach(each -> write(each, out));
                out.append('e');
            }
            case Dictionary dictionary -> {
                out.append('d');
                new TreeMap<>(dictionary.values).forEach((key, each) -> {
                    out.append(key.length()).append(':').append(key);
                    write(each, out);
                });
                out.append('e');
            }
        }
    }
}
