package io.offhook.monitor;

/**
 * What a thread did in a time.
 *
 * @param elapsedNs the time, in nanoseconds
 * @param userNs on a processor in user mode; with {@code systemNs} exact, and shared out between both by the kernel's samples,
 *     of which short times have few
 * @param systemNs on a processor in system mode
 * @param waitedNs runnable, but without a processor: in a run queue; -1 if the kernel does not account it
 * @param voluntarySwitches how often it gave its processor up to wait
 * @param involuntarySwitches how often its processor was taken away
 * @param migrations how often it was moved to another processor; -1 if the kernel does not say
 */
public record ThreadUse(
        long elapsedNs,
        long userNs,
        long systemNs,
        long waitedNs,
        long voluntarySwitches,
        long involuntarySwitches,
        long migrations) {
    /** What it did between two readings. */
    static ThreadUse between(TaskReading from, long fromNs, TaskReading to, long toNs, long tickNs) {
        long user = to.userTicks() - from.userTicks();
        long system = to.systemTicks() - from.systemTicks();
        long ran = to.ranNs() < 0 ? (user + system) * tickNs : to.ranNs() - Math.max(0, from.ranNs());
        // without a tick in the time, as they were shared out in its life
        boolean isTicked = user + system > 0;
        long userPart = isTicked ? user : to.userTicks();
        long all = isTicked ? user + system : to.userTicks() + to.systemTicks();
        long userNs = all == 0 ? ran : Math.round((double) ran * userPart / all);
        return new ThreadUse(
                toNs - fromNs,
                userNs,
                ran - userNs,
                to.waitedNs() < 0 ? -1 : to.waitedNs() - Math.max(0, from.waitedNs()),
                to.voluntary() - from.voluntary(),
                to.involuntary() - from.involuntary(),
                to.migrations() < 0 ? -1 : to.migrations() - from.migrations());
    }

    /** This and what it did in another time. */
    public ThreadUse plus(ThreadUse other) {
        return new ThreadUse(
                elapsedNs + other.elapsedNs,
                userNs + other.userNs,
                systemNs + other.systemNs,
                waitedNs < 0 || other.waitedNs < 0 ? -1 : waitedNs + other.waitedNs,
                voluntarySwitches + other.voluntarySwitches,
                involuntarySwitches + other.involuntarySwitches,
                migrations < 0 || other.migrations < 0 ? -1 : migrations + other.migrations);
    }

    /** The part of the time that it had a processor, 0 to 1. */
    public double cpu() {
        return share(userNs + systemNs);
    }

    /** The part of the time that it had a processor in user mode, 0 to 1. */
    public double user() {
        return share(userNs);
    }

    /** The part of the time that it had a processor in system mode, 0 to 1. */
    public double system() {
        return share(systemNs);
    }

    /** The part of the time that it was runnable without a processor, 0 to 1; NaN if that is not known. */
    public double waited() {
        return waitedNs < 0 ? Double.NaN : share(waitedNs);
    }

    /** A part of the time, 0 to 1: readings are not taken at one moment, so that the sum may pass the time by a little. */
    private double share(long ns) {
        return elapsedNs <= 0 ? 0 : Math.clamp((double) ns / elapsedNs, 0, 1);
    }
}
