package io.offhook.flow.state;

/**
 * Arithmetic on TCP sequence numbers: 32 bits that wrap (RFC 9293, 3.4). Numbers are compared by the sign of their
 * difference, which is correct if they are less than 2^31 apart.
 */
public final class SequenceNumbers {
    private SequenceNumbers() {}

    /** How far {@code a} is ahead of {@code b}, in bytes; negative if it is behind. */
    public static int difference(int a, int b) {
        return a - b;
    }
}
