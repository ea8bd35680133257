package io.offhook.linux;

/** A signal that this process gets, signal(7). */
public enum ProcessSignal {
    /** Ctrl-C on the terminal. */
    INTERRUPT(2),
    /** Asked to end, by kill(1) or systemd. */
    TERMINATE(15);

    private final int number;

    ProcessSignal(int number) {
        this.number = number;
    }

    /** As the kernel counts them. */
    int number() {
        return number;
    }

    /**
     * Lets the kernel do with it what it does by itself, for these: end the process at once. For good. One that is ignored,
     * as in a process that a shell runs in the background, stays so.
     */
    public void restoreDefault() {
        if (set(SignalHeader.SIG_DFL) == SignalHeader.SIG_IGN) {
            set(SignalHeader.SIG_IGN);
        }
    }

    private long set(long handler) {
        long before = SignalHeader.signal(number, handler);
        if (before < 0) {
            throw new LinuxException("signal " + number, (int) -before);
        }
        return before;
    }
}
