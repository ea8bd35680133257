package io.offhook.sip.stream;

/**
 * How long a message on a stream may be. What holds the bytes of a message must have room for both together.
 *
 * @param headerBytes the most bytes of start line and headers, the empty line included; 64 to 1 MiB
 * @param bodyBytes the most bytes of the body; 0 to 8 MiB
 */
public record SipStreamLimits(int headerBytes, int bodyBytes) {
    /** 16 KiB of headers, 64 KiB of body. */
    public static final SipStreamLimits DEFAULT = new SipStreamLimits(16 << 10, 64 << 10);

    /** Checks the limits. */
    public SipStreamLimits {
        if (headerBytes < 64 || headerBytes > 1 << 20) {
            throw new IllegalArgumentException(
                    "headerBytes is " + headerBytes + "; the limits are 64 and " + (1 << 20));
        }
        if (bodyBytes < 0 || bodyBytes > 8 << 20) {
            throw new IllegalArgumentException("bodyBytes is " + bodyBytes + "; the limits are 0 and " + (8 << 20));
        }
    }
}
