package io.offhook.live.replay;

/**
 * How fast to send frames again.
 *
 * @param kind the unit of the value
 * @param value a number above 0; ignored for {@link Kind#TOP}
 */
public record ReplaySpeed(Kind kind, double value) {
    /** The unit of a speed. */
    public enum Kind {
        /** A multiple of the recorded speed: 2 halves all gaps. */
        RECORDED,
        /** Frames per second, evenly spaced. */
        FRAMES,
        /** Bits per second of the frames as passed to the kernel, without preamble, gap and frame check sequence. */
        BITS,
        /** As fast as the interface accepts them. */
        TOP
    }

    /** Checks the range. */
    public ReplaySpeed {
        if (kind != Kind.TOP && !(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("speed " + value + " is not above 0");
        }
    }

    /** Returns a multiple of the recorded speed. */
    public static ReplaySpeed recorded(double multiplier) {
        return new ReplaySpeed(Kind.RECORDED, multiplier);
    }

    /** Returns a speed in frames per second. */
    public static ReplaySpeed framesPerSecond(double frames) {
        return new ReplaySpeed(Kind.FRAMES, frames);
    }

    /** Returns a speed in bits of frames per second. */
    public static ReplaySpeed bitsPerSecond(double bits) {
        return new ReplaySpeed(Kind.BITS, bits);
    }

    /** Returns the greatest possible speed. */
    public static ReplaySpeed top() {
        return new ReplaySpeed(Kind.TOP, 0);
    }
}
