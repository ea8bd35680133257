package io.offhook.sip.stream;

import java.nio.charset.StandardCharsets;

/**
 * Finds messages and keep-alives in the bytes of a stream (RFC 3261, 18.3; RFC 5626, 3.5.1), whatever the pieces that they
 * arrive in. It is strict: a message has exactly one length, lines end with CRLF, and a fault ends the stream.
 *
 * <p>The bytes are the caller's and are read in place: {@link #next} is passed what arrived and was not consumed, and
 * remembers how far it has looked. A message within the bytes is so delivered without a copy, and nothing is allocated.
 *
 * <pre>
 * while ((unit = framer.next(octets, at, end - at)) != INCOMPLETE &amp;&amp; unit != FAULT) {
 *     ... octets from at on, framer.length() bytes
 *     at += framer.length();
 * }
 * </pre>
 */
public final class SipStreamFramer {
    private static final byte[] VERSION = "SIP/".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONTENT_LENGTH = "content-length".getBytes(StandardCharsets.US_ASCII);
    private static final String TOKEN_MARKS = "-.!%*_+`'~";

    private static final int NONE = -1;
    private static final int MALFORMED = -2;

    private final SipStreamLimits limits;
    /** How many bytes of the unit have been looked at. */
    private int searched;
    /** Whether the start line has been seen. */
    private boolean isStarted;
    /** The length of the message, once it is known; otherwise 0. */
    private int total;

    private boolean isAfterLineEnd;
    private int length;
    private SipStreamFault fault = SipStreamFault.GARBAGE;
    private boolean isFaulty;

    /** Creates a framer for one direction of one connection. */
    public SipStreamFramer(SipStreamLimits limits) {
        this.limits = limits;
    }

    /**
     * Looks at the next unit.
     *
     * @param octets the array that the bytes are in
     * @param offset where the last unit ended; after {@link SipStreamUnit#INCOMPLETE}, where the incomplete one begins
     * @param available the number of bytes
     */
    public SipStreamUnit next(byte[] octets, int offset, int available) {
        if (isFaulty) {
            return SipStreamUnit.FAULT;
        }
        if (total > 0) {
            return available < total ? SipStreamUnit.INCOMPLETE : message();
        }
        if (available == 0) {
            return SipStreamUnit.INCOMPLETE;
        }
        if (searched == 0 && octets[offset] == '\r') {
            return lineEnd(octets, offset, available);
        }
        if (searched == 0 && !isToken(octets[offset])) {
            return fail(SipStreamFault.GARBAGE);
        }
        return headers(octets, offset, available);
    }

    /** The bytes of the unit: to be consumed after a message or a keep-alive, start line and headers at a fault that has them. */
    public int length() {
        return length;
    }

    /** What is wrong, after {@link SipStreamUnit#FAULT}. */
    public SipStreamFault fault() {
        return fault;
    }

    private SipStreamUnit message() {
        length = total;
        total = 0;
        searched = 0;
        isStarted = false;
        isAfterLineEnd = false;
        return SipStreamUnit.MESSAGE;
    }

    private SipStreamUnit lineEnd(byte[] octets, int offset, int available) {
        if (available == 1) {
            return SipStreamUnit.INCOMPLETE;
        }
        if (octets[offset + 1] != '\n') {
            return fail(SipStreamFault.GARBAGE);
        }
        length = 2;
        isAfterLineEnd = !isAfterLineEnd;
        return isAfterLineEnd ? SipStreamUnit.PONG : SipStreamUnit.PING;
    }

    private SipStreamUnit fail(SipStreamFault cause) {
        isFaulty = true;
        fault = cause;
        return SipStreamUnit.FAULT;
    }

    /** Looks for the empty line, from where it stopped before. */
    private SipStreamUnit headers(byte[] octets, int offset, int available) {
        int end = offset + Math.min(available, limits.headerBytes());
        int at = offset + searched;
        while (at < end) {
            int octet = octets[at];
            if (octet == '\n') {
                return fail(SipStreamFault.BARE_LINE_END);
            }
            if (octet != '\r') {
                at++;
                continue;
            }
            if (at + 1 == end) {
                break; // an LF may follow
            }
            if (octets[at + 1] != '\n') {
                return fail(SipStreamFault.BARE_LINE_END);
            }
            if (!isStarted) {
                if (!isStartLine(octets, offset, at)) {
                    return fail(SipStreamFault.GARBAGE);
                }
                isStarted = true;
            } else if (octets[at - 1] == '\n') {
                return body(octets, offset, at + 2, available);
            }
            at += 2;
        }
        searched = at - offset;
        return available >= limits.headerBytes() ? fail(SipStreamFault.HEADERS_TOO_LONG) : SipStreamUnit.INCOMPLETE;
    }

