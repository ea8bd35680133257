package io.offhook.dpdk;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** A receive queue of a port that was started. One thread at a time, a {@linkplain Eal#registerThread registered} one. */
public final class RxQueue {
    private final EthPort port;
    private final int number;
    private final boolean isCritical;
    /** Where the function stands, and where its queues: both change when the port stops, and are read for each burst. */
    private final long functionPlace;

    private final long queues;
    /** The function that stood there last: a segment is not made for each burst. */
    private MemorySegment function = MemorySegment.NULL;

    private boolean isStopped;

    RxQueue(EthPort port, int number, boolean isCritical) {
        this.port = port;
        this.number = number;
        this.isCritical = isCritical;
        long operations = RteEthdev.FP_OPS + (long) port.number() * EthdevLayout.FP_OPS_BYTES;
        functionPlace = operations + EthdevLayout.FP_RX_BURST;
        queues = operations + EthdevLayout.FP_RX_QUEUES;
    }

    /**
     * Takes the packets that have come, as many as there are and the array holds; it does not wait. Some drivers give none
     * to arrays of less than 32. Of a port that was stopped, none comes.
     *
     * @param burst empty; the packets are its then
     * @return how many came
     */
    public int receive(MbufArray burst) {
        if (!burst.isEmpty()) {
            throw new IllegalStateException("the array has " + burst.count() + " mbufs that would be lost");
        }
        if (isStopped) {
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
            int count = isCritical
                    ? RteEthdev.criticalBurst(function, queue, burst.address(), burst.capacity())
                    : RteEthdev.burst(function, queue, burst.address(), burst.capacity());
            burst.count(count);
            return count;
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
