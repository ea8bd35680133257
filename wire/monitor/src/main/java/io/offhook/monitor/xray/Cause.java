package io.offhook.monitor.xray;

/**
 * What a moment of a gap is put down to, in the order in which they are tried: the first that holds has it. What stops all threads
 * comes first, then what keeps a thread from its work, then that nobody has begun it, then the work.
 */
public enum Cause {
    /** All threads were stopped for the garbage collector. */
    GC('G', "garbage collector"),
    /** All threads were stopped for something else. */
    SAFEPOINT('S', "other safepoint"),
    /** A thread that takes part was blocked on a monitor. */
    MONITOR('M', "blocked on a monitor"),
    /** A thread that takes part could have run, but had no processor. */
    RUN_QUEUE('Q', "in a run queue"),
    /** The message waited in the socket: whoever should have read it was busy with another, or waited. */
    UNREAD('U', "unread in the socket"),
    /** A thread that takes part ran. */
    CPU('C', "on a processor"),
    /** None of these: threads waited for something else, such as a timer, a database or another host. */
    WAITING('W', "waiting for something else"),
    /** Nothing was seen of it: the gap is shorter than two samples, or samples came late. */
    UNSEEN('.', "too short to see, or not sampled");

    private final char letter;
    private final String label;

    Cause(char letter, String label) {
        this.letter = letter;
        this.label = label;
    }

    /** A letter for it, in bars. */
    public char letter() {
        return letter;
    }

    /** In words. */
    public String label() {
        return label;
    }
}
