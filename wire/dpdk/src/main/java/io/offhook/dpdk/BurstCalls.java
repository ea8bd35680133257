package io.offhook.dpdk;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** How bursts of one queue are received, or sent: by the function that the port's driver has put into DPDK's table. */
final class BurstCalls {
    final EthPort port;
    final int number;
    final boolean isCritical;
    /** Where the function stands, and where its queues: both change when the port stops, and are read for each burst. */
    private final long functionPlace;

    private final long queues;
    /** The function that stood there last: a segment is not made for each burst. */
    private MemorySegment function = MemorySegment.NULL;

    private boolean isStopped;

    /**
     * @param functionOffset in a port's entry of the table
     * @param queuesOffset in the same
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
     * @param mbufs into which, or of which
     * @param count most mbufs
     * @return how many; 0 of a port that was stopped
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

    /** The port was stopped. A thread that has not heard of it is met by DPDK's own function, which complains. */
    void stop() {
        isStopped = true;
    }
}
