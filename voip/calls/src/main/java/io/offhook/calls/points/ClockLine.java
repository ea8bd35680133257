package io.offhook.calls.points;

/**
 * How the clock of capture B differs from that of A: {@code b - a = offset + drift * (a - at)}.
 *
 * @param atNs the time on A's clock at which the offset holds, nanoseconds since the epoch
 * @param offsetNs b - a at that time, nanoseconds
 * @param driftPpm by how much B's clock is faster, parts per million; NaN if the matched packets span too short a time
 * @param packets how many matched packets it rests on
 * @param isFromBothDirections whether packets of both directions of a call were matched, so that the offset is free of
 *     the delay as far as that is the same in both; if not, it contains the delay
 */
public record ClockLine(long atNs, double offsetNs, double driftPpm, long packets, boolean isFromBothDirections) {
    /** Both captures have the same clock. */
    public static final ClockLine SAME = new ClockLine(0, 0, 0, 0, true);

    /** The time on A's clock of a time on B's. */
    public long toA(long bNs) {
        double drift = Double.isNaN(driftPpm) ? 0 : driftPpm / 1e6;
        double sinceNs = (bNs - atNs) - offsetNs;
        return atNs + Math.round(sinceNs / (1 + drift));
    }
}
