package io.offhook.research.layout;

/**
 * Range checks of unsigned numbers. Reading: the bits of an unsigned number, as the signed type of their width, which must be
 * the number itself. Writing: a number that must fit so many bits; that of 64 bits cannot be above what {@code long} has.
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
