package io.offhook.rtp.figures;

import java.util.List;

/**
 * When a stream carried audio: packets that have a payload and are no key presses.
 *
 * @param firstNs the arrival of the first one, nanoseconds since the epoch; Long.MIN_VALUE if there was none
 * @param lastNs the arrival of the last one, likewise
 * @param isLastNoise whether the last one describes background noise
 * @param emptyAtEnd packets since that carried nothing
 * @param pauses the first 256 times of two seconds or more without audio
 * @param dropped further ones
 */
public record AudioFigures(
        long firstNs, long lastNs, boolean isLastNoise, int emptyAtEnd, List<Pause> pauses, int dropped) {
    /** Copies the list. */
    public AudioFigures {
        pauses = List.copyOf(pauses);
    }

    /**
     * A pause, as {@code io.offhook.rtp.AudioPause} has it.
     *
     * @param fromNs the arrival of the last audio packet before it
     * @param untilNs the arrival of the first one after it
     * @param missing sequence numbers between the two that no empty packet had
     * @param empty packets between the two that carried nothing
     * @param mediaMs by how much the timestamp advanced; 0 if its clock is unknown
     * @param isAfterComfortNoise whether the last packet before it describes background noise
     */
    public record Pause(
            long fromNs, long untilNs, long missing, int empty, double mediaMs, boolean isAfterComfortNoise) {}
}
