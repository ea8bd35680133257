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

    /** Lets the kernel do with it what it does by itself, for these: end the process at once. For good. */
    public void restoreDefault() {
        LinuxException.check((int) Math.min(0, SignalHeader.signal(number, SignalHeader.SIG_DFL)), "signal " + number);
    }
}
