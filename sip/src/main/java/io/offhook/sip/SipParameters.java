package io.offhook.sip;

import static io.offhook.sip.SipLexer.u8;

import java.lang.foreign.MemorySegment;

/**
 * Finds one parameter in {@code *(SEMI name [EQUAL value])}, quoted values and white space included (RFC 3261, 25.1).
 * Reused; {@link #offset} and {@link #length} are of the value found last, quotes included.
 */
final class SipParameters {
    private long offset;
    private int length;
    /** A quote that is not closed hides nothing, and neither does one after it: else time would grow as the square. */
    private boolean quotesHide;

    /** Looks for a name given in lower case, from a semicolon or before it. False where there is none. */
    boolean find(MemorySegment segment, long from, long end, byte[] name) {
        offset = from;
        length = 0;
        quotesHide = true;
        long at = nextSemicolon(segment, from, end);
        while (at < end) {
            long nameStart = SipLexer.skipLws(segment, at + 1, end);
            long nameEnd = nameStart;
            while (nameEnd < end && SipLexer.isToken(u8(segment, nameEnd))) {
                nameEnd++;
            }
            long next = nextSemicolon(segment, nameEnd, end);
            if (nameEnd - nameStart == name.length && SipLexer.startsWith(segment, nameStart, nameEnd, name)) {
                setValue(segment, nameEnd, next);
                return true;
            }
            at = next;
        }
        return false;
    }

    /** Where the value starts. */
    long offset() {
        return offset;
    }

    /** Bytes of the value; 0 for a parameter without one. */
    int length() {
        return length;
    }

    String text(MemorySegment segment) {
        return unquoted(SipLexer.unfolded(segment, offset, offset + length));
    }

    /** A quoted string without its quotes and escapes; other text as it is. */
    static String unquoted(String text) {
        if (text.length() < 2 || text.charAt(0) != '"' || text.charAt(text.length() - 1) != '"') {
            return text;
        }
        if (text.indexOf('\\') < 0) {
            return text.substring(1, text.length() - 1);
        }
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 1; i < text.length() - 1; i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length() - 1) {
                c = text.charAt(++i);
            }
            plain.append(c);
        }
        return plain.toString();
    }

    private void setValue(MemorySegment segment, long nameEnd, long next) {
        long at = SipLexer.skipLws(segment, nameEnd, next);
        if (at < next && u8(segment, at) == '=') {
            offset = SipLexer.skipLws(segment, at + 1, next);
            length = (int) (SipLexer.trimEnd(segment, offset, next) - offset);
        } else {
            offset = at;
        }
    }

    private long nextSemicolon(MemorySegment segment, long from, long end) {
        long at = from;
        while (at < end) {
            int octet = u8(segment, at);
            if (octet == ';') {
                return at;
            }
            long after = octet == '"' && quotesHide ? SipLexer.afterQuoted(segment, at, end) : at + 1;
            quotesHide &= after >= 0;
            at = after < 0 ? at + 1 : after;
        }
        return end;
    }
}
