package io.offhook.sip;

import java.nio.charset.StandardCharsets;

/**
 * The basic rules of SIP's grammar (RFC 3261, 25.1) on bytes: tokens, line ends, white space, numbers, text.
 *
 * <p>Ranges are {@code [from, end)} of an array; the caller has checked their bounds. Bytes are compared as signed
 * values: those that are not ASCII are negative. Only methods that return a {@link String} allocate.
 */
final class SipLexer {
    static final int TAB = 9;
    static final int LF = 10;
    static final int CR = 13;
    static final int SP = 32;

    /** Empty text. */
    static final byte[] NONE = new byte[0];

    private static final byte[] LOWER = new byte[256];
    private static final boolean[] TOKEN = new boolean[256];

    static {
        for (int i = 0; i < 256; i++) {
            LOWER[i] = (byte) (i >= 'A' && i <= 'Z' ? i + 32 : i);
            TOKEN[i] = i >= 'A' && i <= 'Z'
                    || i >= 'a' && i <= 'z'
                    || i >= '0' && i <= '9'
                    || i < 128 && "-.!%*_+`'~".indexOf(i) >= 0;
        }
    }

    private SipLexer() {}

    static boolean isToken(int octet) {
        return TOKEN[octet & 0xff];
    }

    static boolean isDigit(int octet) {
        return octet >= '0' && octet <= '9';
    }

    static boolean isAlphanumeric(int octet) {
        int lower = octet | 0x20;
        return isDigit(octet) || lower >= 'a' && lower <= 'z';
    }

    static boolean isBlank(int octet) {
        return octet == SP || octet == TAB;
    }

    static boolean isLineEnd(int octet) {
        return octet == CR || octet == LF;
    }

    /** Linear white space, folded lines included. */
    static boolean isLws(int octet) {
        return octet == SP || octet == LF || octet == CR || octet == TAB;
    }

    static int lower(int octet) {
        return LOWER[octet & 0xff];
    }

    /** The position of the first CR or LF; {@code end} if there is none. */
    static int lineEnd(byte[] text, int from, int end) {
        int at = from;
        while (at < end) {
            int octet = text[at];
            if (octet <= CR && isLineEnd(octet)) {
                break;
            }
            at++;
        }
        return at;
    }

    /**
     * The start of the next line, given the end of this one. A line ends in CRLF, a bare LF, a bare CR, or CR CR LF,
     * which a text-mode copy makes of CRLF.
     */
    static int nextLine(byte[] text, int lineEnd, int end) {
        int at = lineEnd;
        if (at >= end) {
            return end;
        }
        if (text[at] == LF) {
            return at + 1;
        }
        int after = at + 1;
        if (after < end && text[after] == CR) {
            after++;
        }
        return after < end && text[after] == LF ? after + 1 : at + 1;
    }

    /** Whether the range contains a control character other than TAB. */
    static boolean hasControl(byte[] text, int from, int end) {
        int at = from;
        while (at < end && (text[at] >= SP || text[at] == TAB || text[at] < 0)) {
            at++;
        }
        return at < end;
    }

    /** The position of the first {@code octet}; {@code end} if there is none. */
    static int indexOf(byte[] text, int from, int end, int octet) {
        int at = from;
        while (at < end && text[at] != octet) {
            at++;
        }
        return at;
    }

    static int skipBlanks(byte[] text, int from, int end) {
        int at = from;
        while (at < end && isBlank(text[at])) {
            at++;
        }
        return at;
    }

    static int skipLws(byte[] text, int from, int end) {
        int at = from;
        while (at < end && isLws(text[at])) {
            at++;
        }
        return at;
    }

    static int skipLineEnds(byte[] text, int from, int end) {
        int at = from;
        while (at < end && isLineEnd(text[at])) {
            at++;
        }
        return at;
    }

    /** The end of the range without trailing white space. */
    static int trimEnd(byte[] text, int from, int end) {
        int at = end;
        while (at > from && isLws(text[at - 1])) {
            at--;
        }
        return at;
    }

    /** Whether the range starts with a text, ignoring case; the text is given in lower case. */
    static boolean startsWith(byte[] text, int from, int end, byte[] lowerCase) {
        if (end - from < lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            if (LOWER[text[from + i] & 0xff] != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /** The position after the closing quote of the quoted string at {@code from}; -1 if it is not closed. */
    static int afterQuoted(byte[] text, int from, int end) {
        int at = from + 1;
        while (at < end) {
            int octet = text[at];
            if (octet == '"') {
                return at + 1;
            }
            at += octet == '\\' ? 2 : 1;
        }
        return -1;
    }

    /** The number formed by the digits at {@code from}; -1 if there are none or it exceeds 2^32 - 1. */
    static long number(byte[] text, int from, int end) {
        long value = 0;
        int at = from;
        while (at < end && isDigit(text[at])) {
            value = value * 10 + text[at] - '0';
            if (value > 0xffff_ffffL) {
                return -1;
            }
            at++;
        }
        return at == from ? -1 : value;
    }

    static int skipDigits(byte[] text, int from, int end) {
        int at = from;
        while (at < end && isDigit(text[at])) {
            at++;
        }
        return at;
    }

    /** The bytes decoded as UTF-8; malformed bytes become U+FFFD. */
    static String text(byte[] text, int from, int end) {
        return end <= from ? "" : new String(text, from, end - from, StandardCharsets.UTF_8);
    }

    /** The bytes as text, with each fold (a line end and the white space around it) replaced by one space. */
    static String unfolded(byte[] text, int from, int end) {
        String folded = text(text, from, end);
        if (from >= end || lineEnd(text, from, end) == end) {
            return folded;
        }
        StringBuilder unfolded = new StringBuilder(folded.length());
        int i = 0;
        while (i < folded.length()) {
            char c = folded.charAt(i);
            if (!isLineEnd(c)) {
                unfolded.append(c);
                i++;
                continue;
            }
            while (i < folded.length() && folded.charAt(i) <= SP && isLws(folded.charAt(i))) {
                i++;
            }
            int length = unfolded.length();
            while (length > 0 && isBlank(unfolded.charAt(length - 1))) {
                length--;
            }
            unfolded.setLength(length);
            unfolded.append(' ');
        }
        return unfolded.toString();
    }

    /** The text in lower-case ASCII, for comparing bytes. */
    static byte[] lowerCase(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = LOWER[bytes[i] & 0xff];
        }
        return bytes;
    }
}
