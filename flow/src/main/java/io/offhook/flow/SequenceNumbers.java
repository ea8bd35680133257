package io.offhook.flow;

/**
 * Arithmetic on TCP sequence numbers: 32 bits that wrap (RFC 9293, 3.4). Two numbers are compared by the sign of their
 * difference, which is right as long as they lie less than 2^31 apart.
 */
final class SequenceNumbers {
    private SequenceNumbers() {}

    /** How far {@code a} lies ahead of {@code b}, in bytes; negative when it lies behind. */
    static int difference(int a, int b) {
        return a - b;
    }
}
