package io.offhook.sip;

import static io.offhook.sip.SipLexer.u8;

import java.lang.foreign.MemorySegment;

/**
 * Tells SIP by content, on any port (RFC 3261, 7.1 and 7.2).
 *
 * <pre>
 * Request-Line = Method SP Request-URI SP SIP-Version CRLF
 * Status-Line  = SIP-Version SP Status-Code SP Reason-Phrase CRLF
 * </pre>
 *
 * <p>A request line counts when it is a token, a Request-URI with a colon in it and "SIP/2.0", whatever the method; what
 * RFC 4475 shows of bent lines (spaces doubled or trailing, a URI in angle brackets or with white space in it) counts
 * too; a control character does not. RTP, DNS, STUN and other binary fails at its first byte, HTTP and RTSP at their version or URI. Stateless.
 */
public final class SipRecognizer {
    /** Longest method that is waited for the end of; a request line that is whole may have any. */
    private static final int METHOD_LIMIT = 64;
    /** Longest request line that is waited for the end of. */
    private static final int LINE_LIMIT = 8192;

    private static final byte[] VERSION = SipLexer.lowerCase("SIP/2.0");
    private static final byte[][] SCHEMES = {
        SipLexer.lowerCase("sip:"), SipLexer.lowerCase("sips:"), SipLexer.lowerCase("tel:"),
    };

    private SipRecognizer() {}

    /**
     * Whether a datagram is a SIP message. Its start line may be cut: then it must have got as far as a registered method
     * and the scheme of a SIP or telephone URI, or as far as the status code.
     */
    public static boolean isMessageStart(MemorySegment segment, long offset, int length) {
        if (length <= 0 || !mayStart(u8(segment, offset))) {
            return false;
        }
        SipMatch match = match(segment, offset, length);
        return match == SipMatch.YES || match == SipMatch.POSSIBLE && isKnownRequestStart(segment, offset, length);
    }

    /**
     * Whether the bytes start with a status line or with a whole request line of a registered method: what even the end of
     * something else in front of it ("101INVITE") does not pass for.
     */
    static boolean isKnownStart(MemorySegment segment, long offset, int length) {
        if (match(segment, offset, length) != SipMatch.YES) {
            return false;
        }
        long end = offset + length;
        long from = SipLexer.skipLineEnds(segment, offset, end);
        long methodEnd = methodEnd(segment, from, end);
        return u8(segment, methodEnd) == '/' || SipMethod.read(segment, from, methodEnd) != SipMethod.OTHER;
    }

    /** How the bytes compare with a start line; CR and LF before it are skipped (RFC 3261, 7.5). */
    public static SipMatch match(MemorySegment segment, long offset, int length) {
        long end = offset + length;
        long from = SipLexer.skipLineEnds(segment, offset, end);
        if (from >= end) {
            return SipMatch.POSSIBLE;
        }
        int first = u8(segment, from);
        if (!SipLexer.isToken(first)) {
            return SipMatch.NO;
        }
        if (first == 'S' || first == 's') {
            SipMatch status = matchStatusLine(segment, from, end);
            if (status != SipMatch.NO) {
                return status;
            }
        }
        return matchRequestLine(segment, from, end);
    }

    /**
     * Whether the bytes are what keeps a NAT binding or a connection open rather than a message: line ends (RFC 5626,
     * 3.5.1), or up to four zero bytes.
     */
    public static boolean isKeepAlive(MemorySegment segment, long offset, int length) {
        if (length <= 0 || length > 8) {
            return false;
        }
        long end = offset + length;
        if (u8(segment, offset) != 0) {
            return SipLexer.skipLineEnds(segment, offset, end) == end;
        }
        long at = offset;
        while (at < end && u8(segment, at) == 0) {
            at++;
        }
        return at == end && length <= 4;
    }

    /** Whether the first bytes, up to 16, are printable ASCII and line ends: what the middle of a text stream looks like. */
    public static boolean looksLikeText(MemorySegment segment, long offset, int length) {
        if (length <= 0) {
            return false;
        }
        long end = offset + Math.min(length, 16);
        for (long at = offset; at < end; at++) {
            int octet = u8(segment, at);
            if ((octet < 0x20 || octet > 0x7e) && !SipLexer.isLws(octet)) {
                return false;
            }
        }
        return true;
    }

