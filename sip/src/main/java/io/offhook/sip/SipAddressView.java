package io.offhook.sip;

import static io.offhook.sip.SipLexer.u8;

import java.lang.foreign.MemorySegment;

/**
 * One value of From, To, Contact, Route, P-Asserted-Identity and their like, in place (RFC 3261, 20.10 and 25.1).
 *
 * <pre>
 * name-addr = [ display-name ] "&lt;" addr-spec "&gt;"  *( SEMI parameter )
 * addr-spec without brackets: its semicolons start the header's parameters, not the URI's
 * </pre>
 *
 * <p>Anything is taken: a bracket that is not closed ends with the value. Reused and single-threaded; valid as long as
 * the bytes are. Absent text is "".
 */
public final class SipAddressView {
    private static final byte[] TAG = SipLexer.lowerCase("tag");

    private final SipParameters parameters = new SipParameters();
    private MemorySegment segment = MemorySegment.NULL;
    private long nameStart;
    private long nameEnd;
    private long uriStart;
    private long uriEnd;
    private long parametersStart;
    private long end;

    /** A view on nothing. */
    public SipAddressView() {}

    /** Looks at one value; a list must have been split at its commas before ({@link SipValueCursor}). */
    public void wrap(MemorySegment segment, long offset, int length) {
        this.segment = segment;
        end = offset + length;
        long at = SipLexer.skipLws(segment, offset, end);
        nameStart = at;
        nameEnd = at;
        long bracket = openBracket(at);
        if (bracket >= 0) {
            nameEnd = SipLexer.trimEnd(segment, at, bracket);
            uriStart = SipLexer.skipLws(segment, bracket + 1, end);
            long close = SipLexer.indexOf(segment, uriStart, end, '>');
            uriEnd = SipLexer.trimEnd(segment, uriStart, close);
            parametersStart = Math.min(close + 1, end);
            return;
        }
        uriStart = at;
        while (at < end && u8(segment, at) != ';' && !SipLexer.isLws(u8(segment, at))) {
            at++;
        }
        uriEnd = at;
        parametersStart = at;
    }

    /** The display name without quotes and escapes. */
    public String displayName() {
        return SipParameters.unquoted(SipLexer.unfolded(segment, nameStart, nameEnd));
    }

    /** The URI as it is written, without brackets. */
    public String uri() {
        return SipLexer.unfolded(segment, uriStart, uriEnd);
    }

    public long uriOffset() {
        return uriStart;
    }

    public int uriLength() {
        return (int) (uriEnd - uriStart);
    }

    /** The header parameter "tag". */
    public String tag() {
        return findTag() ? parameters.text(segment) : "";
    }

    /** A hash of the tag's bytes, 0 where there is none; stable. */
    public long tagHash() {
        return findTag() ? OctetHash.of(segment, parameters.offset(), parameters.offset() + parameters.length()) : 0;
    }

    /** A header parameter (not one of the URI's) without quotes; "" where it is absent or has no value. */
    public String parameter(String name) {
        return parameters.find(segment, parametersStart, end, SipLexer.lowerCase(name)) ? parameters.text(segment) : "";
    }

    private boolean findTag() {
        return parameters.find(segment, parametersStart, end, TAG) && parameters.length() > 0;
    }

    /** The first "<" outside quotes, or -1. A quote that is not closed does not hide one. */
    private long openBracket(long from) {
        long at = from;
        boolean quotesHide = true;
        while (at < end) {
            int octet = u8(segment, at);
            if (octet == '<') {
                return at;
            }
            long after = octet == '"' && quotesHide ? SipLexer.afterQuoted(segment, at, end) : at + 1;
            quotesHide &= after >= 0;
            at = after < 0 ? at + 1 : after;
        }
        return -1;
    }

    @Override
    public String toString() {
        return SipLexer.unfolded(segment, nameStart, end);
    }
}
