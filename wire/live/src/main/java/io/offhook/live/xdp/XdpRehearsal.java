package io.offhook.live.xdp;

import io.offhook.live.RehearsedRing;
import io.offhook.live.RingDriver;
import java.lang.foreign.MemorySegment;

/** The rings of AF_XDP, bound to no interface: the code that reads them is that of a capture, the kernel is played. */
final class XdpRehearsal implements RehearsedRing {
    private final XdpDriver driver;
    private final XdpKernelSide kernel;
    private final MemorySegment chunks;

    XdpRehearsal(XdpOptions options) {
        XdpQueues queues = XdpQueues.openUnbound();
        try {
            driver = new XdpDriver(options, null, queues, false);
        } catch (RuntimeException e) {
            queues.close();
            throw e;
        }
        chunks = queues.memory().segment();
        kernel = queues.sockets().getFirst().kernelSide();
    }

    @Override
    public RingDriver driver() {
        return driver;
    }

    @Override
    public boolean put(MemorySegment memory, long offset, int length) {
        long frame = kernel.claim(length);
        if (frame < 0) {
            return false;
        }
        MemorySegment.copy(memory, offset, chunks, frame, length);
        kernel.deliver(length);
        return true;
    }
}
