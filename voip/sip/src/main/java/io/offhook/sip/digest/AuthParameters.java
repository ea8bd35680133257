package io.offhook.sip.digest;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters behind "Digest" in a challenge or in credentials (RFC 3261, 25.1; RFC 7235, 2.1).
 *
 * <pre>
 * "Digest" LWS name EQUAL ( token / quoted-string ) *( COMMA ... )
 * </pre>
 *
 * <p>A value without quotes may hold any character but white space, comma and quote: phones leave quotes out.
 */
final class AuthParameters {
    private static final String SCHEME = "Digest";
    private static final int LIMIT = 32;

    private final Map<String, String> values = new HashMap<>();
    private final String text;
    private int at;

    private AuthParameters(String text, int from) {
        this.text = text;
        this.at = from;
    }

    /** Whether the scheme of a header's value is Digest. */
    static boolean isDigest(String value) {
        return value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && (value.length() == SCHEME.length() || isBlank(value.charAt(SCHEME.length())));
    }

    /** Null if it is not Digest, breaks the grammar, names a parameter twice or has more than {@value #LIMIT} of them. */
    static @Nullable AuthParameters parse(String value) {
        if (!isDigest(value)) {
            return null;
        }
        AuthParameters parameters = new AuthParameters(value, SCHEME.length());
        return parameters.read() ? parameters : null;
    }

    /** The value without quotes and escapes; "" if it is absent. */
    String get(String name) {
        return values.getOrDefault(name, "");
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    private boolean read() {
        skipSeparators();
        while (at < text.length()) {
            String name = name();
            if (name.isEmpty() || !skipEquals()) {
                return false;
            }
            String value = at < text.length() && text.charAt(at) == '"' ? quoted() : bare();
            if (value == null || values.size() == LIMIT || values.put(name, value) != null || !isAtSeparator()) {
                return false;
            }
            skipSeparators();
        }
        return !values.isEmpty();
    }

    private String name() {
        int from = at;
        while (at < text.length() && isNameCharacter(text.charAt(at))) {
            at++;
        }
        return text.substring(from, at).toLowerCase(Locale.ROOT);
    }

    private boolean skipEquals() {
        skipBlanks();
        if (at >= text.length() || text.charAt(at) != '=') {
            return false;
        }
        at++;
        skipBlanks();
        return true;
    }

    private @Nullable String quoted() {
        StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return value.toString();
            }
            if (c == '\\' && at < text.length()) {
                c = text.charAt(at++);
            }
            value.append(c);
        }
        return null;
    }

    private String bare() {
        int from = at;
        while (at < text.length() && text.charAt(at) > ' ' && text.charAt(at) != ',' && text.charAt(at) != '"') {
            at++;
        }
        return text.substring(from, at);
    }

    private boolean isAtSeparator() {
        skipBlanks();
        return at >= text.length() || text.charAt(at) == ',';
    }

    private void skipBlanks() {
        while (at < text.length() && isBlank(text.charAt(at))) {
            at++;
        }
    }

    private void skipSeparators() {
        while (at < text.length() && (isBlank(text.charAt(at)) || text.charAt(at) == ',')) {
            at++;
        }
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isNameCharacter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '*';
    }

    /** A quoted-string of a text, whose control characters become spaces. */
    static String quote(String value) {
        StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c < ' ' || c == 127 ? ' ' : c);
        }
        return quoted.append('"').toString();
    }
}
