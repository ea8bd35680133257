package io.offhook.dpdk;

/** A receive queue of a port that was started. One thread at a time, a {@linkplain Eal#registerThread registered} one. */
public final class RxQueue {
    private final BurstCalls calls;

    RxQueue(EthPort port, int number, boolean isCritical) {
        calls = new BurstCalls(port, number, isCritical, EthdevLayout.FP_RX_BURST, EthdevLayout.FP_RX_QUEUES);
    }

    /**
     * Takes the packets that have come, as many as there are and the array holds; it does not wait. Some drivers give none
     * to arrays of less than 32. Of a port that was stopped, none comes.
     *
     * @param burst empty; the packets are its then
     * @return how many came
     * @throws IllegalStateException where the array is not empty
     */
    public int receive(MbufArray burst) {
        if (!burst.isEmpty()) {
            throw new IllegalStateException("the array has " + burst.count() + " mbufs that would be lost");
        }
        int count = calls.call(burst, burst.capacity());
        burst.count(count);
        return count;
    }

    /** The port was stopped. */
    void stop() {
        calls.stop();
    }

    /** Whose it is. */
    public EthPort port() {
        return calls.port;
    }

    /** Which of the port's, from 0. */
    public int number() {
        return calls.number;
    }

    /** Whether bursts are critical calls. */
    public boolean isCritical() {
        return calls.isCritical;
    }
}
