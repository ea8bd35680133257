package io.offhook.live.xdp;

import java.lang.foreign.MemorySegment;

/**
 * What the kernel does with the rings of a socket of AF_XDP, done by this process for one that is bound to nothing: takes
 * chunks from the fill ring, delivers frames in them, and completes what is sent without sending it. One thread at a time,
 * the socket's.
 */
final class XdpKernelSide {
    private final XdpMemory memory;
    private final XdpRing fill;
    private final XdpRing received;
    private final XdpRing send;
    private final XdpRing completion;

    XdpKernelSide(XdpMemory memory, XdpRing fill, XdpRing received, XdpRing send, XdpRing completion) {
        this.memory = memory;
        this.fill = fill;
        this.received = received;
        this.send = send;
        this.completion = completion;
        send.askForWakeUp(); // in copy mode the kernel is to be called for what is to be sent
    }

    /** Delivers a frame, which is copied; @return false where there is no free chunk or no room in the ring */
    boolean deliver(MemorySegment from, long offset, int length) {
        if (fill.waiting() == 0 || received.room() == 0 || length > memory.frameBytes()) {
            return false;
        }
        long frame = (fill.address(0) & -memory.chunkBytes()) + XdpMemory.HEADROOM_BYTES;
        fill.take(1);
        MemorySegment.copy(from, offset, memory.segment(), frame, length);
        received.describe(0, frame, length);
        received.submit(1);
        return true;
    }

    /** Completes what is to be sent. */
    void complete() {
        int count = Math.min(send.waiting(), completion.room());
        for (int i = 0; i < count; i++) {
            completion.address(i, send.address(i));
        }
        send.take(count);
        completion.submit(count);
    }
}
