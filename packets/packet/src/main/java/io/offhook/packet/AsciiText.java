package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Text protocols, read where they lie. */
public final class AsciiText {
    private AsciiText() {}

    /** Bytes before the first line end (CR LF, or LF alone); -1 if there is none. */
    public static int lineLength(MemorySegment segment, long offset, int length) {
        for (int i = 0; i < length; i++) {
            if (NetworkOrder.u8(segment, offset + i) == '\n') {
                return i > 0 && NetworkOrder.u8(segment, offset + i - 1) == '\r' ? i - 1 : i;
            }
        }
        return -1;
    }

    /** Whether the {@code length} bytes at {@code offset} start with {@code start}, in ASCII; case matters. */
    public static boolean startsWith(MemorySegment segment, long offset, int length, byte[] start) {
        if (length < start.length) {
            return false;
        }
        for (int i = 0; i < start.length; i++) {
            if (NetworkOrder.u8(segment, offset + i) != start[i]) {
                return false;
            }
        }
        return true;
    }

    /** The number of so many digits (at most 9); -1 if one is none. */
    public static int number(MemorySegment segment, long offset, int digits) {
        int number = 0;
        for (int i = 0; i < digits; i++) {
            int digit = NetworkOrder.u8(segment, offset + i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** How many digits there are, {@code most} at most. */
    public static int digits(MemorySegment segment, long offset, int most) {
        int digits = 0;
        while (digits < most) {
            int octet = NetworkOrder.u8(segment, offset + digits);
            if (octet < '0' || octet > '9') {
                break;
            }
            digits++;
        }
        return digits;
    }

    /** The highest number that so many digits (at most 9) hold. */
    public static int highest(int digits) {
        int highest = 0;
        for (int i = 0; i < digits; i++) {
            highest = highest * 10 + 9;
        }
        return highest;
    }

    /** Writes a number of 0 or more as so many decimal digits, with leading zeros; higher digits are left out. */
    public static void putNumber(MemorySegment segment, long offset, int digits, int number) {
        int rest = number;
        for (int i = digits - 1; i >= 0; i--) {
            NetworkOrder.putU8(segment, offset + i, '0' + rest % 10);
            rest /= 10;
        }
    }

    /** The bytes as text, for output. */
    public static String text(MemorySegment segment, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
