package io.offhook.sip;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/**
 * Recognises SIP by content, on any port (RFC 3261, 7.1 and 7.2).
 *
 * <pre>
 * Request-Line = Method SP Request-URI SP SIP-Version CRLF
 * Status-Line  = SIP-Version SP Status-Code SP Reason-Phrase CRLF
 * </pre>
 *
 * <p>A request line is a token, a Request-URI that contains a colon, and "SIP/2.0"; the method may be unknown. The
 * deviations of RFC 4475 (doubled or trailing spaces, a URI in angle brackets or with white space) are accepted;
 * control characters are not. RTP, DNS, STUN and other binary protocols are rejected at their first byte, HTTP and RTSP
 * at their version or URI. Stateless and thread-safe.
 */
public final class SipRecognizer {
    /** The longest method of an incomplete request line; a complete one may have any length. */
    private static final int METHOD_LIMIT = 64;
    /** The longest request line that is waited for. */
    private static final int LINE_LIMIT = 8192;

    /** The longest keep-alive. */
    static final int MAX_KEEP_ALIVE = 8;

    /** The number of bytes that are tested for text. */
    private static final int LOOKED_AT = 16;

    private static final byte[] VERSION = SipLexer.lowerCase("SIP/2.0");
    private static final byte[][] SCHEMES = {
        SipLexer.lowerCase("sip:"), SipLexer.lowerCase("sips:"), SipLexer.lowerCase("tel:"),
    };

    private SipRecognizer() {}

    /**
     * Whether a datagram is a SIP message. If its start line is truncated, it must include at least a registered method
     * and the scheme of a SIP or telephone URI, or the status code.
     */
    public static boolean isMessageStart(byte[] text, int offset, int length) {
        if (length <= 0) {
            return false;
        }
        SipMatch match = match(text, offset, length);
        return match == SipMatch.YES || match == SipMatch.POSSIBLE && isKnownRequestStart(text, offset, length);
    }

    /**
     * As {@link #isMessageStart(byte[], int, int)}, for bytes in a segment. Bytes that may be a message are copied: if
     * the result is true, {@code text} holds all of them. Most other datagrams are rejected by their first bytes,
     * without a copy.
     */
    public static boolean isMessageStart(MemorySegment segment, long offset, int length, SipText text) {
        if (length <= 0 || !mayStart(segment, offset, length)) {
            return false;
        }
        text.copy(segment, offset, length);
        return isMessageStart(text.octets(), 0, text.length());
    }

    /**
     * Whether the bytes begin with a status line, or with a complete request line of a registered method. This excludes
     * a request line with other text before it ("101INVITE").
     */
    static boolean isKnownStart(byte[] text, int offset, int length) {
        return match(text, offset, length) == SipMatch.YES && isKnownMethod(text, offset, length);
    }

    /** Whether bytes that begin a message begin a status line, or a request line of a registered method. */
    static boolean isKnownMethod(byte[] text, int offset, int length) {
        int end = offset + length;
        int from = SipLexer.skipLineEnds(text, offset, end);
        int methodEnd = methodEnd(text, from, end);
        return text[methodEnd] == '/' || SipMethod.read(text, from, methodEnd) != SipMethod.OTHER;
    }

    /** Matches the bytes against a start line; CR and LF before it are skipped (RFC 3261, 7.5). */
    public static SipMatch match(byte[] text, int offset, int length) {
        int end = offset + length;
        int from = SipLexer.skipLineEnds(text, offset, end);
        if (from >= end) {
            return SipMatch.POSSIBLE;
        }
        int first = text[from];
        if (!SipLexer.isToken(first)) {
            return SipMatch.NO;
        }
        if (first == 'S' || first == 's') {
            SipMatch status = matchStatusLine(text, from, end);
            if (status != SipMatch.NO) {
                return status;
            }
        }
        return matchRequestLine(text, from, end);
    }

    /**
     * As {@link #match(byte[], int, int)}, for bytes in a segment; {@code text} receives a copy of bytes that may be a
     * message.
     */
    public static SipMatch match(MemorySegment segment, long offset, int length, SipText text) {
        if (!mayStart(segment, offset, length)) {
            return SipMatch.NO;
        }
        text.copy(segment, offset, length);
        return match(text.octets(), 0, text.length());
    }

    /**
     * Whether the bytes are a keep-alive of a NAT binding or connection instead of a message: line ends (RFC 5626,
     * 3.5.1), or up to four zero bytes.
     */
    public static boolean isKeepAlive(byte[] text, int offset, int length) {
        if (length <= 0 || length > MAX_KEEP_ALIVE) {
            return false;
        }
        int end = offset + length;
        if (text[offset] != 0) {
            return SipLexer.skipLineEnds(text, offset, end) == end;
        }
        int at = offset;
        while (at < end && text[at] == 0) {
            at++;
        }
        return at == end && length <= 4;
    }

