package io.offhook.calls;

import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.rtp.quality.QualitySettings;

/**
 * What is computed of media.
 *
 * @param buffer the jitter buffer that receivers are assumed to have
 * @param intervals whether to keep what each five seconds of a stream need to be reported
 * @param wireshark whether to compute Wireshark's figures for each stream as well
 * @param passages whether to log packets, so that streams can be compared packet by packet where they were captured at
 *     several points
 * @param quality settings of the ratings
 */
public record MediaOptions(
        JitterBuffer buffer, boolean intervals, boolean wireshark, boolean passages, QualitySettings quality) {
    /** The default buffer and ratings; no intervals, nor Wireshark's figures. */
    public static final MediaOptions DEFAULT =
            new MediaOptions(JitterBuffer.DEFAULT, false, false, false, QualitySettings.DEFAULT);

    /** The same options but for this one. */
    public MediaOptions withBuffer(JitterBuffer buffer) {
        return new MediaOptions(buffer, intervals, wireshark, passages, quality);
    }

    /** The same options but for this one. */
    public MediaOptions withIntervals(boolean intervals) {
        return new MediaOptions(buffer, intervals, wireshark, passages, quality);
    }

    /** The same options but for this one. */
    public MediaOptions withWireshark(boolean wireshark) {
        return new MediaOptions(buffer, intervals, wireshark, passages, quality);
    }

    /** The same options but for this one. */
    public MediaOptions withQuality(QualitySettings quality) {
        return new MediaOptions(buffer, intervals, wireshark, passages, quality);
    }

    /** The same options but for this one. */
    public MediaOptions withPassages(boolean passages) {
        return new MediaOptions(buffer, intervals, wireshark, passages, quality);
    }
}
