package io.offhook.linux.network;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.linux.libc.NetIf;
import io.offhook.linux.libc.SysIoctl;
import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Polls the state of one network interface, by two ioctl calls; needs no capability. The interface belongs to the
 * network namespace of the thread that opened this object. Thread-safe.
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
     * Opens the socket for the requests.
     *
     * @param index the index of the interface, from 1
     * @throws io.offhook.linux.LinuxException if the kernel provides none
     */
    public static LinkWatch of(int index) {
        return new LinkWatch(index, NativeSocket.open(AF_INET, SOCK_DGRAM, 0, "open a socket to ask for interfaces"));
    }

    /** The current state of the interface; after {@link #close}, its last known state. */
    public synchronized LinkState state() {
        if (!closed) {
            last = ask();
        }
        return last;
    }

    private LinkState ask() {
        try (Arena arena = Arena.ofConfined()) {
            // looks it up by index, because its name may have changed
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
