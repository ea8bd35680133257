package io.offhook.forward;

import static io.offhook.forward.ForwardedHosts.BRIDGE;
import static io.offhook.forward.ForwardedHosts.PORTS;
import static io.offhook.forward.ForwardedHosts.ROUTER;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.forward.application.ForwardConfig;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.packetsocket.PacketSocketLink;
import io.offhook.packet.write.PacketWriter;
import io.offhook.testkit.network.Namespace;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Between two hosts with the kernel's own network stack. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class ForwardOnWireTest {
    @AutoClose
    private final ForwardedHosts hosts = new ForwardedHosts();

    ForwardOnWireTest() throws IOException {}

    @Test
    void bridgesTwoHosts() throws Exception {
        hosts.inOneNetwork();
        ForwardStatistics statistics = hosts.during(BRIDGE, () -> {
            hosts.ping("10.0.0.3");
            hosts.udp("10.0.0.3", 300);
            hosts.tcp("10.0.0.3", 400_000);
            return null;
        });
        assertThat(statistics.ports().getFirst().received()).isGreaterThan(600);
        assertThat(statistics.ports().getLast().sent()).isGreaterThan(600);
    }

    private static PacketSocketLink link(Namespace space, String device) throws Exception {
        PacketSocketLink link =
                space.on(() -> PacketSocketLink.open(requireNonNull(NetworkDevice.named(device)), 64, true));
        link.start();
        return link;
    }

    private static void send(PacketSocketLink link, byte[] frame) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(frame.length);
            MemorySegment.copy(frame, 0, memory, ValueLayout.JAVA_BYTE, 0, frame.length);
            link.beginSend();
            link.add(memory.address(), frame.length);
            assertThat(link.send()).isEqualTo(1);
        }
    }

    /** To all, of a flow of its own, with so many bytes of payload. */
    private static byte[] frame(int bytes) {
        return frame(bytes, w -> w);
    }

    /** @param tags behind the addresses */
    private static byte[] frame(int bytes, UnaryOperator<PacketWriter> tags) {
        return Rig.packet(w -> tags.apply(w.ethernet(0x0200_0000_0077L, EthernetFrames.BROADCAST))
                .ipv4(1, 2)
                .udp(bytes, 2)
                .payload(new byte[bytes]));
    }

    /** The next frame of that length; others are the kernel's own. */
    private static byte[] receive(PacketSocketLink link, int length) {
        while (!Thread.currentThread().isInterrupted()) {
            int slot = link.take();
            if (slot >= 0) {
                byte[] frame = Bytes.get(link.address(slot), link.length(slot));
                link.release(slot);
                if (frame.length == length) {
                    return frame;
                }
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no frame of " + length + " bytes has come");
    }

    @Test
    void tagsOnOneSideAndNotOnTheOther() throws Exception {
        String config = PORTS + """
                lanes: [{ports: [a, b]}]
                stages:
                  - vlan-pop: {from: [b], id: 7, strict: true}
                  - bridge
                  - vlan-push: {to: [b], id: 7, priority: 5}
                """;
        byte[] plain = frame(1234);
        byte[] tagged = frame(1234, w -> w.vlan(7, tag -> tag.priority(5)));
        try (PacketSocketLink left = link(hosts.network.left(), "l0");
                PacketSocketLink right = link(hosts.network.right(), "r0")) {
            hosts.during(config, () -> {
                for (int i = 0; i < 100; i++) {
                    send(left, plain);
                    assertThat(receive(right, tagged.length)).isEqualTo(tagged);
                    send(right, tagged);
                    assertThat(receive(left, plain.length)).isEqualTo(plain);
                }
                send(right, plain); // of no VLAN
                return null;
            });
        }
    }

    @Test
    void dividesFlowsAmongLanesThatReadFromTheSamePorts() throws Exception {
        hosts.inOneNetwork();
        String config = PORTS + "lanes: [{ports: [a, b]}, {ports: [b, a]}]\nstages: [decode, bridge]\n";
        hosts.during(config, () -> {
            hosts.ping("10.0.0.3");
            hosts.udp("10.0.0.3", 300);
            hosts.tcp("10.0.0.3", 200_000);
            return null;
        });
    }

    /** Checksums of TCP and UDP that a veth leaves to nobody are not made there: so pings, and frames that are whole. */
    @ParameterizedTest
    @CsvSource({"xdp, xdp", "xdp, afpacket", "afpacket, xdp"})
    void bridgesByXdp(String a, String b) throws Exception {
        hosts.inOneNetwork();
        String config = PORTS.replace("interface: m0", "interface: m0, backend: " + a)
                        .replace("interface: m1", "interface: m1, backend: " + b)
                + "lanes: [{ports: [a, b]}]\nstages: [decode, bridge]\n";
        ForwardStatistics statistics = hosts.during(config, () -> {
            hosts.ping("10.0.0.3");
            try (PacketSocketLink left = link(hosts.network.left(), "l0");
                    PacketSocketLink right = link(hosts.network.right(), "r0")) {
                for (int i = 0; i < 500; i++) {
                    byte[] frame = frame(900 + i);
                    send(left, frame);
                    assertThat(receive(right, frame.length)).isEqualTo(frame);
                }
            }
            return null;
        });
        boolean isOneBackend = a.equals(b);
        assertThat(statistics.ports().getLast().copies())
                .isEqualTo(isOneBackend ? 0 : statistics.ports().getLast().sent());
    }

    /** Which lane has a frame depends on its queue: hosts send flows by both of theirs. */
    @Test
    void bridgesByXdpInTwoLanes() throws Exception {
        hosts.network.withQueues(2);
        hosts.inOneNetwork();
        String config = PORTS.replace("interface:", "backend: xdp, interface:")
                + "lanes: [{ports: [a, b]}, {ports: [b, a]}]\nstages: [decode, bridge]\n";
        ForwardStatistics statistics = hosts.during(config, () -> {
            hosts.ping("10.0.0.3");
            try (PacketSocketLink left = link(hosts.network.left(), "l0");
                    PacketSocketLink right = link(hosts.network.right(), "r0")) {
                for (int i = 0; i < 200; i++) {
                    byte[] frame = frame(900 + i);
                    send(left, frame);
                    assertThat(receive(right, frame.length)).isEqualTo(frame);
                    send(right, frame);
                    assertThat(receive(left, frame.length)).isEqualTo(frame);
                }
            }
            return null;
        });
        assertThat(statistics.lanes())
                .allSatisfy(lane -> assertThat(lane.packets()).isGreaterThan(20));
    }

    @Test
    @EnabledIf(value = "io.offhook.forward.ForwardedHosts#hasEthtool", disabledReason = "needs ethtool")
    void routesByXdp() throws Exception {
        hosts.inTwoNetworks();
        hosts.network.left().run("ethtool", "-K", "l0", "tx", "off"); // nobody makes their checksums, else
        hosts.network.right().run("ethtool", "-K", "r0", "tx", "off");
        String config = ROUTER.replace("interface:", "backend: xdp, interface:")
                .replace("[{ports: [a]}, {ports: [b]}]", "[{ports: [a, b]}]");
        ForwardStatistics statistics = hosts.during(config, () -> {
            hosts.ping("10.0.1.2");
            hosts.ping("2001:db8:b::2");
            hosts.ping("10.0.0.1");
            hosts.udp("10.0.1.2", 100);
            hosts.udp("2001:db8:b::2", 100);
            hosts.tcp("10.0.1.2", 100_000);
            return null;
        });
        assertThat(statistics.ports())
                .allSatisfy(port -> assertThat(port.driver()).startsWith("AF_XDP, "));
    }

    @Test
    void routesBetweenTwoNetworks() throws Exception {
        hosts.inTwoNetworks();
        ForwardStatistics statistics = hosts.during(ROUTER, () -> {
            hosts.ping("10.0.1.2");
            hosts.ping("2001:db8:b::2");
            hosts.ping("10.0.0.1");
            hosts.ping("2001:db8:a::1");
            hosts.udp("10.0.1.2", 300);
            hosts.udp("2001:db8:b::2", 100);
            hosts.tcp("10.0.1.2", 400_000);
            hosts.tcp("2001:db8:b::2", 100_000);
            return null;
        });
        assertThat(statistics.lanes())
                .allSatisfy(lane -> assertThat(lane.packets()).isGreaterThan(500));
    }

    @Test
    void losesNothingWhileTablesAreExchanged() throws Exception {
        hosts.inTwoNetworks();
        hosts.during(ROUTER, application -> {
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicInteger exchanged = new AtomicInteger();
            FutureTask<Void> reloads = new FutureTask<>(() -> {
                while (!isOver.get()) {
                    String other = ROUTER.replace(
                            "route]",
                            "{route: {routes: [{to: 10.7." + exchanged.get() % 200 + ".0/24, via: 10.0.1.2}]}}]");
                    assertThat(application.reload(ForwardConfig.reader().read(other, "f.yaml")))
                            .isEmpty();
                    exchanged.getAndIncrement();
                }
                return null;
            });
            Thread.ofPlatform().daemon().start(reloads);
            // the number of reloads a packet is the machine's affair
            while (exchanged.get() < 30 && !reloads.isDone()) {
                hosts.udp("10.0.1.2", 200);
            }
            isOver.set(true);
            reloads.get();
        });
    }

    @Test
    void goesOnWhenAnInterfaceComesBack() throws Exception {
        hosts.inOneNetwork();
        hosts.during(
                BRIDGE,
                () -> {
                    hosts.ping("10.0.0.3");
                    hosts.network.middle().ip("link", "set", "m1", "down");
                    boolean isReached = hosts.network
                            .left()
                            .on(() -> InetAddress.getByName("10.0.0.3").isReachable(300));
                    assertThat(isReached).isFalse();
                    hosts.network.middle().ip("link", "set", "m1", "up");
                    hosts.ping("10.0.0.3");
                    return null;
                },
                false);
    }

    @Test
    @EnabledIf(value = "io.offhook.forward.ForwardedHosts#hasPython", disabledReason = "needs python3")
    void reportsHostsWhatTracerouteLooksFor() throws Exception {
        hosts.inTwoNetworks();
        hosts.during(ROUTER, () -> {
            assertThat(hosts.trace("10.0.1.2", 1)).isEqualTo("10.0.0.1 11 0");
            assertThat(hosts.trace("10.0.1.2", 2)).isEqualTo("10.0.1.2 3 3");
            assertThat(hosts.trace("2001:db8:b::2", 1)).isEqualTo("2001:db8:a::1 3 0");
            assertThat(hosts.trace("2001:db8:b::2", 2)).isEqualTo("2001:db8:b::2 1 4");
            assertThat(hosts.trace("172.16.0.1", 9)).isEqualTo("10.0.0.1 3 0");
            assertThat(hosts.trace("10.0.1.77", 9)).isEqualTo("10.0.0.1 3 1");
            assertThat(hosts.trace("10.0.0.1", 9)).isEqualTo("10.0.0.1 3 3");
            return null;
        });
    }

    @Test
    void translatesAddressesOfServersInside() throws Exception {
        hosts.network.left().address("l0", "203.0.113.2/24");
        hosts.network.right().address("r0", "10.0.1.2/24");
        hosts.network.right().ip("route", "add", "default", "via", "10.0.1.1");
        String config = """
                ports:
                  - {name: out, interface: m0, addresses: [203.0.113.1/24]}
                  - {name: in, interface: m1, addresses: [10.0.1.1/24]}
                lanes: [{ports: [out, in]}]
                stages:
                  - decode
                  - nat-destination: {outside: [out]}
                  - route
                  - nat-source: {outside: [out]}
                nat:
                  - {outside: 203.0.113.1, protocol: tcp, outside-port: 8080, inside: 10.0.1.2, inside-port: 5000}
                """;
        hosts.during(config, () -> {
            ServerSocket server = hosts.network.right().on(() -> new ServerSocket(5000));
            try (server) {
                FutureTask<String> peer = hosts.network.right().start(() -> {
                    try (Socket socket = server.accept()) {
                        socket.getOutputStream().write(42);
                        return socket.getRemoteSocketAddress().toString();
                    }
                });
                int got = hosts.network.left().on(() -> {
                    try (Socket socket = new Socket()) {
                        socket.connect(new InetSocketAddress("203.0.113.1", 8080), 20_000);
                        socket.setSoTimeout(10_000);
                        return socket.getInputStream().read();
                    }
                });
                assertThat(got).isEqualTo(42);
                assertThat(peer.get()).startsWith("/203.0.113.2:");
            }
            return null;
        });
    }
}
