package io.offhook.audio;

import io.offhook.calls.Side;

/**
 * A time in which a channel has no audio, and why. Gaps in it are silent, but for those of Opus up to 120 ms, which its
 * decoder fills.
 *
 * @param side whose channel
 * @param kind why
 * @param fromMs its beginning, in milliseconds from the first frame of the range that was played
 * @param untilMs its end, likewise
 */
public record AudioMark(Side side, Kind kind, double fromMs, double untilMs) {
    /** Why there is no audio. */
    public enum Kind {
        /** Packets were not captured. */
        LOST,
        /** Packets came too late for the jitter buffer. */
        DISCARDED,
        /** Packets cannot be heard: no decoder, no key, or not captured to their end. */
        UNREADABLE,
        /** Nothing was sent, or comfort noise, or key presses. */
        SILENCE
    }
}
