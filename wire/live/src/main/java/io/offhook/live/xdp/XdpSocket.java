package io.offhook.live.xdp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.NativeSocket;
import io.offhook.live.engine.IfPacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A socket of AF_XDP on one queue of an interface, with its four rings. Chunks of {@link XdpMemory} circulate:
 *
 * <pre>
 *            fill                 received
 *   free  ----------&gt;  kernel  ------------&gt;  the caller's
 *   free  &lt;----------  kernel  &lt;------------  the caller's
 *           completed               send
 * </pre>
 *
 * <p>Frames are received by way of an {@link XdpRedirect}. Nothing is allocated once it is open; one thread at a time.
 */
public final class XdpSocket implements AutoCloseable {
    private static final int MSG_DONTWAIT = 0x40;
    /** The time in which the kernel must release a queue whose socket was closed. */
    private static final long RELEASE_NS = 1_000_000_000L;

    private static final long RETRY_NS = 10_000_000L;

    private final NativeSocket socket;
    private final XdpMemory memory;
    private final XdpRing fill;
    private final XdpRing completion;
    private final XdpRing received;
    private final XdpRing send;
    private final int queue;
    private final boolean isZeroCopy;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment nothing = arena.allocate(0);
    private final MemorySegment statistics = arena.allocate(IfXdp.STATISTICS_BYTES, Long.BYTES);
    private final MemorySegment value = arena.allocate(JAVA_INT);
    private final MemorySegment length = arena.allocate(JAVA_INT);

    private int filled;
    private int described;
    private boolean closed;

