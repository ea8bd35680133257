package io.offhook.linux;

import io.offhook.linux.libc.SignalHeader;

/** A signal that this process may receive, signal(7). */
public enum ProcessSignal {
    /** SIGINT: Ctrl-C on the terminal. */
    INTERRUPT(2),
    /** SIGTERM: a request to end, by kill(1) or systemd. */
    TERMINATE(15);

    private final int number;

    ProcessSignal(int number) {
        this.number = number;
    }

    /** The number of the signal in the kernel. */
    int number() {
        return number;
    }

    /**
     * Restores the kernel's default action permanently; for these signals, it ends the process at once. A signal that
     * is ignored, as in a process that a shell runs in the background, stays ignored.
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
