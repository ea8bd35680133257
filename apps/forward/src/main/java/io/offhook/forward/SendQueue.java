package io.offhook.forward;

/** Where one lane sends packets by a port. */
public interface SendQueue {
    /**
     * Sends packets in their order, without waiting. A buffer stays the lane's, unless the queue has
     * {@linkplain Burst#handOver taken it}, which it may where it {@linkplain Burst#isNeededAgain is not needed again}.
     *
     * @param indexes of the packets in the burst
     * @param count how many of them, 1 or more
     * @return how many were sent; the others are lost
     */
    int send(Burst burst, int[] indexes, int count);

    /** Packets whose bytes it had to copy. */
    long copies();
}
