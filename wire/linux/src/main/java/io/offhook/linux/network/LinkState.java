package io.offhook.linux.network;

/** The state of a network interface. */
public enum LinkState {
    /** The interface can send and receive. */
    UP,
    /** The interface is set up, but the other end is missing: no cable, or the peer is down. */
    NO_CARRIER,
    /** The interface is set down ({@code ip link set ... down}). */
    DOWN,
    /**
     * The interface no longer exists, or is in another network namespace; a new one of the same name is a different
     * interface.
     */
    GONE
}
