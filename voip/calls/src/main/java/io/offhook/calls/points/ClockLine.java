package io.offhook.calls.points;

/**
 * How the clock of a capture differs from that of A, the first one: {@code b - a = offset + drift * (a - at)}.
 *
 * @param atNs the time on A's clock at which the offset holds, nanoseconds since the epoch
 * @param offsetNs b - a at that time, nanoseconds
 * @param uncertaintyNs by how much the offset may be wrong, nanoseconds: half of the least round trip between the
 *     points, as only the sum of both directions' delays is known; NaN if only packets that pass the points in one order were matched
 * @param driftPpm by how much B's clock is faster, parts per million; NaN if the matched packets span too short a time
 * @param driftErrorPpm by how much the drift may be wrong, parts per million; NaN without a drift
 * @param basis what the offset rests on
 * @param samples packets and messages that both captures have
 */
public record ClockLine(
        long atNs,
        double offsetNs,
        double uncertaintyNs,
        double driftPpm,
        double driftErrorPpm,
        Basis basis,
        long samples) {
    /** The clock of A itself, and of each capture that is known to have the same one. */
    public static final ClockLine SAME = new ClockLine(0, 0, 0, 0, 0, Basis.SAME, 0);

    /** What an offset rests on. */
    public enum Basis {
        /** The captures are known to have one clock. */
        SAME("same"),
        /** Packets of both directions: the least delays are taken to be the same in both. */
        BOTH_DIRECTIONS("bothDirections"),
        /** Packets that pass the points in one order only, or at one place: the offset contains the least delay. */
        ONE_DIRECTION("oneDirection");

        private final String label;

        Basis(String label) {
            this.label = label;
        }

        /** The name in JSON. */
        public String label() {
            return label;
        }
    }

    /** Whether a drift was found that is more than the error of the estimate. */
    public boolean hasDrift() {
        return Math.abs(driftPpm) > driftErrorPpm;
    }

    /** Whether times on both clocks can be compared, so that delays are what they seem. */
    public boolean isComparable() {
        return basis != Basis.ONE_DIRECTION;
    }

    /** The time on A's clock of a time on B's. */
    public long toA(long bNs) {
        if (basis == Basis.SAME) {
            return bNs;
        }
        double drift = hasDrift() ? driftPpm / 1e6 : 0;
        double sinceNs = (bNs - atNs) - offsetNs;
        return atNs + Math.round(sinceNs / (1 + drift));
    }
}
