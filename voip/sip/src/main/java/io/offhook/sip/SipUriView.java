package io.offhook.sip;

/**
 * A view of a SIP or SIPS URI (RFC 3261, 19.1), or of any other URI, of which only the scheme is then read.
 *
 * <pre>
 * SIP-URI = "sip:" [ user [ ":" password ] "@" ] host [ ":" port ] *( ";" name [ "=" value ] ) [ "?" headers ]
 * </pre>
 *
 * <p>Reused and single-threaded; valid while the bytes are unchanged. Absent parts have length 0, an absent port is -1.
 */
public final class SipUriView {
    private static final byte[] SIP = SipLexer.lowerCase("sip");
    private static final byte[] SIPS = SipLexer.lowerCase("sips");
    private static final int MAX_PORT = 0xffff;

    private final SipParameters parameters = new SipParameters();
    private byte[] text = SipLexer.NONE;
    private int start;
    private int schemeEnd;
    private int userEnd;
    private int hostStart;
    private int hostEnd;
    private int parametersStart;
    private int parametersEnd;
    private int end;
    private int port;
    private boolean wellFormed;

    /** Creates a view without a URI. */
    public SipUriView() {}

    /**
     * Wraps a URI without brackets.
     *
     * @param text the array with the URI
     * @param offset its first byte
     * @param length its length in bytes
     * @return whether it has a scheme and, if it is a SIP or SIPS URI, a host and a port in range
     */
    public boolean wrap(byte[] text, int offset, int length) {
        this.text = text;
        start = offset;
        end = offset + length;
        schemeEnd = start;
        while (schemeEnd < end && isScheme(text[schemeEnd])) {
            schemeEnd++;
        }
        port = -1;
        boolean hasScheme = schemeEnd > start && schemeEnd < end && text[schemeEnd] == ':';
        int rest = hasScheme ? schemeEnd + 1 : start;
        schemeEnd = hasScheme ? schemeEnd : start;
        userEnd = rest;
        hostStart = rest;
        hostEnd = rest;
        parametersStart = end;
        parametersEnd = end;
        wellFormed = hasScheme && (!isSip() || wrapHost(rest));
        return wellFormed;
    }

    /** Whether the scheme is "sip" or "sips". */
    public boolean isSip() {
        return isScheme(SIP) || isSecure();
    }

    /** Whether the scheme is "sips". */
    public boolean isSecure() {
        return isScheme(SIPS);
    }

    /** What {@link #wrap} returned. */
    public boolean isWellFormed() {
        return wellFormed;
    }

    /** The start of the URI, an index into the array. */
    public int offset() {
        return start;
    }

    /** The length of the URI, in bytes. */
    public int length() {
        return end - start;
    }

    /** The array with the URI; must not be modified. */
    public byte[] octets() {
        return text;
    }

    /** The length of the scheme, which is at {@link #offset}; 0 if there is none. */
    public int schemeLength() {
        return schemeEnd - start;
    }

    /** The start of the user part, its password included; escapes are kept. */
    public int userOffset() {
        return Math.min(schemeEnd + 1, end);
    }

    /** The length of the user part with its password. */
    public int userLength() {
        return Math.max(userEnd - userOffset(), 0);
    }

    /** The start of the host. */
    public int hostOffset() {
        return hostStart;
    }

    /** The length of the host; that of an IPv6 address includes the brackets. */
    public int hostLength() {
        return hostEnd - hostStart;
    }

    /** The port, 1 to 65535; -1 if there is none. */
    public int port() {
        return port;
    }

    /**
     * Finds a parameter of the URI; its value is at {@link #valueOffset}.
     *
     * @param lowerCaseName the name in lower case
     * @return whether it is present, even without a value
     */
    public boolean find(byte[] lowerCaseName) {
        return parameters.find(text, parametersStart, parametersEnd, lowerCaseName);
    }

    /** The start of the value that {@link #find} found. */
    public int valueOffset() {
        return parameters.offset();
    }

    /** The length of the value that {@link #find} found; 0 if it has none. */
    public int valueLength() {
        return parameters.length();
    }

    /** The start of the parameters, a semicolon; the end of what precedes the headers if there are none. */
    public int parametersOffset() {
        return parametersStart;
    }

    /** The end of the parameters. */
    public int parametersEnd() {
        return parametersEnd;
    }

    /** Whether the URI has headers, after a question mark. */
    public boolean hasHeaders() {
        return parametersEnd < end;
    }

    /** Copies the URI. */
    public SipUri toUri() {
        return SipUri.parse(toString());
    }

    @Override
    public String toString() {
        return SipLexer.text(text, start, end);
    }

    private boolean wrapHost(int rest) {
        int at = SipLexer.indexOf(text, rest, end, '@');
        // the user part may hold ";" and "?", a host may not: the headers may hold "@" only escaped
        int from = at == end ? rest : at + 1;
        userEnd = at == end ? rest : at;
        hostStart = from;
        hostEnd = from;
        if (from < end && text[from] == '[') {
            int close = SipLexer.indexOf(text, from, end, ']');
            if (close == end) {
                return false;
            }
            hostEnd = close + 1;
        } else {
            while (hostEnd < end && isHost(text[hostEnd])) {
                hostEnd++;
            }
        }
        if (hostEnd == from) {
            return false;
        }
        return wrapPort(hostEnd);
    }

    private boolean wrapPort(int from) {
        int at = from;
        if (at < end && text[at] == ':') {
            int digits = SipLexer.skipDigits(text, at + 1, end);
            long number = SipLexer.number(text, at + 1, digits);
            if (number < 1 || number > MAX_PORT) {
                return false;
            }
            port = (int) number;
            at = digits;
        }
        if (at < end && text[at] != ';' && text[at] != '?') {
            return false;
        }
        parametersStart = at;
        parametersEnd = SipLexer.indexOf(text, at, end, '?');
        return true;
    }

    private static boolean isHost(int octet) {
        return SipLexer.isAlphanumeric(octet) || octet == '.' || octet == '-' || octet == '_';
    }

    private static boolean isScheme(int octet) {
        return SipLexer.isAlphanumeric(octet) || octet == '+' || octet == '-' || octet == '.';
    }

    private boolean isScheme(byte[] name) {
        return schemeEnd - start == name.length && SipLexer.startsWith(text, start, schemeEnd, name);
    }
}
