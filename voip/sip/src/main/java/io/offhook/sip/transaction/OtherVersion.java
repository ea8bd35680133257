package io.offhook.sip.transaction;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Recognises a request of another version of SIP ({@code OPTIONS sip:bob@example.com SIP/7.0}), which is answered with 505
 * (RFC 3261, 21.5.6), and makes a copy that can be read, with 2.0 in its place. Reused; allocates for such requests only.
 */
final class OtherVersion {
    private static final byte[] NAME = " SIP/".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VERSION_2 = " SIP/2.0".getBytes(StandardCharsets.US_ASCII);
    private static final int LINE_LIMIT = 2048;

    private byte[] octets = new byte[0];

    /** Copies the message if its first line ends with another version; false if it does not. */
    boolean readAs2(byte[] message, int offset, int length) {
        int limit = offset + Math.min(length, LINE_LIMIT);
        int lineEnd = offset;
        while (lineEnd < limit && message[lineEnd] != '\r' && message[lineEnd] != '\n') {
            lineEnd++;
        }
        if (lineEnd == limit) {
            return false;
        }
        int version = lineEnd;
        while (version > offset && (message[version - 1] == '.' || isDigit(message[version - 1]))) {
            version--;
        }
        int from = version - NAME.length;
        if (version == lineEnd || from <= offset || !startsWith(message, from)) {
            return false;
        }
        byte[] copy = new byte[from - offset + VERSION_2.length + offset + length - lineEnd];
        System.arraycopy(message, offset, copy, 0, from - offset);
        System.arraycopy(VERSION_2, 0, copy, from - offset, VERSION_2.length);
        System.arraycopy(message, lineEnd, copy, from - offset + VERSION_2.length, offset + length - lineEnd);
        octets = copy;
        return true;
    }

    byte[] octets() {
        return octets;
    }

    int length() {
        return octets.length;
    }

    private static boolean startsWith(byte[] message, int from) {
        return Arrays.equals(message, from, from + NAME.length, NAME, 0, NAME.length);
    }

    private static boolean isDigit(int octet) {
        return octet >= '0' && octet <= '9';
    }
}
