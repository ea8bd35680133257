package io.offhook.live.packetsocket;

import io.offhook.linux.LinuxException;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
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
 * The IP packets of an interface, in user space, in three lines:
 *
 * <pre>{@code
 * try (IpSniffer sniffer = IpSniffer.on("eth0")
 *         .incoming((source, destination, packet) -> System.out.println(source + " sent " + packet.remaining()))
 *         .start()) {
 *     Thread.sleep(Duration.ofMinutes(1));
 * }
 * }</pre>
 *
 * <p>IPv4 and IPv6; of packets in tunnels the outermost. Handlers are called one after the other, on a thread of the
 * sniffer's own. Needs CAP_NET_RAW. For more than that there is {@link PacketSocketSource}.
 *
 * <p>It goes on until it is closed. An interface that goes down is waited for; one that disappears ends it before, as a
 * handler does that throws: then {@link #isRunning} is false, and {@link #faults} or {@link #close} tells why.
 */
public final class IpSniffer implements AutoCloseable {
    private static final int BATCH_FRAMES = 4096;

    private final LiveSource source;
    private final @Nullable Handler incoming;
    private final @Nullable Handler outgoing;
    private final AtomicLong others = new AtomicLong();
    private final Thread thread;
    private volatile @Nullable Throwable failure;
    /** What ended the source where it cannot tell that itself. */
    private volatile @Nullable CaptureFault broken;

    /** What is done with a packet. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Takes a packet.
         *
         * @param packet from the IP header to the end that the header tells, without padding of the link; read only, big
         *     endian, valid until the method returns
         */
        void packet(InetAddress source, InetAddress destination, ByteBuffer packet);
    }

    /** What is to be captured. */
    public static final class Builder {
        private final PacketSocketOptions options;
        private String filter = "";
        private @Nullable Handler incoming;
        private @Nullable Handler outgoing;

        private Builder(String interfaceName) {
            options = PacketSocketOptions.of(interfaceName).withPromiscuous(false);
        }

        /** What is done with packets that this machine receives. */
        public Builder incoming(Handler handler) {
            incoming = handler;
            return this;
        }

        /** What is done with packets that this machine sends; on a loopback interface each counts as received only. */
        public Builder outgoing(Handler handler) {
            outgoing = handler;
            return this;
        }

        /** Only packets that an expression of pcap-filter(7) matches. */
        public Builder filter(String expression) {
            filter = expression;
            return this;
        }

        /**
         * Begins to capture.
         *
         * @throws IllegalStateException where there is no handler
         * @throws RuntimeException as {@link PacketSocketSource#open}
         */
        public IpSniffer start() {
            if (incoming == null && outgoing == null) {
                throw new IllegalStateException("neither incoming nor outgoing packets have a handler");
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

    /** On which interface. */
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

    /** Finds the packet in a frame. */
    private static final class IpPackets {
        private final PacketWalker walker = new PacketWalker();
        private final Ipv4View ipv4 = new Ipv4View();
        private final Ipv6View ipv6 = new Ipv6View();

        /** False where the frame has none. */
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
     * Whether packets are handed over still. False once it was closed and the handlers have had all, and where it ended before:
     * the interface has disappeared, which is among the {@link #faults} by then, or a handler failed, which {@link #close}
     * tells. It does not begin again. Any thread may ask.
     */
    public boolean isRunning() {
        return thread.isAlive();
    }

    /**
     * What ended the capture before it was closed, other than a handler; empty while it goes on. Any thread may ask, also once
     * it is closed.
     */
    public List<CaptureFault> faults() {
        List<CaptureFault> faults = new ArrayList<>(source.faults());
        CaptureFault fault = broken;
        if (fault != null) {
            faults.add(fault);
        }
        return List.copyOf(faults);
    }

    /** What became of the packets so far. */
    public LiveCounts counts() {
        return source.counts();
    }

    /** Frames that carry no IP, or a header that is cut off or makes no sense; of directions that have a handler. */
    public long others() {
        return others.get();
    }

    /**
     * Ends the capture, once the handlers have had all that came before. A handler may call it, and is not waited for.
     *
     * @throws IllegalStateException where a handler failed: nothing was handed over from then on
     */
    @Override
    public void close() {
        source.stop();
        if (!Thread.currentThread().equals(thread)) {
            await();
        }
        Throwable thrown = failure;
        if (thrown != null) {
            throw new IllegalStateException("a handler of packets failed, and the capture ended with it", thrown);
        }
    }

    private void await() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
