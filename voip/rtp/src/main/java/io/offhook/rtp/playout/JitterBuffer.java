package io.offhook.rtp.playout;

import org.jspecify.annotations.Nullable;

/**
 * The jitter buffer that a receiver is assumed to have.
 *
 * @param kind how it sets its delay
 * @param minMs the least delay, in milliseconds; that of a fixed buffer; 0 if there is none
 * @param maxMs the greatest delay, in milliseconds; that of a fixed buffer; 0 if there is none
 */
public record JitterBuffer(Kind kind, int minMs, int maxMs) {
    /** The least delay that can be set, in milliseconds. */
    public static final int LEAST_MS = 20;

    /** The greatest delay that can be set, in milliseconds. */
    public static final int GREATEST_MS = 500;

    /** No buffer: nothing is too late to be played. */
    public static final JitterBuffer OFF = new JitterBuffer(Kind.OFF, 0, 0);

    /** What phones have today: adaptive, from 40 to 500 ms. */
    public static final JitterBuffer DEFAULT = new JitterBuffer(Kind.ADAPTIVE, 40, 500);

    /** How a buffer sets its delay. */
    public enum Kind {
        /** There is no buffer. */
        OFF,
        /** The delay is set by the first packet of a talk spurt. */
        FIXED,
        /** The delay follows the jitter of the last ten seconds. */
        ADAPTIVE
    }

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a delay is outside {@value #LEAST_MS} to {@value #GREATEST_MS} ms, or they do
     *     not fit the kind
     */
    public JitterBuffer {
        boolean fits = kind == Kind.OFF
                ? minMs == 0 && maxMs == 0
                : minMs >= LEAST_MS && maxMs <= GREATEST_MS && (kind == Kind.FIXED ? minMs == maxMs : minMs <= maxMs);
        if (!fits) {
            throw new IllegalArgumentException(
                    "delays of " + minMs + " to " + maxMs + " ms do not fit a buffer of kind " + kind + "; they are "
                            + LEAST_MS + " to " + GREATEST_MS + " ms");
        }
    }

    /**
     * A buffer of one delay.
     *
     * @param ms {@value #LEAST_MS} to {@value #GREATEST_MS}
     */
    public static JitterBuffer fixed(int ms) {
        return new JitterBuffer(Kind.FIXED, ms, ms);
    }

    /**
     * A buffer that adapts.
     *
     * @param minMs its least delay, {@value #LEAST_MS} to {@code maxMs}
     * @param maxMs its greatest delay, up to {@value #GREATEST_MS}
     */
    public static JitterBuffer adaptive(int minMs, int maxMs) {
        return new JitterBuffer(Kind.ADAPTIVE, minMs, maxMs);
    }

    /**
     * Reads {@code off}, {@code fixed:60}, {@code adaptive} or {@code adaptive:40-500}.
     *
     * @return null if it is none of these, or a delay is out of range
     */
    public static @Nullable JitterBuffer parse(String text) {
        if (text.equals("off")) {
            return OFF;
        }
        if (text.equals("adaptive")) {
            return DEFAULT;
        }
        if (text.startsWith("fixed:")) {
            int ms = delay(text.substring("fixed:".length()));
            return ms < 0 ? null : fixed(ms);
        }
        if (!text.startsWith("adaptive:")) {
            return null;
        }
        String range = text.substring("adaptive:".length());
        int dash = range.indexOf('-');
        int minMs = dash < 0 ? -1 : delay(range.substring(0, dash));
        int maxMs = dash < 0 ? -1 : delay(range.substring(dash + 1));
        return minMs < 0 || maxMs < minMs ? null : adaptive(minMs, maxMs);
    }

    /** A delay within the range; -1 for everything else. */
    private static int delay(String text) {
        boolean isNumber = !text.isEmpty() && text.length() <= 3;
        for (int i = 0; i < text.length(); i++) {
            isNumber &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        int ms = isNumber ? Integer.parseInt(text) : -1;
        return ms < LEAST_MS || ms > GREATEST_MS ? -1 : ms;
    }

    /** A new buffer for a stream; null if the kind is {@link Kind#OFF}. */
    public @Nullable Playout playout() {
        return switch (kind) {
            case OFF -> null;
            case FIXED -> new FixedPlayout(minMs);
            case ADAPTIVE -> new AdaptivePlayout(minMs, maxMs);
        };
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return switch (kind) {
            case OFF -> "off";
            case FIXED -> "fixed:" + minMs;
            case ADAPTIVE -> equals(DEFAULT) ? "adaptive" : "adaptive:" + minMs + "-" + maxMs;
        };
    }
}
