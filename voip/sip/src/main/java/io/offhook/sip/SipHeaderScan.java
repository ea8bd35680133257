package io.offhook.sip;

/**
 * Finds the value of one header, or the end of the headers, in one pass and without an index. The given offset is that
 * of the start line.
 */
final class SipHeaderScan {
    private static final byte[] CALL_ID = SipHeader.CALL_ID.lowerCase();
    private static final byte[] CONTENT_LENGTH = SipHeader.CONTENT_LENGTH.lowerCase();

    private SipHeaderScan() {}

    /** The start of the Call-ID's value; -1 if there is none. */
    static int callId(byte[] text, int from, int end) {
        return find(text, from, end, CALL_ID, 'i');
    }

    /** The start of the first Content-Length's value; -1 if there is none. */
    static int contentLength(byte[] text, int from, int end) {
        return find(text, from, end, CONTENT_LENGTH, 'l');
    }

    /**
     * The start of a header's value; -1 if there is none. The name is in lower case; the compact form is 0 if there is
     * none.
     */
    static int find(byte[] text, int from, int end, byte[] name, int compactForm) {
        int first = name[0];
        int at = SipLexer.nextLine(text, SipLexer.lineEnd(text, from, end), end);
        while (at < end) {
            int octet = text[at] | 0x20;
            if (octet == first || octet == compactForm) {
                int colon = colonAfterName(text, at, end, name, compactForm);
                if (colon >= 0) {
                    return valueStart(text, colon + 1, end);
                }
            }
            int lineEnd = SipLexer.lineEnd(text, at, end);
            if (lineEnd == at) {
                return -1;
            }
            at = SipLexer.nextLine(text, lineEnd, end);
        }
        return -1;
    }

    /** Skips the colon and the white space after it, folds included. */
    static int valueStart(byte[] text, int from, int end) {
        int at = SipLexer.skipBlanks(text, from, end);
        while (at < end && SipLexer.isLineEnd(text[at])) {
            int next = SipLexer.nextLine(text, at, end);
            if (next >= end || !SipLexer.isBlank(text[next])) {
                return at;
            }
            at = SipLexer.skipBlanks(text, next, end);
        }
        return at;
    }

    /** The end of the value that starts at {@code from}: folded lines included, trailing white space excluded. */
    static int valueEnd(byte[] text, int from, int end) {
        int lineEnd = SipLexer.lineEnd(text, from, end);
        while (lineEnd < end) {
            int next = SipLexer.nextLine(text, lineEnd, end);
            if (next >= end || !SipLexer.isBlank(text[next])) {
                break;
            }
            lineEnd = SipLexer.lineEnd(text, next, end);
        }
        return SipLexer.trimEnd(text, from, lineEnd);
    }

    /**
     * The start of the body, after the empty line that ends the headers; -1 if that is not present yet. If the bytes
     * end in CR, an LF may follow.
     *
     * @param from the start of a line, or a position within one
     */
    static int headersEnd(byte[] text, int from, int end) {
        int at = from;
        while (at < end) {
            int lineEnd = SipLexer.lineEnd(text, at, end);
            if (lineEnd >= end) {
                return -1;
            }
            int next = SipLexer.nextLine(text, lineEnd, end);
            if (next >= end) {
                return -1;
            }
            if (SipLexer.isLineEnd(text[next])) {
                boolean open = text[next] == SipLexer.CR && next + 1 == end;
                return open ? -1 : SipLexer.nextLine(text, next, end);
            }
            at = next;
        }
        return -1;
    }

    private static int colonAfterName(byte[] text, int at, int end, byte[] name, int compactForm) {
        int after = -1;
        if (SipLexer.startsWith(text, at, end, name)) {
            after = SipLexer.skipBlanks(text, at + name.length, end);
        } else if ((text[at] | 0x20) == compactForm) {
            after = SipLexer.skipBlanks(text, at + 1, end);
        }
        return after >= 0 && after < end && text[after] == ':' ? after : -1;
    }
}
