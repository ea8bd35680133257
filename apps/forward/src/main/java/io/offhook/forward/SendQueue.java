package io.offhook.forward;

/** A queue through which one lane sends packets by a port. */
public interface SendQueue {
    /**
     * Sends packets in order, without waiting. The lane keeps the buffers, except those
     * {@linkplain Burst#handOver handed over} to the queue, which is allowed for packets that are
     * {@linkplain Burst#isNeededAgain not needed again}.
     *
     * @param indexes of the packets in the burst
     * @param count the number of packets, at least 1
     * @return the number of packets sent; the others are lost
     */
    int send(Burst burst, int[] indexes, int count);

    /** The number of packets whose bytes had to be copied. */
    long copies();
}
