package io.offhook.forward;

/** What a lane does while no packet comes. */
public enum IdleStrategy {
    /** Asks again at once: the lowest latency, and all of a processor. */
    SPIN,
    /** Lets others run, and asks again. */
    YIELD,
    /** Sleeps until packets come or a millisecond has gone by. */
    PARK
}
