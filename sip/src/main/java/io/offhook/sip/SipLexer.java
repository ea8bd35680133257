package io.offhook.sip;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The basic rules of SIP's grammar (RFC 3261, 25.1) over bytes: tokens, line ends, white space, numbers, text.
 *
 * <p>Ranges are {@code [from, end)} offsets into the segment; the caller has checked that they are in bounds. Nothing
 * here allocates but the methods that return a {@link String}.
 */
final class SipLexer {
    static final int TAB = 9;
    static final int LF = 10;
    static final int CR = 13;
    static final int SP = 32;

    private static final VarHandle BYTES = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle WORD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    /** One more than CR: the bytes below it are CR, LF, TAB and what hardly ever stands in a message. */
    private static final long BELOW_SHIFT_OUT = 0x0e * ONES;

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

    static int u8(MemorySegment segment, long offset) {
        return NetworkOrder.u8(segment, offset);
    }

    static boolean isToken(int octet) {
        return TOKEN[octet];
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
        return LOWER[octet];
    }

    /** Where the first CR or LF stands, or {@code end}. */
    static long lineEnd(MemorySegment segment, long from, long end) {
        long at = from;
        while (at + 8 <= end) {
            long word = (long) WORD.get(segment, at);
            // the lowest marked byte is exact; those above it may be marked by a borrow
            long marks = (word - BELOW_SHIFT_OUT) & ~word & HIGH_BITS;
            if (marks == 0) {
                at += 8;
                continue;
            }
            at += Long.numberOfTrailingZeros(marks) >>> 3;
            if (isLineEnd(u8(segment, at))) {
                return at;
            }
            at++;
        }
        while (at < end && !isLineEnd(u8(segment, at))) {
            at++;
        }
        return at;
    }

    /**
     * The start of the next line, given where this one ends. CRLF ends a line, and so do a bare LF, a bare CR, and the CR
     * CR LF that a text-mode copy makes of CRLF.
     */
    static long nextLine(MemorySegment segment, long lineEnd, long end) {
        long at = lineEnd;
        if (at >= end) {
            return end;
        }
        if (u8(segment, at) == LF) {
            return at + 1;
        }
        long after = at + 1;
        if (after < end && u8(segment, after) == CR) {
            after++;
        }
        return after < end && u8(segment, after) == LF ? after + 1 : at + 1;
    }

    /** Whether there is a control character, TAB aside. */
    static boolean hasControl(MemorySegment segment, long from, long end) {
        long at = from;
        while (at + 8 <= end) {
            long word = (long) WORD.get(segment, at);
            long marks = (word - SP * ONES) & ~word & HIGH_BITS;
            if (marks == 0) {
                at += 8;
                continue;
            }
            at += Long.numberOfTrailingZeros(marks) >>> 3;
            if (u8(segment, at) != TAB) {
                return true;
            }
            at++;
        }
        while (at < end && (u8(segment, at) >= SP || u8(segment, at) == TAB)) {
            at++;
        }
        return at < end;
    }

    /** Where the first {@code octet} stands, or {@code end}. */
    static long indexOf(MemorySegment segment, long from, long end, int octet) {
        long pattern = octet * ONES;
        long at = from;
        while (at + 8 <= end) {
            long difference = (long) WORD.get(segment, at) ^ pattern;
            long marks = (difference - ONES) & ~difference & HIGH_BITS;
            if (marks != 0) {
                return at + (Long.numberOfTrailingZeros(marks) >>> 3);
            }
            at += 8;
        }
        while (at < end && u8(segment, at) != octet) {
            at++;
        }
        return at;
    }

    static long skipBlanks(MemorySegment segment, long from, long end) {
        long at = from;
        while (at < end && isBlank(u8(segment, at))) {
            at++;
        }
        return at;
    }

    static long skipLws(MemorySegment segment, long from, long end) {
        long at = from;
        while (at < end && isLws(u8(segment, at))) {
            at++;
        }
        return at;
    }

    static long skipLineEnds(MemorySegment segment, long from, long end) {
        long at = from;
        while (at < end && isLineEnd(u8(segment, at))) {
            at++;
        }
        return at;
    }

    /** The end of the range without its trailing white space. */
    static long trimEnd(MemorySegment segment, long from, long end) {
        long at = end;
        while (at > from && isLws(u8(segment, at - 1))) {
            at--;
        }
        return at;
    }

    /** Whether the range starts with a text given in lower case, in whatever case it is written. */
    static boolean startsWith(MemorySegment segment, long from, long end, byte[] lowerCase) {
        if (end - from < lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            if (LOWER[u8(segment, from + i)] != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /** Past the closing quote of the quoted string that starts at {@code from}, or -1 when it is not closed. */
    static long afterQuoted(MemorySegment segment, long from, long end) {
        long at = from + 1;
        while (at < end) {
            int octet = u8(segment, at);
            if (octet == '"') {
                return at + 1;
            }
            at += octet == '\\' ? 2 : 1;
        }
        return -1;
    }

    /** The digits at {@code from} as a number; -1 when there is none or it is above 2^32 - 1. */
    static long number(MemorySegment segment, long from, long end) {
        long value = 0;
        long at = from;
        while (at < end && isDigit(u8(segment, at))) {
            value = value * 10 + u8(segment, at) - '0';
            if (value > 0xffff_ffffL) {
                return -1;
            }
            at++;
        }
        return at == from ? -1 : value;
    }

    static long skipDigits(MemorySegment segment, long from, long end) {
        long at = from;
        while (at < end && isDigit(u8(segment, at))) {
            at++;
        }
        return at;
    }

    /**
     * The bytes as UTF-8; what is not becomes U+FFFD. Copied by hand: the segment's own copy into an array makes HotSpot
     * generate classes first, for 4 ms of each start.
     */
    static String text(MemorySegment segment, long from, long end) {
        int length = (int) (end - from);
        if (length <= 0) {
            return "";
        }
        byte[] bytes = new byte[length];
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            BYTES.set(bytes, i, (long) WORD.get(segment, from + i));
        }
        for (; i < length; i++) {
            bytes[i] = (byte) u8(segment, from + i);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The bytes as text with each fold (line end and the white space about it) made one space. */
    static String unfolded(MemorySegment segment, long from, long end) {
        String text = text(segment, from, end);
        if (text.indexOf('\n') < 0 && text.indexOf('\r') < 0) {
            return text;
        }
        StringBuilder unfolded = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (!isLineEnd(c)) {
                unfolded.append(c);
                i++;
                continue;
            }
            while (i < text.length() && text.charAt(i) <= SP && isLws(text.charAt(i))) {
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
