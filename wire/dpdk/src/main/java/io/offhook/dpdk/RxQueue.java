package io.offhook.dpdk;

/**
 * A receive queue of a started port. One thread at a time, which should be {@linkplain Eal#registerThread registered}.
 */
public final class RxQueue {
    private final BurstCalls calls;

    RxQueue(EthPort port, int number, boolean isCritical) {
        calls = new BurstCalls(port, number, isCritical, EthdevLayout.FP_RX_BURST, EthdevLayout.FP_RX_QUEUES);
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
        int count = calls.call(burst, burst.capacity());
        burst.count(count);
        return count;
    }

    /** Records that the port was stopped. */
    void stop() {
        calls.stop();
    }

    /** Returns the port of this queue. */
    public EthPort port() {
        return calls.port;
    }

    /** Returns its number among the port's receive queues, from 0. */
    public int number() {
        return calls.number;
    }

    /** Returns whether bursts are critical calls. */
    public boolean isCritical() {
        return calls.isCritical;
    }
}
