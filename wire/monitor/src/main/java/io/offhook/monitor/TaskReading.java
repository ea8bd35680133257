package io.offhook.monitor;

/**
 * What the kernel counts of a thread, from its beginning: proc(5), the files stat, schedstat, status and sched of a task.
 *
 * @param state as stat has it: {@code R} running or runnable, {@code S} asleep, {@code D} asleep and not to be woken, and so on
 * @param processor the one that it ran on last
 * @param userTicks clock ticks in user mode, as the kernel shares {@code ranNs} out by samples
 * @param systemTicks clock ticks in system mode
 * @param ranNs nanoseconds on a processor
 * @param waitedNs nanoseconds runnable without one
 * @param voluntary how often it gave its processor up to wait
 * @param involuntary how often its processor was taken away
 * @param migrations how often it was moved to another processor; -1 if the kernel does not say
 */
record TaskReading(
        char state,
        int processor,
        long userTicks,
        long systemTicks,
        long ranNs,
        long waitedNs,
        long voluntary,
        long involuntary,
        long migrations) {
    /** Nothing yet. */
    static final TaskReading NONE = new TaskReading('?', -1, 0, 0, 0, 0, 0, 0, 0);

    /** The same in another state. */
    TaskReading in(char now) {
        return now == state
                ? this
                : new TaskReading(
                        now, processor, userTicks, systemTicks, ranNs, waitedNs, voluntary, involuntary, migrations);
    }
}
