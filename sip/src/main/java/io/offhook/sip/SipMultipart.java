package io.offhook.sip;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Finds the application/sdp part of a body (RFC 5621, RFC 2046, 5.1).
 *
 * <pre>
 * "--" boundary CRLF  *header CRLF  CRLF  part CRLF  "--" boundary "--" CRLF
 * </pre>
 *
 * <p>A multipart inside a multipart is looked into once; at most {@value #PART_LIMIT} parts are looked at. A boundary
 * that the Content-Type does not name is taken from the body's first line; a closing one that is missing ends the part
 * with the body. Reused and single-threaded.
 */
public final class SipMultipart {
    private static final int PART_LIMIT = 32;
    private static final int BOUNDARY_LIMIT = 256;
    private static final byte[] CONTENT_TYPE = SipHeader.CONTENT_TYPE.lowerCase();

    private long offset;
    private int length;

    /** Nothing found yet. */
    public SipMultipart() {}

    /** Where the part found last starts. */
    public long offset() {
        return offset;
    }

    /** Bytes of it, without the line end before the boundary. */
    public int length() {
        return length;
    }

    /** "Application/SDP; charset=utf-8" to "application/sdp". */
    static String mediaType(String contentType) {
        int semicolon = contentType.indexOf(';');
        String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
        return type.strip().toLowerCase(Locale.ROOT);
    }

    boolean findSdp(MemorySegment segment, long from, int bytes, String contentType) {
        return find(segment, from, from + bytes, contentType, 0);
    }

    private boolean find(MemorySegment segment, long from, long end, String contentType, int depth) {
        String type = mediaType(contentType);
        if (from >= end) {
            return false;
        }
        if (type.equals("application/sdp") || type.isEmpty() && depth == 0 && startsLikeSdp(segment, from, end)) {
            offset = from;
            length = (int) (end - from);
            return true;
        }
        if (!type.startsWith("multipart/") || depth > 1) {
            return false;
        }
        byte[] delimiter = delimiter(segment, from, end, contentType);
        if (delimiter.length <= 2 || delimiter.length > BOUNDARY_LIMIT) {
            return false;
        }
        long line = nextDelimiter(segment, from, end, delimiter);
        for (int part = 0; part < PART_LIMIT && line < end; part++) {
            long headers = SipLexer.nextLine(segment, SipLexer.lineEnd(segment, line, end), end);
            line = nextDelimiter(segment, headers, end, delimiter);
            if (findInPart(segment, headers, line < end ? beforeLineEnd(segment, headers, line) : end, depth)) {
                return true;
            }
        }
        return false;
    }

    private boolean findInPart(MemorySegment segment, long headers, long end, int depth) {
        long at = headers;
        String type = "";
        while (at < end) {
            long lineEnd = SipLexer.lineEnd(segment, at, end);
            if (lineEnd == at) {
                return find(segment, SipLexer.nextLine(segment, at, end), end, type, depth + 1);
            }
            if (SipLexer.startsWith(segment, at, end, CONTENT_TYPE)) {
                long colon = SipLexer.indexOf(segment, at, lineEnd, ':');
                long value = SipHeaderScan.valueStart(segment, Math.min(colon + 1, end), end);
                type = SipLexer.unfolded(segment, value, SipHeaderScan.valueEnd(segment, value, end));
            }
            at = SipLexer.nextLine(segment, lineEnd, end);
        }
        return false;
    }

    private static boolean startsLikeSdp(MemorySegment segment, long from, long end) {
        return end - from > 3 && SipLexer.u8(segment, from) == 'v' && SipLexer.u8(segment, from + 1) == '=';
    }

    /** "--" and the boundary. */
    private static byte[] delimiter(MemorySegment segment, long from, long end, String contentType) {
        String lower = contentType.toLowerCase(Locale.ROOT);
        int name = lower.indexOf("boundary");
        int equals = name < 0 ? -1 : contentType.indexOf('=', name);
        if (equals < 0) {
            long line = SipLexer.skipLineEnds(segment, from, end);
            String first =
                    SipLexer.text(segment, line, SipLexer.lineEnd(segment, line, Math.min(end, line + BOUNDARY_LIMIT)));
            return first.startsWith("--") ? first.strip().getBytes(StandardCharsets.UTF_8) : new byte[0];
        }
        String value = contentType.substring(equals + 1).strip();
        int close = value.startsWith("\"") ? value.indexOf('"', 1) : value.indexOf(';');
        String boundary = close < 0 ? value : value.substring(value.startsWith("\"") ? 1 : 0, close);
        return ("--" + boundary.strip()).getBytes(StandardCharsets.UTF_8);
    }

    /** The start of the next line that begins with the delimiter, or {@code end}. */
    private static long nextDelimiter(MemorySegment segment, long from, long end, byte[] delimiter) {
        long at = from;
        while (at < end) {
            if (isAt(segment, at, end, delimiter)) {
                return at;
            }
            at = SipLexer.nextLine(segment, SipLexer.lineEnd(segment, at, end), end);
        }
        return end;
    }

    private static boolean isAt(MemorySegment segment, long at, long end, byte[] delimiter) {
        if (end - at < delimiter.length) {
            return false;
        }
        for (int i = 0; i < delimiter.length; i++) {
            if (SipLexer.u8(segment, at + i) != (delimiter[i] & 0xff)) {
                return false;
            }
        }
        return true;
    }

    /** The line end before a delimiter belongs to the delimiter. */
    private static long beforeLineEnd(MemorySegment segment, long from, long line) {
        long at = line;
        if (at > from && SipLexer.u8(segment, at - 1) == SipLexer.LF) {
            at--;
        }
        if (at > from && SipLexer.u8(segment, at - 1) == SipLexer.CR) {
            at--;
        }
        return at;
    }
}
