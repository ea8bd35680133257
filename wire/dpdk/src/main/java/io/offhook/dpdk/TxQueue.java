package io.offhook.dpdk;

/** A send queue of a started port. One thread at a time, which should be {@linkplain Eal#registerThread registered}. */
public final class TxQueue extends BurstQueue {
    TxQueue(EthPort port, int number, boolean isCritical) {
        super(port, number, isCritical, EthdevLayout.FP_TX_BURST, EthdevLayout.FP_TX_QUEUES);
    }

    /**
     * Sends packets, as many as the queue has room for, without waiting. Those sent belong to the driver, which frees
     * them some time later. The others stay in the array, at its front, to be sent again or freed. A stopped port sends
     * nothing.
     *
     * @return the number of packets sent, from the first on
     */
    public int send(MbufArray burst) {
        int count = burst.count();
        if (count == 0) {
            return 0;
        }
        int sent = call(burst, count);
        burst.removeFirst(sent);
        return sent;
    }
}
