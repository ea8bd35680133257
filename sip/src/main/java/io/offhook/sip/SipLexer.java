package io.offhook.sip;

import java.nio.charset.StandardCharsets;

/**
 * The basic rules of SIP's grammar (RFC 3261, 25.1) over bytes: tokens, line ends, white space, numbers, text.
 *
 * <p>Ranges are {@code [from, end)} of an array; the caller has checked that they are in bounds. Bytes are compared as
 * they are, signed: what is not ASCII is below 0. Nothing here allocates but the methods that return a {@link String}.
 */
final class SipLexer {
    static final int TAB = 9;
    static final int LF = 10;
    static final int CR = 13;
    static final int SP = 32;

    /** No text. */
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

    /** Where the first CR or LF stands, or {@code end}. */
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
     * The start of the next line, given where this one ends. CRLF ends a line, and so do a bare LF, a bare CR, and the CR
     * CR LF that a text-mode copy makes of CRLF.
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

    /** Whether there is a control character, TAB aside. */
    static boolean hasControl(byte[] text, int from, int end) {
        int at = from;
        while (at < end && (text[at] >= SP || text[at] == TAB || text[at] < 0)) {
            at++;
        }
        return at < end;
    }

    /** Where the first {@code octet} stands, or {@code end}. */
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

    /** The end of the range without its trailing white space. */
    static int trimEnd(byte[] text, int from, int end) {
        int at = end;
        while (at > from && isLws(text[at - 1])) {
            at--;
        }
        return at;
    }

    /** Whether the range starts with a text given in lower case, in whatever case it is written. */
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

    /** Past the closing quote of the quoted string that starts at {@code from}, or -1 when it is not closed. */
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

    /** The digits at {@code from} as a number; -1 when there is none or it is above 2^32 - 1. */
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

    /** The bytes as UTF-8; what is not becomes U+FFFD. */
    static String text(byte[] text, int from, int end) {
        return end <= from ? "" : new String(text, from, end - from, StandardCharsets.UTF_8);
    }

    /** The bytes as text with each fold (line end and the white space about it) made one space. */
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

    /** The words of a text in lower-case ASCII, to compare with. */
    static byte[] lowerCase(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = LOWER[bytes[i] & 0xff];
        }
        return bytes;
    }
}
