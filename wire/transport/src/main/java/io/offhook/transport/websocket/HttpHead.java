package io.offhook.transport.websocket;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The start line and headers of an HTTP message (RFC 9112), as far as a WebSocket handshake needs them. */
final class HttpHead {
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private final String startLine;
    private final Map<String, List<String>> headers;

    private HttpHead(String startLine, Map<String, List<String>> headers) {
        this.startLine = startLine;
        this.headers = headers;
    }

    /**
     * The length of the head, its empty line included; -1 if that has not arrived.
     *
     * @param searched the bytes in which it was not found before
     */
    static int length(byte[] octets, int offset, int available, int searched) {
        for (int i = Math.max(3, searched); i < available; i++) {
            int at = offset + i;
            if (octets[at] == '\n' && octets[at - 1] == '\r' && octets[at - 2] == '\n' && octets[at - 3] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    /** Null if it is malformed: no lines folded, no blanks before a colon, no controls (RFC 9112, 5). */
    static @Nullable HttpHead parse(byte[] octets, int offset, int length) {
        String text = new String(octets, offset, length - 4, StandardCharsets.ISO_8859_1);
        String[] lines = text.split("\r\n", -1);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (int i = 0; i < lines.length; i++) {
            if (hasControls(lines[i])) {
                return null;
            }
            int colon = lines[i].indexOf(':');
            if (i > 0) {
                if (colon < 1 || !isToken(lines[i].substring(0, colon))) {
                    return null;
                }
                headers.computeIfAbsent(lines[i].substring(0, colon).toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
                        .add(lines[i].substring(colon + 1).strip());
            }
        }
        return new HttpHead(lines[0], headers);
    }

    private static boolean hasControls(String line) {
        return line.chars().anyMatch(c -> c < ' ' && c != '\t' || c == 0x7f);
    }

    private static boolean isToken(String name) {
        return name.chars()
                .allMatch(c -> c >= 'a' && c <= 'z'
                        || c >= 'A' && c <= 'Z'
                        || c >= '0' && c <= '9'
                        || TOKEN_MARKS.indexOf(c) >= 0);
    }

    String startLine() {
        return startLine;
    }

    boolean has(String name) {
        return headers.containsKey(name);
    }

    /** The value of a header that occurs once; null if it is missing or occurs more often. */
    @Nullable
    String single(String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.size() == 1 ? values.getFirst() : null;
    }

    /** Whether a list, which may be in several headers, has an item. */
    boolean lists(String name, String item, boolean isCaseSensitive) {
        for (String value : headers.getOrDefault(name, List.of())) {
            for (String one : value.split(",", -1)) {
                String stripped = one.strip();
                if (isCaseSensitive ? stripped.equals(item) : stripped.equalsIgnoreCase(item)) {
                    return true;
                }
            }
        }
        return false;
    }
}