    private XdpSocket(NativeSocket socket, XdpMemory memory, XdpRing[] rings, int queue) {
        this.socket = socket;
        this.memory = memory;
        received = rings[0];
        send = rings[1];
        fill = rings[2];
        completion = rings[3];
        this.queue = queue;
        try {
            isZeroCopy = (option(IfXdp.SOL_XDP, IfXdp.XDP_OPTIONS) & IfXdp.XDP_OPTIONS_ZEROCOPY) != 0;
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /**
     * How to open a socket.
     *
     * @param queue the queue of the interface, from 0
     * @param receiveEntries the size of the ring of received frames, a power of two
     * @param sendEntries the size of the rings of frames to send and of sent frames, a power of two
     * @param fillEntries the size of the ring of chunks for frames to come, a power of two
     * @param isCopied whether the kernel must copy frames even if the driver supports zero-copy
     * @param hasSegments whether frames may span several chunks; since Linux 6.6
     */
    public record Options(
            int queue, int receiveEntries, int sendEntries, int fillEntries, boolean isCopied, boolean hasSegments) {}

    /**
     * Opens a socket and binds it to a queue of an interface.
     *
     * @param memory memory that other sockets may use, too
     * @throws LinuxException EPERM if CAP_NET_RAW is missing, EINVAL if there is no such queue or this kernel does not
     *     support frames in several chunks, EBUSY if the queue has a socket, ENOBUFS if more memory is shared than
     *     allowed
     */
    public static XdpSocket open(XdpMemory memory, NetworkDevice device, Options options) {
        return open(memory, device, device.name(), options);
    }

    /**
     * Opens a socket that is bound to no interface: the kernel does nothing with its rings, and {@link #kernelSide} may.
     *
     * @param memory that of another such socket, or of none so far
     * @throws LinuxException EPERM where CAP_NET_RAW is missing
     */
    public static XdpSocket openUnbound(XdpMemory memory, Options options) {
        return open(memory, null, "no interface", options);
    }

    private static XdpSocket open(XdpMemory memory, @Nullable NetworkDevice device, String name, Options options) {
        NativeSocket socket = NativeSocket.open(IfXdp.AF_XDP, IfXdp.SOCK_RAW, 0, "open an AF_XDP socket for " + name);
        boolean isRegistered = false;
        try (Arena arena = Arena.ofConfined()) {
            boolean isFirst = memory.register(socket);
            isRegistered = true;
            XdpRing[] rings = rings(socket, options, arena);
            if (device != null) {
                MemorySegment address = arena.allocate(IfXdp.ADDRESS_BYTES, Integer.BYTES);
                address.set(JAVA_SHORT, 0, (short) IfXdp.AF_XDP);
                address.set(JAVA_SHORT, IfXdp.ADDRESS_FLAGS, (short) flags(options, isFirst));
                address.set(JAVA_INT, IfXdp.ADDRESS_INTERFACE, device.index());
                address.set(JAVA_INT, IfXdp.ADDRESS_QUEUE, options.queue());
                address.set(JAVA_INT, IfXdp.ADDRESS_SHARED, isFirst ? 0 : memory.owner());
                bind(socket, address, "bind to queue " + options.queue() + " of " + name);
            }
            return new XdpSocket(socket, memory, rings, options.queue());
        } catch (RuntimeException e) {
            if (isRegistered) {
                memory.leave(socket);
            }
            socket.close();
            throw e;
        }
    }

    private static XdpRing[] rings(NativeSocket socket, Options options, Arena arena) {
        MemorySegment offsets = arena.allocate(IfXdp.OFFSETS_BYTES, Long.BYTES);
        socket.get(IfXdp.SOL_XDP, IfXdp.XDP_MMAP_OFFSETS, offsets, "ask where the rings lie");
        return new XdpRing[] {
            XdpRing.make(
                    socket,
                    IfXdp.XDP_RX_RING,
                    offsets,
                    0,
                    IfXdp.XDP_PGOFF_RX_RING,
                    options.receiveEntries(),
                    IfXdp.DESCRIPTOR_BYTES),
            XdpRing.make(
                    socket,
                    IfXdp.XDP_TX_RING,
                    offsets,
                    IfXdp.OFFSETS_TX,
                    IfXdp.XDP_PGOFF_TX_RING,
                    options.sendEntries(),
                    IfXdp.DESCRIPTOR_BYTES),
            XdpRing.make(
                    socket,
                    IfXdp.XDP_UMEM_FILL_RING,
                    offsets,
                    IfXdp.OFFSETS_FILL,
                    IfXdp.XDP_UMEM_PGOFF_FILL_RING,
                    options.fillEntries(),
                    Long.BYTES),
            XdpRing.make(
                    socket,
                    IfXdp.XDP_UMEM_COMPLETION_RING,
                    offsets,
                    IfXdp.OFFSETS_COMPLETION,
                    IfXdp.XDP_UMEM_PGOFF_COMPLETION_RING,
                    options.sendEntries(),
                    Long.BYTES)
        };
    }

    /** Returns the bind flags; sockets that share memory have those of the first one. */
    private static int flags(Options options, boolean isFirst) {
        if (!isFirst) {
            return IfXdp.XDP_SHARED_UMEM;
        }
        return IfXdp.XDP_USE_NEED_WAKEUP
                | (options.isCopied() ? IfXdp.XDP_COPY : 0)
                | (options.hasSegments() ? IfXdp.XDP_USE_SG : 0);
    }

    /** Binds, with retries, because the kernel releases a queue some time after its socket was closed. */
    private static void bind(NativeSocket socket, MemorySegment address, String what) {
        long startNs = System.nanoTime();
        while (true) {
            try {
                socket.bind(address, what);
                return;
            } catch (LinuxException e) {
                if (e.errno() != LinuxException.EBUSY || System.nanoTime() - startNs > RELEASE_NS) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    /** The kernel's side of the rings of a socket that is bound to nothing; to be asked for once, before it is used. */
    public XdpKernelSide kernelSide() {
        return new XdpKernelSide(
                memory, fill.kernelSide(), received.kernelSide(), send.kernelSide(), completion.kernelSide());
    }

    /** To wait for, by poll(2). */
    public int descriptor() {
        return socket.descriptor();
    }

    /** Returns the queue of its interface, from 0. */
    public int queue() {
        return queue;
    }

    /** Returns whether the driver writes frames directly into the shared memory. */
    public boolean isZeroCopy() {
        return isZeroCopy;
    }

    /** Returns the number of waiting descriptors of received frames. */
    public int received() {
        return received.waiting();
    }

    /** Returns how many descriptors of received frames can wait. */
    int room() {
        return received.entries();
    }

    /**
     * Returns the address in the memory of the frame of descriptor {@code i}.
     *
     * @param i the index of a waiting descriptor, from 0; likewise in the methods that follow
     */
    public long receivedAddress(int i) {
        return received.address(i);
    }

    /** Returns the length in bytes of the frame, or of its part in this chunk. */
    public int receivedLength(int i) {
        return received.length(i);
    }

    /** Returns whether the frame continues in the next descriptor. */
    public boolean isContinued(int i) {
        return (received.options(i) & IfXdp.XDP_PKT_CONTD) != 0;
    }

    /** Releases the first waiting descriptors, which were read; their chunks now belong to the caller. */
    public void takeReceived(int count) {
        received.take(count);
    }

    /** Returns how many chunks {@link #fill} accepts before they must be submitted. */
    public int fillRoom() {
        return fill.room() - filled;
    }

    /**
     * Gives the kernel a chunk for a frame to come, with the next {@link #submitFill}; at most {@link #fillRoom} of
     * them.
     *
     * @param address any address in the chunk
     */
    public void fill(long address) {
        fill.address(filled++, address);
    }

    /** Submits the filled chunks, and wakes up the driver if it waits for chunks. */
    public void submitFill() {
        if (filled > 0) {
            fill.submit(filled);
            filled = 0;
            if (fill.needsWakeUp()) {
                socket.receive(nothing, MSG_DONTWAIT);
            }
        }
    }

    /** Returns how many frames {@link #send} accepts before they must be submitted. */
    public int sendRoom() {
        return send.room() - described;
    }

    /**
     * Sends a frame, with the next {@link #submitSend}; at most {@link #sendRoom} of them. Its chunk belongs to the
     * kernel until it is {@linkplain #completed completed}.
     *
     * @param address the address of its first byte in the memory
     * @param length its length in bytes, within one chunk
     */
    public void send(long address, int length) {
        send.describe(described++, address, length);
    }

    /**
     * Submits the frames to send, and makes the kernel send them.
     *
     * @return 0, or a negative errno: EAGAIN or EBUSY if the device's queue is full, so that {@link #wakeSender} must
     *     be called again later; ENETDOWN
     */
    public int submitSend() {
        if (described > 0) {
            send.submit(described);
            described = 0;
        }
        return wakeSender();
    }

    /**
     * Makes the kernel continue to send.
     *
     * @return as {@link #submitSend}
     */
    public int wakeSender() {
        return send.needsWakeUp() ? (int) socket.send(nothing, MSG_DONTWAIT) : 0;
    }

    /** Returns how many frames the kernel has sent or given up whose chunks wait to be taken. */
    public int completed() {
        return completion.waiting();
    }

    /** Returns the address of the frame. */
    public long completedAddress(int i) {
        return completion.address(i);
    }

    /** Releases the first waiting entries, which were read; their chunks now belong to the caller. */
    public void takeCompleted(int count) {
        completion.take(count);
    }

    /** Reads the counters returned by {@link #dropped} and the methods after it. */
    public void readStatistics() {
        socket.get(IfXdp.SOL_XDP, IfXdp.XDP_STATISTICS, statistics, length, "ask for statistics");
    }

    /**
     * Returns the frames dropped because no chunk was free or large enough, as of the last {@link #readStatistics}; so
     * do the methods that follow.
     */
    public long dropped() {
        return statistics.get(JAVA_LONG, IfXdp.STATISTICS_DROPPED);
    }

    /** Returns the frames dropped because the ring of received frames was full. */
    public long ringFull() {
        return statistics.get(JAVA_LONG, IfXdp.STATISTICS_RING_FULL);
    }

    /** Returns how often the kernel found no free chunk. */
    public long fillEmpty() {
        return statistics.get(JAVA_LONG, IfXdp.STATISTICS_FILL_EMPTY);
    }

    /** Returns the frames not sent because their descriptor was invalid. */
    public long sendInvalid() {
        return statistics.get(JAVA_LONG, IfXdp.STATISTICS_TX_INVALID);
    }

    /** Returns whether its interface has disappeared; one that is down still exists. */
    public boolean isInterfaceGone() {
        return option(IfPacket.SOL_SOCKET, IfPacket.SO_ERROR) == LinuxException.ENETDOWN;
    }

    private int option(int level, int option) {
        socket.get(level, option, value, length, "ask an AF_XDP socket");
        return value.get(JAVA_INT, 0);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            memory.leave(socket);
            socket.close();
            arena.close();
        }
    }
}
