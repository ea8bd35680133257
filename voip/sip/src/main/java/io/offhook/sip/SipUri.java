package io.offhook.sip;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A parsed URI as SIP uses it (RFC 3261, 19.1; tel: RFC 3966). Owned. Parsing never fails: text that is not a URI
 * becomes the {@code host}. Absent parts are "" and -1. Equality is textual; {@link #isEquivalentTo} is the comparison of
 * RFC 3261.
 *
 * @param scheme in lower case: sip, sips, tel, urn...; "" if absent
 * @param user the user part, the number of a tel: URI, or the whole of another URI without "@"; escapes are kept
 * @param password the part after the user's colon
 * @param host a host name or address; an IPv6 address keeps its brackets
 * @param port 1 to 65535; -1 if absent
 * @param parameters as written, without the first semicolon
 * @param headers as written, without the question mark
 */
public record SipUri(
        String scheme, String user, String password, String host, int port, String parameters, String headers) {

    /** Parses a URI; surrounding angle brackets are dropped. */
    public static SipUri parse(String text) {
        String uri = text.strip();
        if (uri.startsWith("<")) {
            int close = uri.indexOf('>');
            uri = uri.substring(1, close < 0 ? uri.length() : close).strip();
        }
        int colon = schemeEnd(uri);
        String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
        String rest = uri.substring(colon + 1);
        if (scheme.equals("tel")) {
            int semicolon = indexOfAny(rest, 0, ";?");
            return new SipUri(scheme, rest.substring(0, semicolon), "", "", -1, after(rest, semicolon), "");
        }
        int at = userEnd(rest);
        if (at < 0 && !scheme.isEmpty() && !scheme.startsWith("sip")) {
            return new SipUri(scheme, rest, "", "", -1, "", "");
        }
        String userInfo = at < 0 ? "" : rest.substring(0, at);
        int password = userInfo.indexOf(':');
        return withHost(
                scheme,
                password < 0 ? userInfo : userInfo.substring(0, password),
                password < 0 ? "" : userInfo.substring(password + 1),
                rest.substring(at + 1));
    }

    private static SipUri withHost(String scheme, String user, String password, String rest) {
        int parameters = indexOfAny(rest, 0, ";?");
        int headers = rest.indexOf('?', parameters);
        String hostPort = rest.substring(0, parameters).strip();
        int hostEnd = hostPort.startsWith("[") ? Math.max(hostPort.indexOf(']'), 0) : 0;
        int colon = hostPort.indexOf(':', hostEnd);
        // two colons without brackets: an IPv6 address without brackets
        boolean bareIpv6 = hostEnd == 0 && colon >= 0 && hostPort.indexOf(':', colon + 1) >= 0;
        boolean hasPort = colon >= 0 && !bareIpv6;
        return new SipUri(
                scheme,
                user,
                password,
                hasPort ? hostPort.substring(0, colon).stripTrailing() : hostPort,
                hasPort ? port(hostPort.substring(colon + 1).strip()) : -1,
                parameters < rest.length() && rest.charAt(parameters) == ';'
                        ? rest.substring(parameters + 1, headers < 0 ? rest.length() : headers)
                        : "",
                headers < 0 ? "" : rest.substring(headers + 1));
    }

    /**
     * Whether both URIs are equivalent (RFC 3261, 19.1.4; tel: RFC 3966, 4). Not transitive: a parameter that only one
     * of them has is mostly ignored.
     */
    public boolean isEquivalentTo(SipUri other) {
        return SipUriEquivalence.areEquivalent(this, other);
    }

    /** The user part with its escapes decoded, for display: "%2B358" is "+358". */
    public String displayUser() {
        return decoded(user);
    }

    /** The value of a parameter, by name in any case; "" if it is absent or has no value. */
    public String parameter(String name) {
        int at = 0;
        while (at < parameters.length()) {
            int end = indexOfAny(parameters, at, ";");
            int equals = parameters.indexOf('=', at);
            int keyEnd = equals < 0 || equals > end ? end : equals;
            if (parameters.substring(at, keyEnd).strip().equalsIgnoreCase(name)) {
                return keyEnd == end
                        ? ""
                        : parameters.substring(keyEnd + 1, end).strip();
            }
            at = end + 1;
        }
        return "";
    }

    /** The URI as text. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (!scheme.isEmpty()) {
            text.append(scheme).append(':');
        }
        text.append(user);
        if (!password.isEmpty()) {
            text.append(':').append(password);
        }
        if (!host.isEmpty() && !user.isEmpty()) {
            text.append('@');
        }
        text.append(host);
        if (port >= 0) {
            text.append(':').append(port);
        }
        if (!parameters.isEmpty()) {
            text.append(';').append(parameters);
        }
        if (!headers.isEmpty()) {
            text.append('?').append(headers);
        }
        return text.toString();
    }

    /** The text with %XX decoded as UTF-8; an invalid escape is kept. */
    public static String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] in = text.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[in.length];
        int length = 0;
        for (int i = 0; i < in.length; i++) {
            int high = in[i] == '%' && i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
            int low = high >= 0 ? Character.digit(in[i + 2], 16) : -1;
            if (low >= 0) {
                out[length++] = (byte) (high << 4 | low);
                i += 2;
            } else {
                out[length++] = in[i];
            }
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    /** The position of the colon after the scheme; -1 if there is no scheme, as in "bob@host:5060". */
    private static int schemeEnd(String uri) {
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            boolean letter = c < 128 && Character.isLetter(c);
            if (c == ':') {
                // "host:5060": a scheme is hardly ever followed by a port number only
                return i == 0 || port(uri.substring(i + 1)) >= 0 && !isKnownScheme(uri.substring(0, i)) ? -1 : i;
            }
            if (!letter && (i == 0 || "0123456789+-.".indexOf(c) < 0)) {
                return -1;
            }
        }
        return -1;
    }

    private static boolean isKnownScheme(String scheme) {
        return scheme.equalsIgnoreCase("sip") || scheme.equalsIgnoreCase("sips") || scheme.equalsIgnoreCase("tel");
    }

    /**
     * The position of the "@" that ends the user part: the last one before the end of the host; -1 if there is none.
     */
    private static int userEnd(String rest) {
        int first = rest.indexOf('@');
        if (first < 0) {
            return -1;
        }
        return rest.lastIndexOf('@', indexOfAny(rest, first, ";?"));
    }

    private static int indexOfAny(String text, int from, String stops) {
        for (int i = from; i < text.length(); i++) {
            if (stops.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    private static String after(String text, int index) {
        return index < text.length() ? text.substring(index + 1) : "";
    }

    private static int port(String text) {
        if (text.isEmpty() || text.length() > 5) {
            return -1;
        }
        int port = 0;
        for (int i = 0; i < text.length(); i++) {
            if (!SipLexer.isDigit(text.charAt(i))) {
                return -1;
            }
            port = port * 10 + text.charAt(i) - '0';
        }
        return port >= 1 && port <= 0xffff ? port : -1;
    }
}
