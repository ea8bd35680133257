package io.offhook.rtp;

import io.offhook.rtp.figures.AudioFigures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a stream carried audio: packets that have a payload and are no key presses. Keeps the first {@value #LIMIT} pauses
 * and counts the others.
 */
final class AudioPauses {
    private static final long LEAST_NS = 2_000_000_000L;
    private static final int LIMIT = 256;

    private long firstNs = Long.MIN_VALUE;
    private long lastNs = Long.MIN_VALUE;
    private long lastNumber;
    private int lastTimestamp;
    private boolean lastIsNoise;
    private int dropped;
    private long emptySinceNs = Long.MIN_VALUE;
    private int empty;
    private @Nullable List<AudioPause> pauses;

    /** The pauses as figures have them. */
    static AudioPauses of(AudioFigures figures) {
        AudioPauses audio = new AudioPauses();
        audio.firstNs = figures.firstNs();
        audio.lastNs = figures.lastNs();
        audio.lastIsNoise = figures.isLastNoise();
        audio.emptySinceNs = figures.lastNs();
        audio.empty = figures.emptyAtEnd();
        audio.dropped = figures.dropped();
        if (!figures.pauses().isEmpty()) {
            List<AudioPause> pauses = new ArrayList<>(figures.pauses().size());
            for (AudioFigures.Pause pause : figures.pauses()) {
                pauses.add(new AudioPause(
                        pause.fromNs(),
                        pause.untilNs(),
                        pause.missing(),
                        pause.empty(),
                        pause.mediaMs(),
                        pause.isAfterComfortNoise()));
            }
            audio.pauses = pauses;
        }
        return audio;
    }

    AudioFigures figures() {
        List<AudioFigures.Pause> kept = new ArrayList<>(pauses == null ? 0 : pauses.size());
        for (AudioPause pause : pauses == null ? List.<AudioPause>of() : pauses) {
            kept.add(new AudioFigures.Pause(
                    pause.fromNs(),
                    pause.untilNs(),
                    pause.missing(),
                    pause.empty(),
                    pause.mediaMs(),
                    pause.isAfterComfortNoise()));
        }
        return new AudioFigures(firstNs, lastNs, lastIsNoise, emptyAtEnd(), kept, dropped);
    }

    /**
     * Whether a packet that arrives now would end no pause, nor begin the audio, nor follow silence; those that follow it
     * without a pause would not either.
     */
    boolean isFollowedBy(long arrivalNs) {
        return lastNs != Long.MIN_VALUE && !lastIsNoise && arrivalNs >= lastNs && arrivalNs - lastNs < LEAST_NS;
    }

    /** Adds such packets; the last one is this. */
    void next(long arrivalNs, int timestamp, long number) {
        lastNs = arrivalNs;
        lastNumber = number;
        lastTimestamp = timestamp;
    }

    /** @param msPerTick of the timestamp; 0 if unknown */
    void packet(long arrivalNs, int timestamp, long number, double msPerTick, boolean isNoise) {
        if (arrivalNs - lastNs >= LEAST_NS && lastNs != Long.MIN_VALUE) {
            pause(arrivalNs, timestamp, number, msPerTick);
        } else if (lastNs == Long.MIN_VALUE) {
            firstNs = arrivalNs;
        }
        lastNs = Math.max(lastNs, arrivalNs);
        lastNumber = number;
        lastTimestamp = timestamp;
        lastIsNoise = isNoise;
    }

    /** Adds a packet that carries nothing. */
    void empty() {
        if (emptySinceNs != lastNs) {
            emptySinceNs = lastNs;
            empty = 0;
        }
        empty++;
    }

    private void pause(long arrivalNs, int timestamp, long number, double msPerTick) {
        List<AudioPause> pauses = this.pauses;
        if (pauses == null) {
            pauses = new ArrayList<>(2);
            this.pauses = pauses;
        }
        if (pauses.size() == LIMIT) {
            dropped++;
            return;
        }
        double mediaMs = (timestamp - lastTimestamp) * msPerTick;
        int empty = emptyAtEnd();
        long missing = number - lastNumber - 1 - empty;
        pauses.add(new AudioPause(lastNs, arrivalNs, missing, empty, mediaMs, lastIsNoise));
    }

    /** When the first audio arrived; Long.MIN_VALUE if there was none. */
    long firstNs() {
        return firstNs;
    }

    /** When the last audio arrived; Long.MIN_VALUE if there was none. */
    long lastNs() {
        return lastNs;
    }

    /** Whether the last audio packet describes background noise. */
    boolean isLastNoise() {
        return lastIsNoise;
    }

    /** Packets that carried nothing since the last audio. */
    int emptyAtEnd() {
        return emptySinceNs == lastNs ? empty : 0;
    }

    List<AudioPause> pauses() {
        return pauses == null ? List.of() : List.copyOf(pauses);
    }

    int dropped() {
        return dropped;
    }
}
