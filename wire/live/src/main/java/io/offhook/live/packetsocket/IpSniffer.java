package io.offhook.live.packetsocket;

import io.offhook.linux.LinuxException;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.buffer.BorrowingThreads;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.CaptureFault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Captures the IP packets of an interface, in three lines:
 *
 * <pre>{@code
 * try (IpSniffer sniffer = IpSniffer.on("eth0")
 *         .incoming((source, destination, packet) -> System.out.println(source + " sent " + packet.remaining()))
 *         .start()) {
 *     Thread.sleep(Duration.ofMinutes(1));
 * }
 * }</pre>
 *
 * <p>IPv4 and IPv6; for tunnelled packets, the outermost header. Handlers are called one at a time on the sniffer's own
 * thread. Needs CAP_NET_RAW. {@link PacketSocketSource} offers more.
 *
 * <p>It runs until it is closed. If the interface goes down, it waits; if the interface disappears, or a handler
 * throws, it ends early: {@link #isRunning} is then false, and {@link #faults} or {@link #close} reports the reason.
 */
public final class IpSniffer implements AutoCloseable {
    private static final int BATCH_FRAMES = 4096;

    private final LiveSource source;
    private final @Nullable Handler incoming;
    private final @Nullable Handler outgoing;
    private final AtomicLong others = new AtomicLong();
    private final Thread thread;
    private volatile @Nullable Throwable failure;
    /** What ended the source, if the source cannot report it itself. */
    private volatile @Nullable CaptureFault broken;

    /** Receives packets. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Receives a packet.
         *
         * @param packet from the IP header to the end that the header declares, without padding of the link; read-only,
         *     big-endian, valid until the method returns
         */
        void packet(InetAddress source, InetAddress destination, ByteBuffer packet);
    }

    /** Configures a sniffer. */
    public static final class Builder {
        private final PacketSocketOptions options;
        private String filter = "";
        private @Nullable Handler incoming;
        private @Nullable Handler outgoing;

        private Builder(String interfaceName) {
            options = PacketSocketOptions.of(interfaceName).withPromiscuous(false);
        }

        /** Sets the handler of packets that this machine receives. */
        public Builder incoming(Handler handler) {
            incoming = handler;
            return this;
        }

        /**
         * Sets the handler of packets that this machine sends; on a loopback interface, every packet counts as received
         * only.
         */
        public Builder outgoing(Handler handler) {
            outgoing = handler;
            return this;
        }

        /** Restricts the packets to those that match an expression of pcap-filter(7). */
        public Builder filter(String expression) {
            filter = expression;
            return this;
        }

        /**
         * Starts to capture.
         *
         * @throws IllegalStateException if there is no handler
         * @throws RuntimeException as {@link PacketSocketSource#open}
         */
        public IpSniffer start() {
            if (incoming == null && outgoing == null) {
                throw new IllegalStateException("no handler is set; set one with incoming or outgoing");
            }
            IpSniffer sniffer = new IpSniffer(PacketSocketSource.open(options, filter), incoming, outgoing);
            sniffer.thread.start();
            return sniffer;
        }
    }

    private IpSniffer(LiveSource source, @Nullable Handler incoming, @Nullable Handler outgoing) {
        this.source = source;
        this.incoming = incoming;
        this.outgoing = outgoing;
        thread = Thread.ofPlatform().name("offhook-ip-sniffer").unstarted(this::run);
    }

    /** Returns a builder for a sniffer on an interface. */
    public static Builder on(String interfaceName) {
        return new Builder(interfaceName);
    }

    private void run() {
        FrameBatch batch = new FrameBatch(BATCH_FRAMES);
        IpPackets packets = new IpPackets();
        try {
            while (next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    Handler handler = batch.direction(i) == FrameDirection.OUTGOING ? outgoing : incoming;
                    if (handler != null && !packets.handOver(batch, i, handler)) {
                        others.incrementAndGet();
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            source.close();
        }
    }

    private boolean next(FrameBatch batch) {
        try {
            return source.next(batch);
        } catch (LinuxException e) {
            broken = new CaptureFault(
                    CaptureFault.Kind.UNREADABLE,
                    source.interfaces().getFirst().file(),
                    -1,
                    String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** Finds the IP packet in a frame. */
    private static final class IpPackets {
        private final PacketWalker walker = new PacketWalker();
        private final Ipv4View ipv4 = new Ipv4View();
        private final Ipv6View ipv6 = new Ipv6View();

        /** Passes the packet of a frame to a handler; returns false if the frame has none. */
        boolean handOver(FrameBatch batch, int i, Handler handler) {
            walker.walk(
                    batch.segmentOf(i),
                    batch.offset(i),
                    batch.capturedLength(i),
                    batch.wireLength(i),
                    batch.linkType(i),
                    LayerSet.IP);
            int ip = walker.layerCount() - 1;
            if (ip < 0) {
                return false;
            }
            MemorySegment packet = walker.segment().asSlice(walker.layerOffset(ip), walker.layerLength(ip));
            if (walker.layerType(ip) == LayerType.IPV4 && walker.wrap(ipv4, ip)) {
                handler.packet(address(packet, 12, 4), address(packet, 16, 4), readOnly(packet));
                return true;
            }
            if (walker.layerType(ip) == LayerType.IPV6 && walker.wrap(ipv6, ip)) {
                handler.packet(address(packet, 8, 16), address(packet, 24, 16), readOnly(packet));
                return true;
            }
            return false;
        }

        private static ByteBuffer readOnly(MemorySegment packet) {
            return packet.asByteBuffer().asReadOnlyBuffer();
        }

        private static InetAddress address(MemorySegment packet, long offset, int bytes) {
            byte[] address = new byte[bytes];
            MemorySegment.copy(packet, ValueLayout.JAVA_BYTE, offset, address, 0, bytes);
            try {
                return InetAddress.getByAddress(address);
            } catch (UnknownHostException e) {
                throw new AssertionError("an address of " + bytes + " bytes", e);
            }
        }
    }

    /**
     * Returns whether packets are still delivered. False once the sniffer was closed and the handlers have received
     * everything, and if it ended early: the interface has disappeared, as the {@link #faults} report, or a handler
     * failed, as {@link #close} reports. It does not start again. Thread-safe.
     */
    public boolean isRunning() {
        return thread.isAlive();
    }

    /**
     * Returns what ended the capture before it was closed, other than a handler; empty while it runs. Thread-safe, also
     * after closing.
     */
    public List<CaptureFault> faults() {
        List<CaptureFault> faults = new ArrayList<>(source.faults());
        CaptureFault fault = broken;
        if (fault != null) {
            faults.add(fault);
        }
        return List.copyOf(faults);
    }

    /** Returns what became of the packets so far. */
    public LiveCounts counts() {
        return source.counts();
    }

    /** Returns the frames without IP, or with a truncated or invalid header, in directions that have a handler. */
    public long others() {
        return others.get();
    }

    /**
     * Ends the capture after the handlers have received everything that arrived before. A handler may call it; it then
     * returns without waiting.
     *
     * @throws IllegalStateException if a handler failed; nothing was delivered after that
     */
    @Override
    public void close() {
        source.stop();
        if (!Thread.currentThread().equals(thread)) {
            BorrowingThreads.join(thread);
        }
        Throwable thrown = failure;
        if (thrown != null) {
            throw new IllegalStateException("a packet handler failed, which ended the capture", thrown);
        }
    }
}
