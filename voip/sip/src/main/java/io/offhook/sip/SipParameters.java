package io.offhook.sip;

/**
 * Finds one parameter in {@code *(SEMI name [EQUAL value])}, with quoted values and white space (RFC 3261, 25.1).
 * Reused; {@link #offset} and {@link #length} describe the value found last, quotes included.
 */
final class SipParameters {
    private int offset;
    private int length;
    /**
     * Whether quotes hide semicolons. An unclosed quote hides nothing, nor does any quote after it; otherwise the time
     * would be quadratic.
     */
    private boolean quotesHide;

    /**
     * Finds a parameter by its name, given in lower case, starting at or before a semicolon. False if there is none.
     */
    boolean find(byte[] text, int from, int end, byte[] name) {
        offset = from;
        length = 0;
        quotesHide = true;
        int at = nextSemicolon(text, from, end);
        while (at < end) {
            int nameStart = SipLexer.skipLws(text, at + 1, end);
            int nameEnd = nameStart;
            while (nameEnd < end && SipLexer.isToken(text[nameEnd])) {
                nameEnd++;
            }
            int next = nextSemicolon(text, nameEnd, end);
            if (nameEnd - nameStart == name.length && SipLexer.startsWith(text, nameStart, nameEnd, name)) {
                setValue(text, nameEnd, next);
                return true;
            }
            at = next;
        }
        return false;
    }

    /** The start of the value. */
    int offset() {
        return offset;
    }

    /** The length of the value in bytes; 0 for a parameter without a value. */
    int length() {
        return length;
    }

    String text(byte[] text) {
        return unquoted(SipLexer.unfolded(text, offset, offset + length));
    }

    /** A quoted string without its quotes and escapes; other text unchanged. */
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

    private void setValue(byte[] text, int nameEnd, int next) {
        int at = SipLexer.skipLws(text, nameEnd, next);
        if (at < next && text[at] == '=') {
            offset = SipLexer.skipLws(text, at + 1, next);
            length = SipLexer.trimEnd(text, offset, next) - offset;
        } else {
            offset = at;
        }
    }

    private int nextSemicolon(byte[] text, int from, int end) {
        int at = from;
        while (at < end) {
            int octet = text[at];
            if (octet == ';') {
                return at;
            }
            int after = octet == '"' && quotesHide ? SipLexer.afterQuoted(text, at, end) : at + 1;
            quotesHide &= after >= 0;
            at = after < 0 ? at + 1 : after;
        }
        return end;
    }
}
