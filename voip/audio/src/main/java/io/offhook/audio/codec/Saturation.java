package io.offhook.audio.codec;

/** Arithmetic on 16 bits as the Recommendations define it: a result beyond the range is its nearest end. */
final class Saturation {
    private Saturation() {}

    /** The nearest value of 16 bits. */
    static short of(int value) {
        return (short) Math.clamp(value, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    /** The rounded product of two fractions of 15 bits. */
    static short product(int a, int b) {
        return of(a * b + 0x4000 >> 15);
    }
}
