package io.offhook.live.xdp;

/**
 * What the kernel does with the rings of a socket of AF_XDP, done by this process for one that is bound to nothing: takes
 * chunks from the fill ring, delivers frames in them, and completes what is sent without sending it. For rehearsals. One
 * thread at a time, the socket's.
 */
public final class XdpKernelSide {
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

    /**
     * Returns where a frame goes, an offset in the socket's memory; -1 if no chunk is free, the ring has no room or the frame
     * is too long. The same each time until {@link #deliver}.
     *
     * @param length bytes of the frame
     */
    public long claim(int length) {
        if (fill.waiting() == 0 || received.room() == 0 || length > memory.frameBytes()) {
            return -1;
        }
        return (fill.address(0) & -memory.chunkBytes()) + XdpMemory.HEADROOM_BYTES;
    }

    /** Delivers the frame that was written to where {@link #claim} said. */
    public void deliver(int length) {
        received.describe(0, (fill.address(0) & -memory.chunkBytes()) + XdpMemory.HEADROOM_BYTES, length);
        fill.take(1);
        received.submit(1);
    }

    /** Completes what is to be sent. */
    public void complete() {
        int count = Math.min(send.waiting(), completion.room());
        for (int i = 0; i < count; i++) {
            completion.address(i, send.address(i));
        }
        send.take(count);
        completion.submit(count);
    }
}
