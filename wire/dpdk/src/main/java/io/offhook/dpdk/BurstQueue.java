package io.offhook.dpdk;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** A queue of a started port, called by the function that the port's driver has put into DPDK's table. */
public abstract sealed class BurstQueue permits RxQueue, TxQueue {
    private final EthPort port;
    private final int number;
    private final boolean isCritical;
    /**
     * The addresses of the function and of the queue data; their contents change when the port stops, and are read for
     * each burst.
     */
    private final long functionPlace;

    private final long queues;
    /** The function found there last, so that a segment is not created for each burst. */
    private MemorySegment function = MemorySegment.NULL;

    private boolean isStopped;

    /**
     * @param functionOffset the offset of the function in a port's entry of the table
     * @param queuesOffset the offset of the queue data in the same entry
     */
    BurstQueue(EthPort port, int number, boolean isCritical, int functionOffset, int queuesOffset) {
        this.port = port;
        this.number = number;
        this.isCritical = isCritical;
        long operations = RteEthdev.FP_OPS + (long) port.number() * EthdevLayout.FP_OPS_BYTES;
        functionPlace = operations + functionOffset;
        queues = operations + queuesOffset;
    }

    /**
     * Makes the call.
     *
     * @param mbufs the array to receive into, or to send from
     * @param count the most mbufs
     * @return the number of mbufs; 0 for a stopped port
     */
    final int call(MbufArray mbufs, int count) {
        if (isStopped) {
            return 0;
        }
        long queue = MbufView.u64(MbufView.u64(queues) + ((long) number << 3));
        long address = MbufView.u64(functionPlace);
        MemorySegment current = function;
        if (current.address() != address) {
            current = MemorySegment.ofAddress(address);
            function = current;
        }
        try {
            return isCritical
                    ? RteEthdev.criticalBurst(current, queue, mbufs.address(), count)
                    : RteEthdev.burst(current, queue, mbufs.address(), count);
        } finally {
            Reference.reachabilityFence(mbufs);
        }
    }

    /**
     * Records that the port was stopped. A thread that does not see this yet calls DPDK's own function, which logs an
     * error.
     */
    final void stop() {
        isStopped = true;
    }

    /** Returns the port of this queue. */
    public final EthPort port() {
        return port;
    }

    /** Returns its number among the port's queues of its kind, from 0. */
    public final int number() {
        return number;
    }

    /** Returns whether bursts are critical calls. */
    public final boolean isCritical() {
        return isCritical;
    }
}
