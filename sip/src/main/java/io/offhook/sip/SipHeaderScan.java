package io.offhook.sip;

import static io.offhook.sip.SipLexer.u8;

import java.lang.foreign.MemorySegment;

/**
 * Finds one header's value, or the end of the headers, in one pass over the bytes and without an index. The offset given
 * is that of the start line.
 */
final class SipHeaderScan {
    private static final byte[] CALL_ID = SipHeader.CALL_ID.lowerCase();
    private static final byte[] CONTENT_LENGTH = SipHeader.CONTENT_LENGTH.lowerCase();

    private SipHeaderScan() {}

    /** Where the value of the Call-ID starts, or -1. */
    static long callId(MemorySegment segment, long from, long end) {
        return find(segment, from, end, CALL_ID, 'i');
    }

    /** Where the value of the first Content-Length starts, or -1. */
    static long contentLength(MemorySegment segment, long from, long end) {
        return find(segment, from, end, CONTENT_LENGTH, 'l');
    }

    /** Where the value of a header starts, or -1; the name in lower case, the compact form 0 where it has none. */
    static long find(MemorySegment segment, long from, long end, byte[] name, int compactForm) {
        int first = name[0];
        long at = SipLexer.nextLine(segment, SipLexer.lineEnd(segment, from, end), end);
        while (at < end) {
            int octet = u8(segment, at) | 0x20;
            if (octet == first || octet == compactForm) {
                long colon = colonAfterName(segment, at, end, name, compactForm);
                if (colon >= 0) {
                    return valueStart(segment, colon + 1, end);
                }
            }
            long lineEnd = SipLexer.lineEnd(segment, at, end);
            if (lineEnd == at) {
                return -1;
            }
            at = SipLexer.nextLine(segment, lineEnd, end);
        }
        return -1;
    }

    /** Past the colon and the white space after it, folds included. */
    static long valueStart(MemorySegment segment, long from, long end) {
        long at = SipLexer.skipBlanks(segment, from, end);
        while (at < end && SipLexer.isLineEnd(u8(segment, at))) {
            long next = SipLexer.nextLine(segment, at, end);
            if (next >= end || !SipLexer.isBlank(u8(segment, next))) {
                return at;
            }
            at = SipLexer.skipBlanks(segment, next, end);
        }
        return at;
    }

    /** The end of the value that starts at {@code from}, folded lines included, without trailing white space. */
    static long valueEnd(MemorySegment segment, long from, long end) {
        long lineEnd = SipLexer.lineEnd(segment, from, end);
        while (lineEnd < end) {
            long next = SipLexer.nextLine(segment, lineEnd, end);
            if (next >= end || !SipLexer.isBlank(u8(segment, next))) {
                break;
            }
            lineEnd = SipLexer.lineEnd(segment, next, end);
        }
        return SipLexer.trimEnd(segment, from, lineEnd);
    }

    /**
     * Where the body starts: past the empty line that ends the headers; -1 when it is not there yet. A CR that the bytes
     * end with leaves it open whether an LF follows.
     *
     * @param from where to look from: the start of a line, or within one
     */
    static long headersEnd(MemorySegment segment, long from, long end) {
        long at = from;
        while (at < end) {
            long lineEnd = SipLexer.lineEnd(segment, at, end);
            if (lineEnd >= end) {
                return -1;
            }
            long next = SipLexer.nextLine(segment, lineEnd, end);
            if (next >= end) {
                return -1;
            }
            if (SipLexer.isLineEnd(u8(segment, next))) {
                boolean open = u8(segment, next) == SipLexer.CR && next + 1 == end;
                return open ? -1 : SipLexer.nextLine(segment, next, end);
            }
            at = next;
        }
        return -1;
    }

    private static long colonAfterName(MemorySegment segment, long at, long end, byte[] name, int compactForm) {
        long after = -1;
        if (SipLexer.startsWith(segment, at, end, name)) {
            after = SipLexer.skipBlanks(segment, at + name.length, end);
        } else if ((u8(segment, at) | 0x20) == compactForm) {
            after = SipLexer.skipBlanks(segment, at + 1, end);
        }
        return after >= 0 && after < end && u8(segment, after) == ':' ? after : -1;
    }
}
