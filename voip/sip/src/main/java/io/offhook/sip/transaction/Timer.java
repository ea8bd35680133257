package io.offhook.sip.transaction;

import org.jspecify.annotations.Nullable;

/** A timer that a {@link TimerWheel} holds while it runs. Belongs to one owner, and is started again and again. */
public final class Timer {
    /** What a timer's owner does when it expires. */
    @FunctionalInterface
    public interface Owner {
        /** Called once the timer has expired; it no longer runs, and may be started again. */
        void expired(Timer timer, long nowNs);
    }

    final Owner owner;

    @Nullable
    Timer previous;

    @Nullable
    Timer next;
    /** The list of the wheel that it is in; -1 if it does not run. */
    int slot = -1;
    /** When it expires, in ticks. */
    long tick;

    /** Creates a timer that does not run. */
    public Timer(Owner owner) {
        this.owner = owner;
    }

    /** Whether it runs. */
    public boolean isRunning() {
        return slot >= 0;
    }
}
