package io.offhook.proxy.routing;

import io.offhook.sip.SipUri;
import java.nio.charset.StandardCharsets;

/** The user part of a URI as rules see it, and back. */
final class Dialled {
    /** What a user part has unescaped, beside letters and digits (RFC 3261, 25.1: unreserved and user-unreserved). */
    private static final String UNESCAPED = "-_.!~*'()&=+$,;?/";

    private Dialled() {}

    /** With escapes decoded, and without the parameters that a telephone number may have (RFC 3261, 19.1.6). */
    static String of(SipUri uri) {
        String user = uri.displayUser();
        int parameters = user.indexOf(';');
        return parameters < 0 ? user : user.substring(0, parameters);
    }

    /** The URI with another user part, which is escaped; parameters of the number stay. */
    static SipUri in(SipUri uri, String dialled) {
        int parameters = uri.user().indexOf(';');
        String user = escaped(dialled) + (parameters < 0 ? "" : uri.user().substring(parameters));
        return new SipUri(uri.scheme(), user, uri.password(), uri.host(), uri.port(), uri.parameters(), uri.headers());
    }

    private static String escaped(String text) {
        StringBuilder out = null;
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < octets.length; i++) {
            int c = octets[i] & 0xff;
            boolean isLiteral = c >= 'a' && c <= 'z'
                    || c >= 'A' && c <= 'Z'
                    || c >= '0' && c <= '9'
                    || c < 0x80 && c != ';' && UNESCAPED.indexOf(c) >= 0;
            if (!isLiteral && out == null) {
                out = new StringBuilder(text.length() + 8);
                out.append(new String(octets, 0, i, StandardCharsets.US_ASCII));
            }
            if (out != null && isLiteral) {
                out.append((char) c);
            } else if (out != null) {
                out.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return out == null ? text : out.toString();
    }
}
