package io.offhook.sip;

/**
 * The values of Reason (RFC 3326, 2): each has a protocol and, as a parameter, the cause in that protocol's own numbers.
 * Reused and single-threaded.
 */
final class SipReason {
    private static final byte[] CAUSE = SipLexer.lowerCase("cause");

    /** Causes of Q.850 end at 127, those of SIP at 699; more than three digits are no cause. */
    private static final int MOST = 999;

    private final SipValueCursor cursor = new SipValueCursor();
    private final SipParameters parameters = new SipParameters();

    /** The cause of the first value, of any protocol; -1 if there is none. */
    int cause(byte[] text, SipHeaderIndex index) {
        cursor.start(text, index, SipHeader.REASON);
        return cursor.next() ? causeAtCursor(text) : -1;
    }

    /** The cause of the first value of a protocol, whose case is ignored; -1 if there is none. */
    int cause(byte[] text, SipHeaderIndex index, String protocol) {
        cursor.start(text, index, SipHeader.REASON);
        while (cursor.next()) {
            int end = protocol.length();
            String value = cursor.text();
            boolean isWhole = value.length() == end || value.length() > end && " \t;".indexOf(value.charAt(end)) >= 0;
            if (isWhole && value.regionMatches(true, 0, protocol, 0, end)) {
                return causeAtCursor(text);
            }
        }
        return -1;
    }

    private int causeAtCursor(byte[] text) {
        if (!parameters.find(text, cursor.offset(), cursor.offset() + cursor.length(), CAUSE)) {
            return -1;
        }
        long cause = SipLexer.number(text, parameters.offset(), parameters.offset() + parameters.length());
        return cause > MOST ? -1 : (int) cause;
    }
}
