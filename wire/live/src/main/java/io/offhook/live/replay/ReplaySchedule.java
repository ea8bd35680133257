package io.offhook.live.replay;

/**
 * Computes when each frame of a replay is due, in nanoseconds since the first. Pure arithmetic; no clock is read. Due
 * times are computed from the start, never from the previous frame, so that errors do not add up; they never go back.
 */
final class ReplaySchedule {
    private static final double SECOND_NS = 1e9;

    private final ReplaySpeed speed;
    private long frames;
    private long bits;
    private long dueNs;

    /**
     * For the current pass: when its first frame is due, when that frame was recorded, and how far the recording has
     * come.
     */
    private long passDueNs;

    private long passFrames;
    private long firstNs;
    private long elapsedNs;

    ReplaySchedule(ReplaySpeed speed) {
        this.speed = speed;
    }

    /** Starts the next pass. It follows after a gap as long as the average gap of the recording. */
    void beginPass() {
        if (passFrames > 1) {
            passDueNs = dueNs + scaled(elapsedNs / (passFrames - 1));
        } else {
            passDueNs = dueNs;
        }
        passFrames = 0;
        elapsedNs = 0;
    }

    /**
     * Schedules the next frame.
     *
     * @param timestampNs when it was recorded; a time before that of an earlier frame counts as the same time
     * @param bytes its length as sent
     * @return when it is due
     */
    long next(long timestampNs, int bytes) {
        dueNs = switch (speed.kind()) {
            case RECORDED -> recorded(timestampNs);
            case FRAMES -> (long) (frames * (SECOND_NS / speed.value()));
            case BITS -> (long) (bits * (SECOND_NS / speed.value()));
            case TOP -> 0;
        };
        frames++;
        bits += bytes * 8L;
        return dueNs;
    }

    private long recorded(long timestampNs) {
        if (passFrames++ == 0) {
            firstNs = timestampNs;
        }
        elapsedNs = Math.max(elapsedNs, timestampNs - firstNs);
        return passDueNs + scaled(elapsedNs);
    }

    private long scaled(long ns) {
        return speed.value() == 1 ? ns : (long) (ns / speed.value());
    }
}
