package io.offhook.sip;

import io.offhook.packet.IpAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares URIs as RFC 3261, 19.1.4 and RFC 5954, 4.2 say: user and password with case, all else without; escaped and
 * plain characters alike unless they are reserved; parameters in any order, those of one URI only not at all, unless they
 * change where a request goes; headers in any order, all of them.
 */
final class SipUriEquivalence {
    private static final String RESERVED = ";/?:@&=+$,%";

    /** Parameters that a URI must have if the other has them. */
    private static final Set<String> DECISIVE = Set.of("user", "ttl", "method", "maddr", "transport");

    private SipUriEquivalence() {}

    static boolean areEquivalent(SipUri one, SipUri other) {
        if (!one.scheme().equals(other.scheme())) {
            return false;
        }
        if (one.scheme().equals("tel")) {
            return number(one).equals(number(other)) && haveEquivalentParameters(one, other, Set.of("phone-context"));
        }
        return unescaped(one.user()).equals(unescaped(other.user()))
                && unescaped(one.password()).equals(unescaped(other.password()))
                && isSameHost(one.host(), other.host())
                && one.port() == other.port()
                && haveEquivalentParameters(one, other, DECISIVE)
                && headers(one.headers()).equals(headers(other.headers()));
    }

    /** The number of a tel: URI without its visual separators (RFC 3966, 4). */
    private static String number(SipUri uri) {
        StringBuilder number = new StringBuilder();
        for (int i = 0; i < uri.user().length(); i++) {
            char c = uri.user().charAt(i);
            if ("-.()".indexOf(c) < 0) {
                number.append(c);
            }
        }
        return number.toString().toLowerCase(Locale.ROOT);
    }

    private static boolean isSameHost(String one, String other) {
        if (one.equalsIgnoreCase(other)) {
            return true;
        }
        IpAddress address = address(one);
        return address != null && address.equals(address(other));
    }

    private static @Nullable IpAddress address(String host) {
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        return IpAddress.parse(isBracketed ? host.substring(1, host.length() - 1) : host);
    }

    private static boolean haveEquivalentParameters(SipUri one, SipUri other, Set<String> decisive) {
        Map<String, String> ofOne = pairs(one.parameters(), ";");
        Map<String, String> ofOther = pairs(other.parameters(), ";");
        for (String name : decisive) {
            if (ofOne.containsKey(name) != ofOther.containsKey(name)) {
                return false;
            }
        }
        for (Map.Entry<String, String> parameter : ofOne.entrySet()) {
            String value = ofOther.get(parameter.getKey());
            if (value != null && !value.equals(parameter.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, String> headers(String headers) {
        return pairs(headers, "&");
    }

    /** Names and values in lower case; of a name that occurs again, all values. */
    private static Map<String, String> pairs(String text, String separator) {
        Map<String, String> pairs = new HashMap<>();
        if (text.isEmpty()) {
            return pairs;
        }
        for (String pair : text.split(separator, -1)) {
            int equals = pair.indexOf('=');
            String name = (equals < 0 ? pair : pair.substring(0, equals)).strip();
            String value = equals < 0 ? "" : pair.substring(equals + 1).strip();
            if (!name.isEmpty()) {
                pairs.merge(folded(name), folded(value), (first, next) -> first + separator + next);
            }
        }
        return pairs;
    }

    private static String folded(String text) {
        return unescaped(text).toLowerCase(Locale.ROOT);
    }

    /** The text with the escapes decoded that stand for characters that are not reserved, and the others in upper case. */
    private static String unescaped(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int high = c == '%' && i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = high >= 0 ? Character.digit(text.charAt(i + 2), 16) : -1;
            if (low < 0) {
                plain.append(c);
                continue;
            }
            char decoded = (char) (high << 4 | low);
            if (decoded > 126 || decoded <= ' ' || RESERVED.indexOf(decoded) >= 0) {
                plain.append(text.substring(i, i + 3).toUpperCase(Locale.ROOT));
            } else {
                plain.append(decoded);
            }
            i += 2;
        }
        return plain.toString();
    }
}
