package io.offhook.monitor;

import io.offhook.linux.lanes.LaneReport;

/**
 * What a lane did in a time, as it says.
 *
 * @param elapsedNs the time, in nanoseconds
 * @param busyNs with work
 * @param idleNs without work
 * @param rounds how often it took work
 * @param frames that it took
 * @param stalls how often it worked for more than 10 ms without asking for more
 * @param drops frames that were lost at it
 */
public record LaneUse(long elapsedNs, long busyNs, long idleNs, long rounds, long frames, long stalls, long drops) {
    private static final double NS_A_SECOND = 1e9;

    /** What it did between two looks, whose time is given. */
    static LaneUse between(LaneReport from, LaneReport to, long elapsedNs) {
        return new LaneUse(
                elapsedNs,
                Math.max(0, to.busyNs() - from.busyNs()),
                Math.max(0, to.idleNs() - from.idleNs()),
                Math.max(0, to.rounds() - from.rounds()),
                Math.max(0, to.frames() - from.frames()),
                Math.max(0, to.stalls() - from.stalls()),
                Math.max(0, to.drops() - from.drops()));
    }

    /** This and what it did in another time. */
    public LaneUse plus(LaneUse other) {
        return new LaneUse(
                elapsedNs + other.elapsedNs,
                busyNs + other.busyNs,
                idleNs + other.idleNs,
                rounds + other.rounds,
                frames + other.frames,
                stalls + other.stalls,
                drops + other.drops);
    }

    /** The duty cycle: the part of its time in which it had work, 0 to 1; NaN if it does not say when it has. */
    public double duty() {
        double all = (double) busyNs + idleNs;
        return all <= 0 ? Double.NaN : busyNs / all;
    }

    /** Frames a second. */
    public double frameRate() {
        return elapsedNs <= 0 ? 0 : frames * NS_A_SECOND / elapsedNs;
    }
}
