package io.offhook.forward;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.dpdk.Eal;
import io.offhook.dpdk.EalOptions;
import io.offhook.dpdk.Mempool;
import io.offhook.dpdk.RegisteredThread;
import io.offhook.forward.port.DpdkPort;
import io.offhook.forward.port.PacketSocketPort;
import io.offhook.forward.port.XdpPort;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.packetsocket.PacketSocketLink;
import io.offhook.live.xdp.XdpMemory;
import io.offhook.live.xdp.XdpMode;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** More comes to a port than it has room for: what was sent is what it received and what it says that it lost. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(60)
class ForwardOverloadTest {
    private static final int RING = 64;
    private static final int BATCHES = 100;
    private static final int BATCH = 32;

    private Network network;

    @BeforeEach
    void makeNetwork() throws IOException {
        network = Network.routed();
        network.left().silence("l0");
    }

    @AfterEach
    void removeNetwork() throws IOException {
        network.close();
    }

    /** Drops all, but waits with its first burst until it may go on. */
    private static final class Stalling implements Stage {
        final CountDownLatch isStalled = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);

        @Override
        public String name() {
            return "stalling";
        }

        @Override
        public List<String> dropCauses() {
            return List.of("seen");
        }

        @Override
        public void process(Burst burst) {
            isStalled.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            for (int i = 0, count = burst.count(); i < count; i++) {
                burst.drop(i, 0);
            }
        }
    }

    private NetworkDevice device() {
        return requireNonNull(NetworkDevice.named("m0"));
    }

    /** Packets that left the left host: those that its interface could not hand over are its own loss. */
    private long handedOver(long sent) throws IOException {
        String dropped = network.left().run("cat", "/sys/class/net/l0/statistics/tx_dropped");
        return sent - Long.parseLong(dropped.strip());
    }

    private static int send(PacketSocketLink link, MemorySegment frame, int count) {
        link.beginSend();
        for (int i = 0; i < count; i++) {
            link.add(frame.address(), Math.toIntExact(frame.byteSize()));
        }
        return link.send();
    }

    private void overload(Forwarder.Builder builder) throws Exception {
        Stalling stage = new Stalling();
        byte[] packet = Rig.packet(w -> w.ethernet(7, 8).ipv4(1, 2).udp(1, 2).payload(new byte[100]));
        try (Forwarder forwarder = network.middle()
                        .on(() ->
                                builder.lane(-1, 0).stages(() -> List.of(stage)).open());
                PacketSocketLink link = network.left()
                        .on(() -> PacketSocketLink.openToSend(requireNonNull(NetworkDevice.named("l0"))));
                Arena arena = Arena.ofConfined()) {
            MemorySegment frame = arena.allocateFrom(ValueLayout.JAVA_BYTE, packet);
            forwarder.start();
            long sent = send(link, frame, 1);
            stage.isStalled.await();
            for (int i = 0; i < BATCHES; i++) {
                sent += send(link, frame, BATCH);
            }
            stage.mayGoOn.countDown();
            long expected = handedOver(sent);
            assertThat(expected).isGreaterThan(10 * RING);
            ForwardStatistics.PortCounts port;
            do {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                port = forwarder.statistics().ports().getFirst();
            } while (port.received() + port.losses().coming() < expected);
            forwarder.stop();
            port = forwarder.statistics().ports().getFirst();
            assertThat(port.received()).isPositive();
            assertThat(port.losses().coming()).isPositive();
            assertThat(port.received() + port.losses().coming())
                    .as(port.toString())
                    .isEqualTo(expected);
        }
    }

    @Test
    void countsWhatAfpacketLoses() throws Exception {
        Port port = network.middle().on(() -> new PacketSocketPort("a", "m0", RING, true));
        overload(new Forwarder.Builder().port(port));
    }

    @Test
    void countsWhatXdpLoses() throws Exception {
        try (XdpMemory memory = new XdpMemory(4 * RING, 2048)) {
            NetworkDevice device = network.middle().on(this::device);
            overload(new Forwarder.Builder().port(new XdpPort("a", device, XdpMode.AUTO, RING, true, List.of(memory))));
        }
    }

    @Test
    void countsWhatDpdkLoses() throws Exception {
        assumeTrue(Eal.missing() == null, "needs DPDK (librte-eal, librte-net-af-packet)");
        Eal running = Eal.running();
        Eal eal = running == null ? Eal.start(EalOptions.virtual()) : running; // one a process
        try (Mempool pool = eal.mempool("overload", 511, 32, 2048)) {
            Port port = network.middle()
                    .on(() -> new DpdkPort(
                            "a",
                            eal.add("net_af_packet_o1,iface=m0,blocksz=4096,framesz=2048,framecnt=" + RING),
                            pool,
                            RING,
                            true));
            overload(new Forwarder.Builder().port(port).scope(() -> {
                RegisteredThread thread = eal.registerThread();
                return thread::close;
            }));
            assertThat(pool.inUse()).isZero();
        }
    }
}