    /** @param body where the body begins */
    private SipStreamUnit body(byte[] octets, int offset, int body, int available) {
        length = body - offset;
        int contentLength = NONE;
        int at = nextLine(octets, offset);
        while (at < body - 2) {
            int value = contentLengthValue(octets, at, body);
            if (value != NONE) {
                int number = number(octets, value, valueEnd(octets, value));
                if (number == MALFORMED) {
                    return fail(SipStreamFault.CONTENT_LENGTH_MALFORMED);
                }
                if (contentLength != NONE && contentLength != number) {
                    return fail(SipStreamFault.CONTENT_LENGTH_CONTRADICTORY);
                }
                contentLength = number;
            }
            at = nextLine(octets, at);
        }
        if (contentLength == NONE) {
            return fail(SipStreamFault.CONTENT_LENGTH_MISSING);
        }
        if (contentLength > limits.bodyBytes()) {
            return fail(SipStreamFault.BODY_TOO_LONG);
        }
        total = length + contentLength;
        return available < total ? SipStreamUnit.INCOMPLETE : message();
    }

    /** "METHOD URI SIP/2.0" or "SIP/2.0 200 OK", of any version and with any blanks: what is wrong with it can be answered. */
    private static boolean isStartLine(byte[] octets, int from, int end) {
        if (isVersion(octets, from, end)) {
            return true;
        }
        int last = end;
        while (last > from && isBlank(octets[last - 1])) {
            last--;
        }
        int word = last;
        while (word > from && !isBlank(octets[word - 1])) {
            word--;
        }
        return word > from && isVersion(octets, word, last);
    }

    private static boolean isVersion(byte[] octets, int from, int end) {
        if (end - from < VERSION.length + 3) {
            return false;
        }
        for (int i = 0; i < VERSION.length; i++) {
            if ((octets[from + i] & ~(i < 3 ? 0x20 : 0)) != VERSION[i]) {
                return false;
            }
        }
        return isDigit(octets[from + 4]);
    }

    /** The start of the value if the line is a Content-Length, in long or compact form; otherwise {@link #NONE}. */
    private static int contentLengthValue(byte[] octets, int line, int end) {
        int at = line;
        if ((octets[at] | 0x20) == 'l') {
            at++;
        } else {
            for (byte letter : CONTENT_LENGTH) {
                if ((letter == '-' ? octets[at] : octets[at] | 0x20) != letter || ++at == end) {
                    return NONE;
                }
            }
        }
        while (isBlank(octets[at])) {
            at++;
        }
        return octets[at] == ':' ? at + 1 : NONE;
    }

    /** The CR that ends the value, those of folded lines passed over (RFC 3261, 7.3.1). */
    private static int valueEnd(byte[] octets, int from) {
        int at = from;
        while (octets[at] != '\r' || isBlank(octets[at + 2])) {
            at++;
        }
        return at;
    }

    private static int number(byte[] octets, int from, int end) {
        int first = from;
        while (first < end && isSpace(octets[first])) {
            first++;
        }
        int last = end;
        while (last > first && isSpace(octets[last - 1])) {
            last--;
        }
        int number = 0;
        for (int at = first; at < last; at++) {
            if (!isDigit(octets[at])) {
                return MALFORMED;
            }
            // what is too long for an int stays too long
            number = number >= 100_000_000 ? Integer.MAX_VALUE : number * 10 + octets[at] - '0';
        }
        return first == last ? MALFORMED : number;
    }

    /** Behind the next CRLF; there is one. */
    private static int nextLine(byte[] octets, int from) {
        int at = from;
        while (octets[at] != '\n') {
            at++;
        }
        return at + 1;
    }

    private static boolean isBlank(int octet) {
        return octet == ' ' || octet == '\t';
    }

    private static boolean isSpace(int octet) {
        return isBlank(octet) || octet == '\r' || octet == '\n';
    }

    private static boolean isDigit(int octet) {
        return octet >= '0' && octet <= '9';
    }

    private static boolean isToken(int octet) {
        int letter = octet | 0x20;
        return letter >= 'a' && letter <= 'z' || isDigit(octet) || TOKEN_MARKS.indexOf(octet) >= 0;
    }
}
