package io.offhook.sip;

/**
 * A view of one value of From, To, Contact, Route, P-Asserted-Identity and similar headers (RFC 3261, 20.10 and 25.1).
 *
 * <pre>
 * name-addr = [ display-name ] "&lt;" addr-spec "&gt;"  *( SEMI parameter )
 * addr-spec without brackets: its semicolons start the header's parameters, not the URI's
 * </pre>
 *
 * <p>Any text is accepted; an unclosed bracket ends with the value. Reused and single-threaded; valid while the bytes
 * are unchanged. Absent text is "".
 */
public final class SipAddressView {
    private static final byte[] TAG = SipLexer.lowerCase("tag");

    private final SipParameters parameters = new SipParameters();
    private byte[] text = SipLexer.NONE;
    private int nameStart;
    private int nameEnd;
    private int uriStart;
    private int uriEnd;
    private int parametersStart;
    private int start;
    private int end;

    /** Creates a view without a value. */
    public SipAddressView() {}

    /**
     * Wraps one value of a header. A header with several values must be split at its commas first
     * ({@link SipValueCursor}).
     *
     * @param text the array with the value
     * @param offset the first byte of the value
     * @param length the length of the value, in bytes
     */
    public void wrap(byte[] text, int offset, int length) {
        this.text = text;
        start = offset;
        end = offset + length;
        int at = SipLexer.skipLws(text, offset, end);
        nameStart = at;
        nameEnd = at;
        int bracket = openBracket(at);
        if (bracket >= 0) {
            nameEnd = SipLexer.trimEnd(text, at, bracket);
            uriStart = SipLexer.skipLws(text, bracket + 1, end);
            int close = SipLexer.indexOf(text, uriStart, end, '>');
            uriEnd = SipLexer.trimEnd(text, uriStart, close);
            parametersStart = Math.min(close + 1, end);
            return;
        }
        uriStart = at;
        while (at < end && text[at] != ';' && !SipLexer.isLws(text[at])) {
            at++;
        }
        uriEnd = at;
        parametersStart = at;
    }

    /** The display name without quotes and escapes. */
    public String displayName() {
        return SipParameters.unquoted(SipLexer.unfolded(text, nameStart, nameEnd));
    }

    /** The URI as written, without brackets. */
    public String uri() {
        return SipLexer.unfolded(text, uriStart, uriEnd);
    }

    /** The start of the URI, an index into the array. */
    public int uriOffset() {
        return uriStart;
    }

    /** The length of the URI, in bytes. */
    public int uriLength() {
        return uriEnd - uriStart;
    }

    /** The start of the value, an index into the array. */
    public int offset() {
        return start;
    }

    /** The length of the value, in bytes. */
    public int length() {
        return end - start;
    }

    /**
     * Finds a header parameter (not one of the URI); its value is at {@link #valueOffset}.
     *
     * @param lowerCaseName the name in lower case
     * @return whether it is present, even without a value
     */
    public boolean find(byte[] lowerCaseName) {
        return parameters.find(text, parametersStart, end, lowerCaseName);
    }

    /** The start of the value that {@link #find} found, quotes included. */
    public int valueOffset() {
        return parameters.offset();
    }

    /** The length of the value that {@link #find} found; 0 if it has none. */
    public int valueLength() {
        return parameters.length();
    }

    /** The header parameter "tag". */
    public String tag() {
        return findTag() ? parameters.text(text) : "";
    }

    /** A hash of the tag's bytes, the same in every run; 0 if there is no tag. */
    public long tagHash() {
        return findTag() ? OctetHash.of(text, parameters.offset(), parameters.offset() + parameters.length()) : 0;
    }

    /** The value of a header parameter (not of the URI), without quotes; "" if it is absent or has no value. */
    public String parameter(String name) {
        return parameters.find(text, parametersStart, end, SipLexer.lowerCase(name)) ? parameters.text(text) : "";
    }

    private boolean findTag() {
        return parameters.find(text, parametersStart, end, TAG) && parameters.length() > 0;
    }

    /** The position of the first opening angle bracket outside quotes; -1 if there is none. An unclosed quote hides nothing. */
    private int openBracket(int from) {
        int at = from;
        boolean quotesHide = true;
        while (at < end) {
            int octet = text[at];
            if (octet == '<') {
                return at;
            }
            int after = octet == '"' && quotesHide ? SipLexer.afterQuoted(text, at, end) : at + 1;
            quotesHide &= after >= 0;
            at = after < 0 ? at + 1 : after;
        }
        return -1;
    }

    @Override
    public String toString() {
        return SipLexer.unfolded(text, nameStart, end);
    }
}
