package io.offhook.forward;

/** Where one lane reads packets of a port. */
public interface ReceiveQueue {
    /**
     * Adds packets that have come to a burst, without waiting: at most as many as it has {@link Burst#room()} for.
     *
     * @param port the port's number, for the packets
     * @return how many
     */
    int receive(Burst burst, int port);

    /** A descriptor that poll(2) says is readable when packets have come; -1 where there is none. */
    default int descriptor() {
        return -1;
    }
}