    private static boolean mayStart(int octet) {
        return SipLexer.isToken(octet) || SipLexer.isLineEnd(octet);
    }

    private static SipMatch matchStatusLine(MemorySegment segment, long from, long end) {
        long available = end - from;
        for (int i = 0; i < VERSION.length; i++) {
            if (i == available) {
                return SipMatch.POSSIBLE;
            }
            if (SipLexer.lower(u8(segment, from + i)) != VERSION[i]) {
                return SipMatch.NO;
            }
        }
        if (available <= 7) {
            return SipMatch.POSSIBLE;
        }
        if (u8(segment, from + 7) != SipLexer.SP) {
            return SipMatch.NO;
        }
        for (int i = 8; i < 11; i++) {
            if (i == available) {
                return SipMatch.POSSIBLE;
            }
            int octet = u8(segment, from + i);
            if (!SipLexer.isDigit(octet) || i == 8 && (octet == '0' || octet > '6')) {
                return SipMatch.NO;
            }
        }
        if (available == 11) {
            return SipMatch.POSSIBLE;
        }
        // no space and no reason phrase: wrong, and seen
        if (!SipLexer.isLws(u8(segment, from + 11))) {
            return SipMatch.NO;
        }
        long lineEnd = SipLexer.lineEnd(segment, from + 11, end);
        return SipLexer.hasControl(segment, from + 11, lineEnd) ? SipMatch.NO : SipMatch.YES;
    }

    private static SipMatch matchRequestLine(MemorySegment segment, long from, long end) {
        long methodEnd = methodEnd(segment, from, end);
        if (methodEnd == end) {
            return end - from > METHOD_LIMIT ? SipMatch.NO : SipMatch.POSSIBLE;
        }
        if (u8(segment, methodEnd) != SipLexer.SP) {
            return SipMatch.NO;
        }
        long uri = SipLexer.skipBlanks(segment, methodEnd, end);
        boolean mayWait = methodEnd - from <= METHOD_LIMIT && end - from <= LINE_LIMIT;
        if (uri == end) {
            return mayWait ? SipMatch.POSSIBLE : SipMatch.NO;
        }
        int first = u8(segment, uri);
        if (!SipLexer.isAlphanumeric(first) && first != '<') {
            return SipMatch.NO;
        }
        long lineEnd = SipLexer.lineEnd(segment, uri, end);
        if (lineEnd == end) {
            return mayWait && !SipLexer.hasControl(segment, uri, end) ? SipMatch.POSSIBLE : SipMatch.NO;
        }
        return uriEnd(segment, uri, lineEnd) > 0 && !SipLexer.hasControl(segment, uri, lineEnd)
                ? SipMatch.YES
                : SipMatch.NO;
    }

    private static long methodEnd(MemorySegment segment, long from, long end) {
        long at = from;
        while (at < end && SipLexer.isToken(u8(segment, at))) {
            at++;
        }
        return at;
    }

    /** Where the Request-URI ends, given where it starts and the end of the line; -1 when this is no request line. */
    static long uriEnd(MemorySegment segment, long uri, long lineEnd) {
        long trimmed = SipLexer.trimEnd(segment, uri, lineEnd);
        long version = trimmed - VERSION.length;
        if (version - 1 <= uri
                || !SipLexer.isBlank(u8(segment, version - 1))
                || !SipLexer.startsWith(segment, version, trimmed, VERSION)) {
            return -1;
        }
        long uriEnd = SipLexer.trimEnd(segment, uri, version);
        return SipLexer.indexOf(segment, uri + 1, uriEnd, ':') < uriEnd ? uriEnd : -1;
    }

    private static boolean isKnownRequestStart(MemorySegment segment, long offset, int length) {
        long end = offset + length;
        long from = SipLexer.skipLineEnds(segment, offset, end);
        long methodEnd = methodEnd(segment, from, end);
        if (SipMethod.read(segment, from, methodEnd) == SipMethod.OTHER) {
            return false;
        }
        long uri = SipLexer.skipBlanks(segment, methodEnd, end);
        for (byte[] scheme : SCHEMES) {
            if (SipLexer.startsWith(segment, uri, end, scheme)) {
                return true;
            }
        }
        return false;
    }
}
