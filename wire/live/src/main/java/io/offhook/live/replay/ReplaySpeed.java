package io.offhook.live.replay;

/**
 * How fast frames are sent again.
 *
 * @param kind what the value counts
 * @param value above 0; of {@link Kind#TOP} not looked at
 */
public record ReplaySpeed(Kind kind, double value) {
    /** What a speed is measured in. */
    public enum Kind {
        /** Times the speed that was recorded: of 2, all gaps are half as long. */
        RECORDED,
        /** Frames a second, evenly. */
        FRAMES,
        /** Bits a second of the frames themselves, as they are handed to the kernel: no preamble, gap or check sequence. */
        BITS,
        /** As fast as the interface takes them. */
        TOP
    }

    /** Checks the range. */
    public ReplaySpeed {
        if (kind != Kind.TOP && !(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("speed " + value + " is not above 0");
        }
    }

    /** As recorded, or so many times as fast. */
    public static ReplaySpeed recorded(double multiplier) {
        return new ReplaySpeed(Kind.RECORDED, multiplier);
    }

    /** So many frames a second. */
    public static ReplaySpeed framesPerSecond(double frames) {
        return new ReplaySpeed(Kind.FRAMES, frames);
    }

    /** So many bits of frames a second. */
    public static ReplaySpeed bitsPerSecond(double bits) {
        return new ReplaySpeed(Kind.BITS, bits);
    }

    /** As fast as can be. */
    public static ReplaySpeed top() {
        return new ReplaySpeed(Kind.TOP, 0);
    }
}
