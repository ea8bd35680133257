package io.offhook.monitor;

/**
 * How long a thread of a JVM was in each state, in nanoseconds; together the time that it was watched.
 *
 * @param runningNs in {@link JavaState#RUNNING}
 * @param sleepingNs in {@link JavaState#SLEEPING}
 * @param waitNs in {@link JavaState#WAIT}
 * @param parkNs in {@link JavaState#PARK}
 * @param monitorNs in {@link JavaState#MONITOR}
 */
public record StateTimes(long runningNs, long sleepingNs, long waitNs, long parkNs, long monitorNs) {
    /** No time. */
    public static final StateTimes NONE = new StateTimes(0, 0, 0, 0, 0);

    /** The time in a state, in nanoseconds. */
    public long ns(JavaState state) {
        return switch (state) {
            case RUNNING -> runningNs;
            case SLEEPING -> sleepingNs;
            case WAIT -> waitNs;
            case PARK -> parkNs;
            case MONITOR -> monitorNs;
        };
    }

    /** The time in all states, in nanoseconds. */
    public long elapsedNs() {
        return runningNs + sleepingNs + waitNs + parkNs + monitorNs;
    }

    /** The part of the time in a state, 0 to 1; NaN if there was no time. */
    public double share(JavaState state) {
        return elapsedNs() == 0 ? Double.NaN : (double) ns(state) / elapsedNs();
    }

    /** This time and another. */
    public StateTimes plus(StateTimes other) {
        return new StateTimes(
                runningNs + other.runningNs,
                sleepingNs + other.sleepingNs,
                waitNs + other.waitNs,
                parkNs + other.parkNs,
                monitorNs + other.monitorNs);
    }

    /** This time with a part of it in another state than running. */
    StateTimes moved(long ns, JavaState to) {
        long part = Math.min(ns, runningNs);
        return new StateTimes(
                runningNs - part,
                sleepingNs + (to == JavaState.SLEEPING ? part : 0),
                waitNs + (to == JavaState.WAIT ? part : 0),
                parkNs + (to == JavaState.PARK ? part : 0),
                monitorNs + (to == JavaState.MONITOR ? part : 0));
    }
}
