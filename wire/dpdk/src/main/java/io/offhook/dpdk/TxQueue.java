package io.offhook.dpdk;

/** A send queue of a port that was started. One thread at a time, a {@linkplain Eal#registerThread registered} one. */
public final class TxQueue {
    private final BurstCalls calls;

    TxQueue(EthPort port, int number, boolean isCritical) {
        calls = new BurstCalls(port, number, isCritical, EthdevLayout.FP_TX_BURST, EthdevLayout.FP_TX_QUEUES);
    }

    /**
     * Sends packets, as many as the queue has room for; it does not wait. Those taken are the driver's, which frees them
     * sooner or later. Those left stay in the array, at its front: to be sent again, or freed. A port that was stopped takes
     * none.
     *
     * @return how many were taken, from the first on
     */
    public int send(MbufArray burst) {
        int count = burst.count();
        if (count == 0) {
            return 0;
        }
        int sent = calls.call(burst, count);
        burst.removeFirst(sent);
        return sent;
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
