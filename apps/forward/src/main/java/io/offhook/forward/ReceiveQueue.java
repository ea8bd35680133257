package io.offhook.forward;

/** A queue from which one lane receives packets of a port. */
public interface ReceiveQueue {
    /**
     * Adds received packets to a burst without waiting, at most {@link Burst#room()}.
     *
     * @param port the number of the port, for {@link Burst#received}
     * @return how many
     */
    int receive(Burst burst, int port);

    /** A descriptor that poll(2) reports as readable when packets are available; -1 if there is none. */
    default int descriptor() {
        return -1;
    }
}
