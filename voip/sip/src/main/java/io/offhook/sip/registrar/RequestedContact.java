package io.offhook.sip.registrar;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipUri;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Contact of a REGISTER.
 *
 * @param uri as written, checked to be fit for a request line
 * @param parsed the same
 * @param parameters those that are kept as they are, each with its semicolon
 * @param instance with angle brackets; "" if absent
 * @param regId 0 if absent or not a number from 1 to 2^31 - 1
 * @param q in thousandths
 * @param expiresS -1 if absent, else what was asked for in seconds
 */
record RequestedContact(
        String uri, SipUri parsed, String parameters, String instance, int regId, int q, long expiresS) {
    private static final int MOST_URI = 1024;
    private static final int MOST_PARAMETERS = 1024;
    private static final int MOST_INSTANCE = 250;
    private static final long MOST_SECONDS = 0xffff_ffffL;
    private static final int UNREADABLE_EXPIRES = 3600;
    /** generic-param of RFC 3261, 25.1. */
    private static final Pattern PARAMETER = Pattern.compile(
            "[\\w.!%*+`'~-]+(\\s*=\\s*" + "([\\w.!%*+`'~\\[\\]:-]+|\"([^\"\\\\\\p{Cntrl}]|\\\\[^\\p{Cntrl}])*\"))?");

    private static final Set<String> OWN =
            Set.of("expires", "q", "+sip.instance", "reg-id", "pub-gruu", "temp-gruu", "received");

    /** Null if the URI is not fit for a request line, or something is too long. */
    static @Nullable RequestedContact read(SipAddressView view, String value) {
        String uri = view.uri();
        SipUri parsed = SipUri.parse(uri);
        String parameters = others(value.substring(end(value, uri)));
        String instance = view.parameter("+sip.instance");
        boolean isFit = isFit(uri) && !parsed.scheme().isEmpty() && !isHostMissing(parsed) && isPlain(instance);
        if (!isFit || parameters.length() > MOST_PARAMETERS || instance.length() > MOST_INSTANCE) {
            return null;
        }
        return new RequestedContact(
                uri,
                parsed,
                parameters,
                instance,
                (int) number(view.parameter("reg-id"), 0, Integer.MAX_VALUE, 0),
                q(view.parameter("q")),
                view.parameter("expires").isEmpty() ? -1 : seconds(view.parameter("expires")));
    }

    /** The same without outbound, where the phone does not support it. */
    RequestedContact withoutRegId() {
        return regId == 0 ? this : new RequestedContact(uri, parsed, parameters, instance, 0, q, expiresS);
    }

    private static boolean isHostMissing(SipUri uri) {
        return uri.scheme().startsWith("sip") && uri.host().isEmpty();
    }

    /** No white space, nothing that ends a URI in angle brackets, and all of it ASCII. */
    private static boolean isFit(String uri) {
        return !uri.isEmpty()
                && uri.length() <= MOST_URI
                && isPlain(uri)
                && uri.indexOf('<') < 0
                && uri.indexOf('>') < 0;
    }

    private static boolean isPlain(String text) {
        return text.chars().allMatch(c -> c > ' ' && c < 127 && c != '"' && c != '\\');
    }

    /** Behind the URI and its bracket. */
    private static int end(String value, String uri) {
        int at = value.indexOf(uri, Math.max(0, value.indexOf('<')));
        int end = Math.max(0, at) + uri.length();
        int close = value.indexOf('>', end);
        return close >= 0 && value.substring(end, close).isBlank() ? close + 1 : end;
    }

    /** The parameters but our own, and but those that break the grammar; semicolons in quotes separate nothing. */
    private static String others(String parameters) {
        StringBuilder others = new StringBuilder();
        int at = parameters.indexOf(';');
        while (at >= 0 && at < parameters.length()) {
            int next = next(parameters, at + 1);
            String parameter = parameters.substring(at + 1, next).strip();
            int equals = parameter.indexOf('=');
            String name = (equals < 0 ? parameter : parameter.substring(0, equals))
                    .strip()
                    .toLowerCase(Locale.ROOT);
            boolean isClean = parameter.length() <= MOST_PARAMETERS
                    && PARAMETER.matcher(parameter).matches();
            if (isClean && !OWN.contains(name)) {
                others.append(';').append(parameter);
            }
            at = next;
        }
        return others.toString();
    }

    private static int next(String text, int from) {
        boolean isQuoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == '\\' && isQuoted) {
                i++;
            } else if (c == ';' && !isQuoted) {
                return i;
            }
        }
        return text.length();
    }

    /** {@code 0}, {@code 0.5}, {@code 1.000} in thousandths; 1000 if it is absent or malformed. */
    private static int q(String text) {
        if (!text.matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?")) {
            return 1000;
        }
        String digits = text.indexOf('.') < 0 ? "" : text.substring(2);
        return (text.charAt(0) - '0') * 1000 + Integer.parseInt((digits + "000").substring(0, 3));
    }

    /** Seconds of an Expires header or parameter; more than 2^32 - 1 is that; what cannot be read is an hour. */
    static long seconds(String text) {
        return number(text, 0, MOST_SECONDS, UNREADABLE_EXPIRES);
    }

    /** A number, at most {@code most}; {@code otherwise} if it is none. */
    private static long number(String text, long least, long most, long otherwise) {
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return otherwise;
        }
        long number = text.length() > 18 ? most : Math.min(most, Long.parseLong(text));
        return Math.max(least, number);
    }
}
