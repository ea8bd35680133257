package io.offhook.sip;

import org.jspecify.annotations.Nullable;

/**
 * Iterates over the values of one header, over all its lines and, if the header is a list, over the values that a line
 * holds separated by commas (RFC 3261, 7.3.1). Commas in quotes and angle brackets do not separate values.
 *
 * <pre>
 * cursor.start(message, SipHeader.VIA);
 * while (cursor.next()) { ... cursor.offset(), cursor.length() ... }
 * </pre>
 *
 * Reused and single-threaded; valid until the message view is wrapped again.
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
    /**
     * Whether quotes hide commas. An unclosed quote hides nothing, nor does any quote after it; otherwise the time
     * would be quadratic.
     */
    private boolean quotesHide;

    /** Creates a cursor without values. */
    public SipValueCursor() {}

    /** Positions the cursor before the first value. */
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

    /** Moves to the next value that is not empty; false after the last one. */
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

    /** The start of the value, an index into the message's octets. */
    public int offset() {
        return offset;
    }

    /** The length of the value in bytes, without surrounding white space. */
    public int length() {
        return length;
    }

    /** The header line with the value, counted from 0. */
    public int line() {
        return line;
    }

    /** Where the next value of the line may start: after the comma, or beyond the end of the line's value. */
    public int nextOffset() {
        return at;
    }

    /** The value with each fold replaced by a single space. */
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
