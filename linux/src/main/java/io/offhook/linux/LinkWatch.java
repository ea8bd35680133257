package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Tells again and again whether one network interface is up, by two calls of ioctl; it needs no capability. The interface is
 * one of the network namespace of the thread that opened this; any thread may ask.
 */
public final class LinkWatch implements AutoCloseable {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM = 2;

    private final int index;
    private final NativeSocket socket;
    private LinkState last = LinkState.UP;
    private boolean closed;

    private LinkWatch(int index, NativeSocket socket) {
        this.index = index;
        this.socket = socket;
    }

    /**
     * Opens what the kernel is asked through.
     *
     * @param index of the interface, from 1
     */
    public static LinkWatch of(int index) {
        return new LinkWatch(index, NativeSocket.open(AF_INET, SOCK_DGRAM, 0, "open a socket to ask for interfaces"));
    }

    /** How the interface is now; after {@link #close}, as it was when it was last asked for. */
    public synchronized LinkState state() {
        if (!closed) {
            last = ask();
        }
        return last;
    }

    private LinkState ask() {
        try (Arena arena = Arena.ofConfined()) {
            // by its index, as it may have another name by now
            MemorySegment request = arena.allocate(NetIf.REQUEST_BYTES, Long.BYTES);
            request.set(JAVA_INT, NetIf.REQUEST_INDEX, index);
            if (SysIoctl.ioctl(socket.descriptor(), NetIf.SIOCGIFNAME, request) < 0
                    || SysIoctl.ioctl(socket.descriptor(), NetIf.SIOCGIFFLAGS, request) < 0) {
                return LinkState.GONE;
            }
            int flags = request.get(JAVA_SHORT, NetIf.REQUEST_FLAGS);
            if ((flags & NetIf.IFF_UP) == 0) {
                return LinkState.DOWN;
            }
            return (flags & NetIf.IFF_RUNNING) == 0 ? LinkState.NO_CARRIER : LinkState.UP;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        socket.close();
    }
}
