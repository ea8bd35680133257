package io.offhook.dpdk;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** A send queue of a port that was started. One thread at a time, a {@linkplain Eal#registerThread registered} one. */
public final class TxQueue {
    private final EthPort port;
    private final int number;
    private final boolean isCritical;
    /** Where the function stands, and where its queues: both change when the port stops, and are read for each burst. */
    private final long functionPlace;

    private final long queues;
    /** The function that stood there last: a segment is not made for each burst. */
    private MemorySegment function = MemorySegment.NULL;

    private boolean isStopped;

    TxQueue(EthPort port, int number, boolean isCritical) {
        this.port = port;
        this.number = number;
        this.isCritical = isCritical;
        long operations = RteEthdev.FP_OPS + (long) port.number() * EthdevLayout.FP_OPS_BYTES;
        functionPlace = operations + EthdevLayout.FP_TX_BURST;
        queues = operations + EthdevLayout.FP_TX_QUEUES;
    }

    /**
     * Sends packets, as many as the queue has room for; it does not wait. Those taken are the driver's, which frees them
     * sooner or later. Those left stay in the array, at its front: to be sent again, or freed.
     *
     * @return how many were taken, from the first on
     */
    public int send(MbufArray burst) {
        int count = burst.count();
        if (count == 0 || isStopped) {
            return 0;
        }
        long queue = MbufView.u64(MbufView.u64(queues) + ((long) number << 3));
        long address = MbufView.u64(functionPlace);
        MemorySegment function = this.function;
        if (function.address() != address) {
            function = MemorySegment.ofAddress(address);
            this.function = function;
        }
        try {
            int sent = isCritical
                    ? RteEthdev.criticalBurst(function, queue, burst.address(), count)
                    : RteEthdev.burst(function, queue, burst.address(), count);
            burst.removeFirst(sent);
            return sent;
        } finally {
            Reference.reachabilityFence(burst);
        }
    }

    /** The port was stopped. A thread that has not heard of it is met by DPDK's own function, which complains. */
    void stop() {
        isStopped = true;
    }

    /** Whose it is. */
    public EthPort port() {
        return port;
    }

    /** Which of the port's, from 0. */
    public int number() {
        return number;
    }

    /** Whether bursts are critical calls. */
    public boolean isCritical() {
        return isCritical;
    }
}
