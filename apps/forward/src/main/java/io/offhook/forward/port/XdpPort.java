package io.offhook.forward.port;

import io.offhook.filter.FilterCompiler;
import io.offhook.forward.Burst;
import io.offhook.forward.Bytes;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.PacketBuffers;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.SendQueue;
import io.offhook.linux.network.LinkWatch;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.packetsocket.PacketSocketLink;
import io.offhook.live.xdp.XdpMemory;
import io.offhook.live.xdp.XdpMode;
import io.offhook.live.xdp.XdpRedirect;
import io.offhook.live.xdp.XdpSocket;
import io.offhook.packet.LinkType;
import io.offhook.packet.MacAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A network interface by AF_XDP. Packets stay in their chunk from one such port to another; packets from other kinds of
 * port, or to several ports, are copied. Lane {@code i} uses queue {@code i} of each interface for both receiving and
 * sending, so an interface has as many queues as there are lanes, and all lanes read from it.
 */
public final class XdpPort extends QueuedPort<XdpPort.Queue, XdpPort.Queue> {
    private final NetworkDevice device;
    private final XdpMode mode;
    private final int ring;
    private final boolean isPromiscuous;
    private final List<XdpMemory> memories;
    private @Nullable XdpRedirect redirect;
    private @Nullable PacketSocketLink asking;
    private boolean closed;
    /** What the sockets had counted when they were closed. */
    private long finalDrops;

    /**
     * Creates a port that is not open yet.
     *
     * @param name its name in the statistics
     * @param device an Ethernet interface
     * @param mode whether the driver or the kernel runs the program that redirects frames
     * @param ring entries of each ring, a power of two; as many chunks wait for frames to be received
     * @param isPromiscuous whether frames to other machines are received
     * @param memories the memory of each lane, shared by the application's ports; the caller closes them after the
     *     ports
     */
    public XdpPort(
            String name,
            NetworkDevice device,
            XdpMode mode,
            int ring,
            boolean isPromiscuous,
            List<XdpMemory> memories) {
        super(name);
        this.device = device;
        this.mode = mode;
        this.ring = ring;
        this.isPromiscuous = isPromiscuous;
        this.memories = List.copyOf(memories);
    }

    /** One lane's; a rehearsal has the same. */
    static final class Queue implements ReceiveQueue, SendQueue, PacketBuffers {
        private final XdpSocket socket;
        private final XdpMemory memory;
        private final long base;
        private long copies;
        /** Whether the device has not taken all of the send ring. */
        private boolean isBehind;

        Queue(XdpSocket socket, XdpMemory memory) {
            this.socket = socket;
            this.memory = memory;
            base = memory.segment().address();
            fill();
        }

        /** Fills with at most half of the free chunks, leaving the rest for other ports and for copies. */
        private void fill() {
            int wanted = Math.min(socket.fillRoom(), memory.free() / 2);
            for (int i = 0; i < wanted; i++) {
                socket.fill(memory.take());
            }
            socket.submitFill();
        }

        @Override
        public int receive(Burst burst, int port) {
            complete();
            isBehind = isBehind && socket.wakeSender() != 0;
            int count = Math.min(socket.received(), burst.room());
            for (int n = 0; n < count; n++) {
                long at = socket.receivedAddress(n);
                int length = socket.receivedLength(n);
                int before = (int) (at % memory.chunkBytes());
                int i = burst.add(this, at, base + at, length, before, memory.chunkBytes() - before - length);
                burst.received(i, port, 0);
            }
            socket.takeReceived(count);
            fill();
            return count;
        }

        /** Frees the chunks of packets that were sent. */
        private void complete() {
            int count = socket.completed();
            for (int i = 0; i < count; i++) {
                memory.give(socket.completedAddress(i));
            }
            socket.takeCompleted(count);
        }

        @Override
        public void free(long handle) {
            memory.give(handle);
        }

        @Override
        public int descriptor() {
            return socket.descriptor();
        }