    /**
     * Whether the first bytes, up to {@value #LOOKED_AT}, are printable ASCII and line ends, as in the middle of a text
     * stream.
     */
    public static boolean looksLikeText(byte[] text, int offset, int length) {
        if (length <= 0) {
            return false;
        }
        int end = offset + Math.min(length, LOOKED_AT);
        for (int at = offset; at < end; at++) {
            if (!isText(text[at])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isText(int octet) {
        return octet >= 0x20 && octet <= 0x7e || SipLexer.isLws(octet);
    }

    /** As {@link #looksLikeText(byte[], int, int)}, for bytes in a segment; {@code text} receives a copy. */
    public static boolean looksLikeText(MemorySegment segment, long offset, int length, SipText text) {
        if (length > 0 && !isText(NetworkOrder.u8(segment, offset))) {
            return false;
        }
        text.copy(segment, offset, Math.min(length, LOOKED_AT));
        return looksLikeText(text.octets(), 0, text.length());
    }

    /**
     * Whether the first eight bytes, if there are as many, belong to a method or to "SIP/", or begin with a line end.
     */
    private static boolean mayStart(MemorySegment segment, long offset, int length) {
        if (length < Long.BYTES) {
            return true;
        }
        int first = NetworkOrder.u8(segment, offset);
        if (!SipLexer.isToken(first)) {
            return SipLexer.isLineEnd(first);
        }
        long head = NetworkOrder.bits64(segment, offset);
        for (int shift = 48; shift >= 0; shift -= 8) {
            int octet = (int) (head >>> shift) & 0xff;
            if (!SipLexer.isToken(octet)) {
                return octet == SipLexer.SP || octet == '/';
            }
        }
        return true;
    }

    private static SipMatch matchStatusLine(byte[] text, int from, int end) {
        int available = end - from;
        for (int i = 0; i < VERSION.length; i++) {
            if (i == available) {
                return SipMatch.POSSIBLE;
            }
            if (SipLexer.lower(text[from + i]) != VERSION[i]) {
                return SipMatch.NO;
            }
        }
        if (available <= 7) {
            return SipMatch.POSSIBLE;
        }
        if (text[from + 7] != SipLexer.SP) {
            return SipMatch.NO;
        }
        for (int i = 8; i < 11; i++) {
            if (i == available) {
                return SipMatch.POSSIBLE;
            }
            int octet = text[from + i];
            if (!SipLexer.isDigit(octet) || i == 8 && (octet == '0' || octet > '6')) {
                return SipMatch.NO;
            }
        }
        if (available == 11) {
            return SipMatch.POSSIBLE;
        }
        // no space and no reason phrase: invalid, but seen in practice
        if (!SipLexer.isLws(text[from + 11])) {
            return SipMatch.NO;
        }
        int lineEnd = SipLexer.lineEnd(text, from + 11, end);
        return SipLexer.hasControl(text, from + 11, lineEnd) ? SipMatch.NO : SipMatch.YES;
    }

    private static SipMatch matchRequestLine(byte[] text, int from, int end) {
        int methodEnd = methodEnd(text, from, end);
        if (methodEnd == end) {
            return end - from > METHOD_LIMIT ? SipMatch.NO : SipMatch.POSSIBLE;
        }
        if (text[methodEnd] != SipLexer.SP) {
            return SipMatch.NO;
        }
        int uri = SipLexer.skipBlanks(text, methodEnd, end);
        boolean mayWait = methodEnd - from <= METHOD_LIMIT && end - from <= LINE_LIMIT;
        if (uri == end) {
            return mayWait ? SipMatch.POSSIBLE : SipMatch.NO;
        }
        int first = text[uri];
        if (!SipLexer.isAlphanumeric(first) && first != '<') {
            return SipMatch.NO;
        }
        int lineEnd = SipLexer.lineEnd(text, uri, end);
        if (lineEnd == end) {
            return mayWait && !SipLexer.hasControl(text, uri, end) ? SipMatch.POSSIBLE : SipMatch.NO;
        }
        return uriEnd(text, uri, lineEnd) > 0 && !SipLexer.hasControl(text, uri, lineEnd) ? SipMatch.YES : SipMatch.NO;
    }

    private static int methodEnd(byte[] text, int from, int end) {
        int at = from;
        while (at < end && SipLexer.isToken(text[at])) {
            at++;
        }
        return at;
    }

    /** The end of the Request-URI, given its start and the end of the line; -1 if this is not a request line. */
    static int uriEnd(byte[] text, int uri, int lineEnd) {
        int trimmed = SipLexer.trimEnd(text, uri, lineEnd);
        int version = trimmed - VERSION.length;
        if (version - 1 <= uri
                || !SipLexer.isBlank(text[version - 1])
                || !SipLexer.startsWith(text, version, trimmed, VERSION)) {
            return -1;
        }
        int uriEnd = SipLexer.trimEnd(text, uri, version);
        return SipLexer.indexOf(text, uri + 1, uriEnd, ':') < uriEnd ? uriEnd : -1;
    }

    private static boolean isKnownRequestStart(byte[] text, int offset, int length) {
        int end = offset + length;
        int from = SipLexer.skipLineEnds(text, offset, end);
        int methodEnd = methodEnd(text, from, end);
        if (SipMethod.read(text, from, methodEnd) == SipMethod.OTHER) {
            return false;
        }
        int uri = SipLexer.skipBlanks(text, methodEnd, end);
        for (byte[] scheme : SCHEMES) {
            if (SipLexer.startsWith(text, uri, end, scheme)) {
                return true;
            }
        }
        return false;
    }
}
