package io.offhook.live.replay;

/**
 * When each frame of a replay is due, in nanoseconds since its first. Nothing but arithmetic: no clock is read. Due times are
 * computed from the beginning, never from the frame before, so that no error adds up; they never go back.
 */
final class ReplaySchedule {
    private static final double SECOND_NS = 1e9;

    private final ReplaySpeed speed;
    private long frames;
    private long bits;
    private long dueNs;

    /** Of the pass: when its first frame is due, when that was recorded, and how far the recording has come. */
    private long passDueNs;

    private long passFrames;
    private long firstNs;
    private long elapsedNs;

    ReplaySchedule(ReplaySpeed speed) {
        this.speed = speed;
    }

    /**
     * The frames begin anew. What was recorded goes on after a gap as long as the gaps were on average.
     */
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
     * The next frame.
     *
     * @param timestampNs when it was recorded; earlier than one before it counts as at the same time
     * @param bytes as it is sent
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
