package io.offhook.transport;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether the thread of a lane sleeps, so that others wake it up by a system call only then. A wake-up while it is awake
 * cancels its next sleep: it may have looked at its mailbox before.
 */
final class WaitState {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int NOTIFIED = 2;

    private final AtomicInteger state = new AtomicInteger();

    /** Called before a sleep. Returns false if there must be none. */
    boolean sleeps() {
        if (state.compareAndSet(AWAKE, ASLEEP)) {
            return true;
        }
        state.set(AWAKE);
        return false;
    }

    /** Called after a sleep. */
    void woke() {
        state.getAndSet(AWAKE);
    }

    /** Whether a wake-up has come since the last sleep. */
    boolean isNotified() {
        return state.getOpaque() == NOTIFIED;
    }

    /** Called by other threads. Returns whether the lane sleeps, and has to be woken up. */
    boolean notifyLane() {
        return state.getAndSet(NOTIFIED) == ASLEEP;
    }
}
