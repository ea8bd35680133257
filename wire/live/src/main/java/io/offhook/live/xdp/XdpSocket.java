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
 * A socket of AF_XDP on one queue of an interface, with its four rings. Chunks of {@link XdpMemory} go round:
 *
 * <pre>
 *            fill                 received
 *   free  ----------&gt;  kernel  ------------&gt;  the caller's
 *   free  &lt;----------  kernel  &lt;------------  the caller's
 *           completed               send
 * </pre>
 *
 * What is received comes by an {@link XdpRedirect}. Nothing is allocated once it is open; one thread at a time.
 */
public final class XdpSocket implements AutoCloseable {
    private static final int MSG_DONTWAIT = 0x40;
    /** How long the kernel may take to let go of a queue whose socket was closed. */
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
        isZeroCopy = (option(IfXdp.SOL_XDP, IfXdp.XDP_OPTIONS) & IfXdp.XDP_OPTIONS_ZEROCOPY) != 0;
    }

    /**
     * How a socket is made.
     *
     * @param queue of the interface, from 0
     * @param receiveEntries of the ring of frames received, a power of two
     * @param sendEntries of the rings of frames to send and of those sent, a power of two
     * @param fillEntries of the ring of chunks for frames to come, a power of two
     * @param isCopied whether the kernel is to copy frames even where the driver can do without
     * @param hasSegments whether frames may come in several chunks; kernel 6.6
     */
    public record Options(
            int queue, int receiveEntries, int sendEntries, int fillEntries, boolean isCopied, boolean hasSegments) {}

    /**
     * Opens a socket, and binds it to a queue of an interface.
     *
     * @param memory that of another socket, or of none so far
     * @throws LinuxException EPERM where CAP_NET_RAW is missing, EINVAL where there is no such queue or this kernel knows no
     *     frames in several chunks, EBUSY where the queue has a socket, ENOBUFS where more memory is shared than allowed
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

    /** Those that share memory have the first one's flags. */
    private static int flags(Options options, boolean isFirst) {
        if (!isFirst) {
            return IfXdp.XDP_SHARED_UMEM;
        }
        return IfXdp.XDP_USE_NEED_WAKEUP
                | (options.isCopied() ? IfXdp.XDP_COPY : 0)
                | (options.hasSegments() ? IfXdp.XDP_USE_SG : 0);
    }

    /** The kernel lets go of a queue some time after its socket was closed. */
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

    /** Of its interface, from 0. */
    public int queue() {
        return queue;
    }

    /** Whether the driver writes frames straight into the shared memory. */
    public boolean isZeroCopy() {
        return isZeroCopy;
    }

    /** How many descriptors of received frames wait. */
    public int received() {
        return received.waiting();
    }

    /**
     * Where the frame of descriptor {@code i} begins in the memory.
     *
     * @param i from 0, of those that wait; as in the methods that follow
     */
    public long receivedAddress(int i) {
        return received.address(i);
    }

    /** Bytes of the frame, or of this chunk's part of it. */
    public int receivedLength(int i) {
        return received.length(i);
    }

    /** Whether the frame goes on in the next descriptor. */
    public boolean isContinued(int i) {
        return (received.options(i) & IfXdp.XDP_PKT_CONTD) != 0;
    }

    /** The first descriptors that wait were read; their chunks are the caller's. */
    public void takeReceived(int count) {
        received.take(count);
    }

    /** How many chunks {@link #fill} takes before they are handed over. */
    public int fillRoom() {
        return fill.room() - filled;
    }

    /**
     * Gives the kernel a chunk for a frame to come, with the next {@link #submitFill}; no more of them than {@link #fillRoom}.
     *
     * @param address anywhere in it
     */
    public void fill(long address) {
        fill.address(filled++, address);
    }

    /** Hands over what was filled, and wakes up the driver where it waits for chunks. */
    public void submitFill() {
        if (filled > 0) {
            fill.submit(filled);
            filled = 0;
            if (fill.needsWakeUp()) {
                socket.receive(nothing, MSG_DONTWAIT);
            }
        }
    }

    /** How many frames {@link #send} takes before they are handed over. */
    public int sendRoom() {
        return send.room() - described;
    }

    /**
     * Sends a frame, with the next {@link #submitSend}; no more of them than {@link #sendRoom}. Its chunk is the kernel's until
     * it is {@linkplain #completed completed}.
     *
     * @param address where it begins in the memory
     * @param length its bytes, within one chunk
     */
    public void send(long address, int length) {
        send.describe(described++, address, length);
    }

    /**
     * Hands over what is to be sent, and has the kernel send it.
     *
     * @return 0, or a negative errno: EAGAIN and EBUSY where the device's queue is full, so that {@link #wakeSender} is to be
     *     called again later; ENETDOWN
     */
    public int submitSend() {
        if (described > 0) {
            send.submit(described);
            described = 0;
        }
        return wakeSender();
    }

    /** Has the kernel go on sending. @return as {@link #submitSend} */
    public int wakeSender() {
        return send.needsWakeUp() ? (int) socket.send(nothing, MSG_DONTWAIT) : 0;
    }

    /** How many frames the kernel has sent, or given up, and whose chunks wait to be taken. */
    public int completed() {
        return completion.waiting();
    }

    /** Where the frame began. */
    public long completedAddress(int i) {
        return completion.address(i);
    }

    /** The first that wait were read; their chunks are the caller's. */
    public void takeCompleted(int count) {
        completion.take(count);
    }

    /** Asks the kernel for what {@link #dropped} and the others tell. */
    public void readStatistics() {
        socket.get(IfXdp.SOL_XDP, IfXdp.XDP_STATISTICS, statistics, length, "ask for statistics");
    }

    /** Frames dropped since no chunk was free or big enough, when statistics were last read; those that follow likewise. */
    public long dropped() {
        return statistics.get(JAVA_LONG, IfXdp.STATISTICS_DROPPED);
    }

    /** Frames dropped since the ring of received ones was full. */
    public long ringFull() {
        return statistics.get(JAVA_LONG, IfXdp.STATISTICS_RING_FULL);
    }

    /** How often the kernel looked for a free chunk, and there was none. */
    public long fillEmpty() {
        return statistics.get(JAVA_LONG, IfXdp.STATISTICS_FILL_EMPTY);
    }

    /** Frames not sent since their descriptor made no sense. */
    public long sendInvalid() {
        return statistics.get(JAVA_LONG, IfXdp.STATISTICS_TX_INVALID);
    }

    /** Whether its interface is there no more. One that is down still is. */
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
