package io.offhook.rtp;

import io.offhook.rtp.figures.MediaFigures;
import java.util.Arrays;

/**
 * The packet time (ptime) of a stream, in ticks of its clock: the step of the timestamp between most pairs of packets
 * with consecutive numbers; of equally frequent ones the shortest. Knows the first {@value #LIMIT} different steps of a
 * run.
 */
final class PacketTime {
    private static final int LIMIT = 8;
    private static final int DEFAULT_MS = 20;

    private static final int[] NONE = {};

    private int step;
    private int count;
    /** The other steps and how often each occurred, in turn. */
    private int[] others = NONE;

    /** Counts further steps of the {@linkplain #usual usual} length. */
    void add(int times) {
        count += times;
    }

    /** The step that most pairs had; 0 before the first. */
    int usual() {
        return step;
    }

    /** Counts the step between two packets with consecutive numbers; steps that do not advance say nothing. */
    void step(int ticks) {
        if (ticks == step) {
            count++;
        } else if (ticks > 0) {
            other(ticks);
        }
    }

    private void other(int ticks) {
        if (count == 0) {
            step = ticks;
            count = 1;
            return;
        }
        int at = 0;
        while (at < others.length && others[at] != ticks) {
            at += 2;
        }
        if (at == others.length) {
            if (at == 2 * (LIMIT - 1)) {
                return;
            }
            others = Arrays.copyOf(others, at + 2);
            others[at] = ticks;
        }
        int times = ++others[at + 1];
        if (times > count || times == count && ticks < step) {
            others[at] = step;
            others[at + 1] = count;
            step = ticks;
            count = times;
        }
    }

    /** Forgets all steps: the sender started over. */
    void clear() {
        step = 0;
        count = 0;
        others = NONE;
    }

    /**
     * The packet time in ticks; 20 ms before the first pair.
     *
     * @param clockRate in Hz, above 0
     */
    int ticks(int clockRate) {
        return count > 0 ? step : Math.max(1, clockRate / 1000 * DEFAULT_MS);
    }

    /** As if all steps so far had been those. */
    static PacketTime of(MediaFigures.Pace figures) {
        PacketTime time = new PacketTime();
        time.step = Math.max(0, figures.ticks());
        time.count = figures.ticks() >= 0 ? 1 : 0;
        return time;
    }

    /** @param payloadType of the last packet; -1 before the first */
    MediaFigures.Pace figures(int payloadType) {
        return new MediaFigures.Pace(payloadType, count > 0 ? step : -1);
    }
}
