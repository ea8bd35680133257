package io.offhook.rtp.figures;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The payload types of a stream, and what depends on their codecs.
 *
 * @param payloads the payload types in order of appearance, at most eight
 * @param pace the time from one packet to the next
 * @param jitter of the stream
 * @param unmeasured packets that jitter does not include
 * @param audio when the stream carried audio
 * @param keys key presses; null if there was none
 */
public record MediaFigures(
        List<PayloadFigures> payloads,
        Pace pace,
        Jitter jitter,
        Unmeasured unmeasured,
        AudioFigures audio,
        @Nullable KeyFigures keys) {
    /** Copies the list. */
    public MediaFigures {
        payloads = List.copyOf(payloads);
    }

    /**
     * The time from one packet to the next.
     *
     * @param payloadType of the last packet, whose clock counts; -1 before the first
     * @param ticks the usual step of the timestamp; -1 before the first one
     */
    public record Pace(int payloadType, int ticks) {}

    /**
     * Interarrival jitter (RFC 3550, A.8).
     *
     * @param isKnown whether the clock of any packet was known
     * @param level in milliseconds
     * @param sumMs of the jitter after each sample
     * @param samples packets that were compared with the one before
     * @param skewMs media time minus arrival time since the first packet
     * @param timestampJumps steps of 10 s or more, which count as no sample
     */
    public record Jitter(boolean isKnown, Level level, double sumMs, long samples, double skewMs, int timestampJumps) {}

    /**
     * Jitter in milliseconds.
     *
     * @param lastMs after the last packet
     * @param maxMs the highest
     * @param openMaxMs the highest since the open interval began
     */
    public record Level(double lastMs, double maxMs, double openMaxMs) {}

    /**
     * Packets without a clock.
     *
     * @param untimed whose codec was not known in time, and those that wait for one now
     * @param waiting packets whose measurement waits until the codec of a payload type is known; who learns it later
     *     cannot make up for them
     */
    public record Unmeasured(int untimed, int waiting) {}
}
