package io.offhook.monitor;

/** What a thread of a JVM does, as {@link Thread.State} has it, but with three kinds of waiting apart: the five states of VisualVM. */
public enum JavaState {
    /** Runs Java or native code, is ready to, or waits in the kernel, such as for a socket: {@link Thread.State#RUNNABLE}. */
    RUNNING('R'),
    /** In {@link Thread#sleep(long)}. */
    SLEEPING('S'),
    /** In {@link Object#wait()}. */
    WAIT('W'),
    /** In {@link java.util.concurrent.locks.LockSupport#park()}: locks, queues and pools of {@code java.util.concurrent}. */
    PARK('P'),
    /** Waits to enter a {@code synchronized} block or method that another thread is in: {@link Thread.State#BLOCKED}. */
    MONITOR('M');

    private final char letter;

    JavaState(char letter) {
        this.letter = letter;
    }

    /** A letter for it, the first of its name. */
    public char letter() {
        return letter;
    }
}
