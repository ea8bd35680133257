package io.offhook.sip;

import java.util.Arrays;

/**
 * The value of Call-ID (RFC 3261, 20.8) where it stands in a message: compared, and hashed, without a string. Case matters.
 */
final class SipCallId {
    private SipCallId() {}

    /** Whether the value, with each fold as a single space, equals this text. */
    static boolean equals(byte[] text, int from, int end, String other) {
        for (int at = from; at < end; at++) {
            int octet = text[at];
            if (octet < 0 || SipLexer.isLineEnd(octet)) {
                return SipLexer.unfolded(text, from, end).equals(other);
            }
            if (at - from >= other.length() || other.charAt(at - from) != octet) {
                return false;
            }
        }
        return end - from == other.length();
    }

    /** Whether the value equals these bytes, folds and all. */
    static boolean equals(byte[] text, int from, int end, byte[] other, int offset, int length) {
        return Arrays.equals(text, from, end, other, offset, offset + length);
    }

    /** A 64-bit hash of the value, the same in every run; 0 if it is empty. */
    static long hash(byte[] text, int from, int end) {
        return from == end ? 0 : OctetHash.ofValue(text, from, end);
    }

    /** That hash for a message that is not wrapped, found by a scan for this header only; 0 if there is none. */
    static long hashOfMessage(byte[] octets, int offset, int length) {
        int end = offset + length;
        int value = SipHeaderScan.callId(octets, SipLexer.skipLineEnds(octets, offset, end), end);
        return value < 0 ? 0 : hash(octets, value, SipHeaderScan.valueEnd(octets, value, end));
    }
}
