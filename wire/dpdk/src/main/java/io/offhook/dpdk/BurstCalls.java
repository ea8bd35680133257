package io.offhook.dpdk;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Receives or sends the bursts of one queue, with the function that the port's driver has put into DPDK's table. */
final class BurstCalls {
    final EthPort port;
    final int number;
    final boolean isCritical;
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
    BurstCalls(EthPort port, int number, boolean isCritical, int functionOffset, int queuesOffset) {
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
    int call(MbufArray mbufs, int count) {
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
    void stop() {
        isStopped = true;
    }
}