        @Override
        public int send(Burst burst, int[] indexes, int count) {
            complete();
            int sent = 0;
            for (int n = 0; n < count && socket.sendRoom() > 0; n++) {
                int i = indexes[n];
                boolean isOurs = burst.owner(i) instanceof Queue queue && queue.memory == memory;
                if (isOurs && !burst.isNeededAgain(i)) {
                    socket.send(burst.address(i) - base, burst.length(i));
                    burst.handOver(i);
                    sent++;
                } else if (copy(burst, i)) {
                    sent++;
                }
            }
            isBehind = socket.submitSend() != 0;
            return sent;
        }

        private boolean copy(Burst burst, int i) {
            long chunk = burst.length(i) > memory.frameBytes() ? -1 : memory.take();
            if (chunk < 0) {
                return false;
            }
            long at = chunk + XdpMemory.HEADROOM_BYTES;
            Bytes.copy(burst.address(i), base + at, burst.length(i));
            socket.send(at, burst.length(i));
            copies++;
            return true;
        }

        @Override
        public long copies() {
            return copies;
        }
    }

    @Override
    public void open(int receiveQueues, int sendQueues) {
        if (receiveQueues != sendQueues || receiveQueues > memories.size()) {
            throw new IllegalArgumentException("port " + name() + " is read by " + receiveQueues + " of " + sendQueues
                    + " lanes; with AF_XDP each lane has its own queue, so all lanes must read from the port");
        }
        if (device.receiveQueues() > receiveQueues) {
            throw new IllegalArgumentException("interface " + device.name() + " has " + device.receiveQueues()
                    + " queues for " + receiveQueues + " lanes: sudo ethtool -L " + device.name() + " combined "
                    + receiveQueues);
        }
        try {
            watch = LinkWatch.of(device.index());
            XdpRedirect attached = XdpRedirect.attach(
                    device,
                    receiveQueues,
                    mode,
                    FilterCompiler.compile("", LinkType.ETHERNET, FilterCompiler.DEFAULT_SNAP_LENGTH),
                    false);
            redirect = attached;
            for (int i = 0; i < receiveQueues; i++) {
                XdpSocket.Options options = new XdpSocket.Options(i, ring, ring, ring, !attached.isNative(), false);
                XdpSocket socket = XdpSocket.open(memories.get(i), device, options);
                Queue queue = new Queue(socket, memories.get(i));
                receiving.add(queue);
                sending.add(queue);
            }
            // redirected frames do not reach this socket: it only makes the card accept frames to others and to groups
            asking = PacketSocketLink.open(device, 64, isPromiscuous);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public void start() {
        if (redirect != null) {
            receiving.stream().map(queue -> queue.socket).forEach(redirect::redirect);
        }
    }

    /** {@inheritDoc} Frames that come later go to the machine's own network stack. */
    @Override
    public void stop() {
        if (redirect != null) {
            receiving.stream().map(queue -> queue.socket.queue()).forEach(redirect::pass);
        }
    }

    @Override
    public String driver() {
        boolean isZeroCopy = receiving.stream().allMatch(queue -> queue.socket.isZeroCopy());
        return "AF_XDP, " + (isNative() ? "native" : "generic") + ", " + (isZeroCopy ? "zero-copy" : "copy mode");
    }

    /** Whether the interface's driver runs the redirecting program, before the kernel processes a frame. */
    public boolean isNative() {
        return redirect != null && redirect.isNative();
    }

    @Override
    public Optional<NetworkDevice> behindKernel() {
        return isNative() ? Optional.empty() : Optional.of(device);
    }

    /** The kernel does not receive the frames, and answers nothing. */
    @Override
    public boolean isSharedWithKernel() {
        return false;
    }

    @Override
    public long linkAddress() {
        return MacAddress.parse(device.linkAddress());
    }

    @Override
    public int mtu() {
        int room = memories.getFirst().frameBytes() - EthernetFrames.MAX_HEADER;
        return Math.min(device.mtu(), room);
    }

    @Override
    public synchronized long receiveDrops() {
        return closed ? finalDrops : drops();
    }

    private long drops() {
        long drops = 0;
        for (Queue queue : receiving) {
            queue.socket.readStatistics();
            drops += queue.socket.dropped() + queue.socket.ringFull();
        }
        return drops;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            finalDrops = drops();
        } finally {
            if (redirect != null) {
                redirect.close();
            }
            if (asking != null) {
                asking.close();
            }
            receiving.forEach(queue -> queue.socket.close());
            closeWatch();
        }
    }
}
