package io.offhook.linux;

/** Whether a network interface can send and receive. */
public enum LinkState {
    /** It can. */
    UP,
    /** It was set up, and the other end is missing: the cable, or the peer is down. */
    NO_CARRIER,
    /** It was set down ({@code ip link set ... down}). */
    DOWN,
    /** It is not there any more, or in another network namespace; one of the same name is another one. */
    GONE
}
