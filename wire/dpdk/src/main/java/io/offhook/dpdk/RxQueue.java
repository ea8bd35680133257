package io.offhook.dpdk;

/**
 * A receive queue of a started port. One thread at a time, which should be {@linkplain Eal#registerThread registered}.
 */
public final class RxQueue extends BurstQueue {
    RxQueue(EthPort port, int number, boolean isCritical) {
        super(port, number, isCritical, EthdevLayout.FP_RX_BURST, EthdevLayout.FP_RX_QUEUES);
    }

    /**
     * Receives the packets that have arrived, as many as the array holds, without waiting. Some drivers deliver nothing
     * to arrays of less than 32. A stopped port delivers nothing.
     *
     * @param burst an empty array, which then owns the packets
     * @return the number of packets received
     * @throws IllegalStateException if the array is not empty
     */
    public int receive(MbufArray burst) {
        if (!burst.isEmpty()) {
            throw new IllegalStateException("the array has " + burst.count() + " mbufs that would be lost");
        }
        int count = call(burst, burst.capacity());
        burst.count(count);
        return count;
    }
}
