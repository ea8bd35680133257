package io.offhook.sip;

import org.jspecify.annotations.Nullable;

/**
 * Walks the values of one header over all its lines, and over the values that a line holds separated by commas, where
 * the header is a list (RFC 3261, 7.3.1). Commas in quotes and in angle brackets separate nothing.
 *
 * <pre>
 * cursor.start(message, SipHeader.VIA);
 * while (cursor.next()) { ... cursor.offset(), cursor.length() ... }
 * </pre>
 *
 * Reused and single-threaded; valid as long as the message is wrapped.
 */
public final class SipValueCursor {
    private SipHeader header = SipHeader.OTHER;
    private byte[] text = SipLexer.NONE;
    private @Nullable SipHeaderIndex index;
    private int line;
    private int at;
    private int lineEnd;
    private int offset;
    private int length;
    /** A quote that is not closed hides no comma, and neither does one after it: else time would grow as the square. */
    private boolean quotesHide;

    /** A cursor on nothing. */
    public SipValueCursor() {}

    /** Goes before the first value. */
    public void start(SipMessageView message, SipHeader header) {
        start(message.octets(), message.index(), header);
    }

    void start(byte[] text, SipHeaderIndex index, SipHeader header) {
        this.header = header;
        this.text = text;
        this.index = index;
        line = -1;
        at = 0;
        lineEnd = 0;
        length = 0;
        quotesHide = true;
    }

    /** Goes to the next value that is not empty; false after the last. */
    public boolean next() {
        while (true) {
            if (at >= lineEnd) {
                if (index == null) {
                    return false;
                }
                line = index.find(header, line + 1);
                if (line < 0) {
                    line = index.count();
                    return false;
                }
                at = index.valueOffset(line);
                lineEnd = index.valueEnd(line);
            }
            offset = SipLexer.skipLws(text, at, lineEnd);
            int comma = header.isList() ? comma(offset) : lineEnd;
            length = SipLexer.trimEnd(text, offset, comma) - offset;
            at = comma + 1;
            if (length > 0) {
                return true;
            }
        }
    }

    /** Where the value starts, an index into the message's octets. */
    public int offset() {
        return offset;
    }

    /** Bytes, without white space about it. */
    public int length() {
        return length;
    }

    /** The value with folds made single spaces. */
    public String text() {
        return SipLexer.unfolded(text, offset, offset + length);
    }

    private int comma(int from) {
        int position = from;
        boolean bracketed = false;
        while (position < lineEnd) {
            int octet = text[position];
            if (octet == ',' && !bracketed) {
                return position;
            }
            if (octet == '<') {
                bracketed = true;
            } else if (octet == '>') {
                bracketed = false;
            }
            int after = octet == '"' && quotesHide && !bracketed
                    ? SipLexer.afterQuoted(text, position, lineEnd)
                    : position + 1;
            quotesHide &= after >= 0;
            position = after < 0 ? position + 1 : after;
        }
        return lineEnd;
    }
}
