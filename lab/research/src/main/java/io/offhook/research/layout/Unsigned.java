package io.offhook.research.layout;

/**
 * Range checks of unsigned numbers. A read returns the bits as the signed type of the same width, which must not be
 * negative. A number to write must fit the bits of the field; for 64 bits it must fit a {@code long}.
 */
final class Unsigned {
    private Unsigned() {}

    static byte byteExact(byte bits) {
        if (bits < 0) {
            throw tooLarge(bits & 0xffL, "byte");
        }
        return bits;
    }

    static short shortExact(short bits) {
        if (bits < 0) {
            throw tooLarge(bits & 0xffffL, "short");
        }
        return bits;
    }

    static int intExact(int bits) {
        if (bits < 0) {
            throw tooLarge(bits & 0xffff_ffffL, "int");
        }
        return bits;
    }

    static long longExact(long bits) {
        if (bits < 0) {
            throw tooLarge(bits, "long");
        }
        return bits;
    }

    static long u8(long value) {
        return fitting(value, 0xff);
    }

    static long u16(long value) {
        return fitting(value, 0xffff);
    }

    static long u32(long value) {
        return fitting(value, 0xffff_ffffL);
    }

    static long u64(long value) {
        return fitting(value, Long.MAX_VALUE);
    }

    private static long fitting(long value, long limit) {
        if (value < 0 || value > limit) {
            throw new IllegalArgumentException(value + " does not fit: 0 to " + limit);
        }
        return value;
    }

    private static ArithmeticException tooLarge(long unsigned, String type) {
        return new ArithmeticException(Long.toUnsignedString(unsigned) + " is more than " + type + " can hold");
    }
}
