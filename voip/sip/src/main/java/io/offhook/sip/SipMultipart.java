package io.offhook.sip;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Finds the application/sdp part of a body (RFC 5621, RFC 2046, 5.1).
 *
 * <pre>
 * "--" boundary CRLF  *header CRLF  CRLF  part CRLF  "--" boundary "--" CRLF
 * </pre>
 *
 * <p>Looks into one nested multipart, and at no more than {@value #PART_LIMIT} parts. If the Content-Type does not name
 * the boundary, it is taken from the first line of the body. If the closing boundary is missing, the part ends with the
 * body. Reused and single-threaded.
 */
public final class SipMultipart {
    private static final int PART_LIMIT = 32;
    private static final int BOUNDARY_LIMIT = 256;
    private static final byte[] CONTENT_TYPE = SipHeader.CONTENT_TYPE.lowerCase();

    private int offset;
    private int length;

    /** Creates an instance without a part. */
    public SipMultipart() {}

    /** The start of the part found last, an index into the array. */
    public int offset() {
        return offset;
    }

    /** The length of the part in bytes, without the line end before the boundary. */
    public int length() {
        return length;
    }

    /** Converts "Application/SDP; charset=utf-8" to "application/sdp". */
    static String mediaType(String contentType) {
        int semicolon = contentType.indexOf(';');
        String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
        return type.strip().toLowerCase(Locale.ROOT);
    }

    boolean findSdp(byte[] text, int from, int bytes, String contentType) {
        return find(text, from, from + bytes, contentType, 0);
    }

    private boolean find(byte[] text, int from, int end, String contentType, int depth) {
        String type = mediaType(contentType);
        if (from >= end) {
            return false;
        }
        if (type.equals("application/sdp") || type.isEmpty() && depth == 0 && startsLikeSdp(text, from, end)) {
            offset = from;
            length = end - from;
            return true;
        }
        if (!type.startsWith("multipart/") || depth > 1) {
            return false;
        }
        byte[] delimiter = delimiter(text, from, end, contentType);
        if (delimiter.length <= 2 || delimiter.length > BOUNDARY_LIMIT) {
            return false;
        }
        int line = nextDelimiter(text, from, end, delimiter);
        for (int part = 0; part < PART_LIMIT && line < end; part++) {
            int headers = SipLexer.nextLine(text, SipLexer.lineEnd(text, line, end), end);
            line = nextDelimiter(text, headers, end, delimiter);
            if (findInPart(text, headers, line < end ? beforeLineEnd(text, headers, line) : end, depth)) {
                return true;
            }
        }
        return false;
    }

    private boolean findInPart(byte[] text, int headers, int end, int depth) {
        int at = headers;
        String type = "";
        while (at < end) {
            int lineEnd = SipLexer.lineEnd(text, at, end);
            if (lineEnd == at) {
                return find(text, SipLexer.nextLine(text, at, end), end, type, depth + 1);
            }
            if (SipLexer.startsWith(text, at, end, CONTENT_TYPE)) {
                int colon = SipLexer.indexOf(text, at, lineEnd, ':');
                int value = SipHeaderScan.valueStart(text, Math.min(colon + 1, end), end);
                type = SipLexer.unfolded(text, value, SipHeaderScan.valueEnd(text, value, end));
            }
            at = SipLexer.nextLine(text, lineEnd, end);
        }
        return false;
    }

    private static boolean startsLikeSdp(byte[] text, int from, int end) {
        return end - from > 3 && text[from] == 'v' && text[from + 1] == '=';
    }

    /** The delimiter: "--" and the boundary. */
    private static byte[] delimiter(byte[] text, int from, int end, String contentType) {
        String lower = contentType.toLowerCase(Locale.ROOT);
        int name = lower.indexOf("boundary");
        int equals = name < 0 ? -1 : contentType.indexOf('=', name);
        if (equals < 0) {
            int line = SipLexer.skipLineEnds(text, from, end);
            String first =
                    SipLexer.text(text, line, SipLexer.lineEnd(text, line, Math.min(end, line + BOUNDARY_LIMIT)));
            return first.startsWith("--") ? first.strip().getBytes(StandardCharsets.UTF_8) : new byte[0];
        }
        String value = contentType.substring(equals + 1).strip();
        int close = value.startsWith("\"") ? value.indexOf('"', 1) : value.indexOf(';');
        String boundary = close < 0 ? value : value.substring(value.startsWith("\"") ? 1 : 0, close);
        return ("--" + boundary.strip()).getBytes(StandardCharsets.UTF_8);
    }

    /** The start of the next line that begins with the delimiter; {@code end} if there is none. */
    private static int nextDelimiter(byte[] text, int from, int end, byte[] delimiter) {
        int at = from;
        while (at < end) {
            if (isAt(text, at, end, delimiter)) {
                return at;
            }
            at = SipLexer.nextLine(text, SipLexer.lineEnd(text, at, end), end);
        }
        return end;
    }

    private static boolean isAt(byte[] text, int at, int end, byte[] delimiter) {
        if (end - at < delimiter.length) {
            return false;
        }
        for (int i = 0; i < delimiter.length; i++) {
            if (text[at + i] != delimiter[i]) {
                return false;
            }
        }
        return true;
    }

    /** The position before the line end that precedes a delimiter and belongs to it. */
    private static int beforeLineEnd(byte[] text, int from, int line) {
        int at = line;
        if (at > from && text[at - 1] == SipLexer.LF) {
            at--;
        }
        if (at > from && text[at - 1] == SipLexer.CR) {
            at--;
        }
        return at;
    }
}
