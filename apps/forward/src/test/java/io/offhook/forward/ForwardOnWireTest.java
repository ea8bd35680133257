package io.offhook.forward;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.config.ConfigException;
import io.offhook.dpdk.Eal;
import io.offhook.dpdk.EalOptions;
import io.offhook.forward.application.ForwardApplication;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.linux.network.LinkState;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.packetsocket.PacketSocketLink;
import io.offhook.packet.write.PacketWriter;
import io.offhook.testkit.network.Namespace;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Between two hosts with the kernel's own network stack. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class ForwardOnWireTest {
    private static final String PORTS = """
            ports:
              - {name: a, interface: m0, promiscuous: true}
              - {name: b, interface: m1, promiscuous: true}
            """;
    private static final String BRIDGE = PORTS + "lanes: [{ports: [a, b]}]\nstages: [decode, bridge]\n";
    private static final String ROUTER = """
            ports:
              - {name: a, interface: m0, addresses: [10.0.0.1/24, "2001:db8:a::1/64"]}
              - {name: b, interface: m1, addresses: [10.0.1.1/24, "2001:db8:b::1/64"]}
            lanes: [{ports: [a]}, {ports: [b]}]
            stages: [decode, route]
            """;

    private static final int IFF_ALLMULTI = 0x200;

    @AutoClose
    private final Network network = Network.routed();

    ForwardOnWireTest() throws IOException {}

    private interface Work {
        void on(ForwardApplication application) throws Exception;
    }

    private ForwardApplication open(String config) throws Exception {
        return network.middle()
                .on(() -> ForwardApplication.open(
                        ForwardConfig.readerForThisMachine().read(config, "f.yaml")));
    }

    /** Runs an application in the middle while something is done, and looks whether every packet was accounted for. */
    private ForwardStatistics during(String config, Work work, boolean isLossless) throws Exception {
        try (ForwardApplication application = open(config)) {
            application.forwarder().start();
            work.on(application);
            application.forwarder().stop();
            ForwardStatistics statistics = application.forwarder().statistics();
            assertThat(statistics.isBalanced()).as(statistics.toString()).isTrue();
            long lost = statistics.ports().stream()
                    .mapToLong(port -> port.losses().coming() + port.losses().going())
                    .sum();
            assertThat(lost == 0).as(statistics.toString()).isEqualTo(isLossless);
            return statistics;
        }
    }

    private ForwardStatistics during(String config, Work work) throws Exception {
        return during(config, work, true);
    }

    private ForwardStatistics during(String config, Callable<?> work) throws Exception {
        return during(config, _ -> work.call(), true);
    }

    private void during(String config, Callable<?> work, boolean isLossless) throws Exception {
        during(config, _ -> work.call(), isLossless);
    }

    private void hostsInOneNetwork() throws IOException {
        network.left().address("l0", "10.0.0.2/24");
        network.right().address("r0", "10.0.0.3/24");
    }

    private void hostsInTwoNetworks() throws IOException {
        network.left().address("l0", "10.0.0.2/24");
        network.left().address("l0", "2001:db8:a::2/64");
        network.right().address("r0", "10.0.1.2/24");
        network.right().address("r0", "2001:db8:b::2/64");
        network.left().ip("route", "add", "default", "via", "10.0.0.1");
        network.right().ip("route", "add", "default", "via", "10.0.1.1");
        network.left().ip("-6", "route", "add", "default", "via", "2001:db8:a::1");
        network.right().ip("-6", "route", "add", "default", "via", "2001:db8:b::1");
    }

    /** Echo requests, as root's Java sends them. */
    private void ping(String to) throws Exception {
        int answered = network.left().on(() -> {
            int answers = 0;
            for (int i = 0; i < 20; i++) {
                answers += InetAddress.getByName(to).isReachable(5000) ? 1 : 0;
            }
            return answers;
        });
        assertThat(answered).as(to).isEqualTo(20);
    }

    /** Sends a datagram with a time to live; @return who told what of it, by ICMP: address, type, code */
    private String trace(String to, int ttl) throws IOException {
        return network.left().run("python3", "-c", """
                import socket, sys
                to, ttl = sys.argv[1], int(sys.argv[2])
                is6 = ':' in to
                family = socket.AF_INET6 if is6 else socket.AF_INET
                icmp = socket.socket(family, socket.SOCK_RAW, socket.IPPROTO_ICMPV6 if is6 else socket.IPPROTO_ICMP)
                icmp.settimeout(10)
                udp = socket.socket(family, socket.SOCK_DGRAM)
                if is6:
                    udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, ttl)
                else:
                    udp.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, ttl)
                udp.sendto(b'trace', (to, 33434))
                while True:
                    packet, sender = icmp.recvfrom(2000)
                    at = 0 if is6 else 20
                    if packet[at] < 128 and packet[at] not in (0, 8):
                        print(sender[0], packet[at], packet[at + 1], end='')
                        break
                """, to, String.valueOf(ttl));
    }

    /** So many bytes by TCP from left to right and back. */
    private void tcp(String address, int bytes) throws Exception {
        byte[] sent = new byte[bytes];
        new Random(bytes).nextBytes(sent);
        ServerSocket server = network.right().on(() -> new ServerSocket(5000, 1, InetAddress.getByName(address)));
        try (server) {
            FutureTask<Void> echo = network.right().start(() -> {
                try (Socket socket = server.accept();
                        InputStream in = socket.getInputStream();
                        OutputStream out = socket.getOutputStream()) {
                    out.write(in.readNBytes(bytes));
                }
                return null;
            });
            byte[] got = network.left().on(() -> {
                try (Socket socket = new Socket()) {
                    socket.connect(new InetSocketAddress(address, 5000), 20_000);
                    socket.setSoTimeout(30_000);
                    socket.getOutputStream().write(sent);
                    return socket.getInputStream().readNBytes(bytes);
                }
            });
            echo.get();
            assertThat(Arrays.equals(got, sent)).isTrue();
        }
    }

    /** Datagrams there and back, one after the other. */
    private void udp(String address, int count) throws Exception {
        DatagramSocket server = network.right().on(() -> new DatagramSocket(new InetSocketAddress(address, 5001)));
        try (server) {
            FutureTask<Void> echo = network.right().start(() -> {
                DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
                for (int i = 0; i < count; i++) {
                    packet.setLength(2000);
                    server.receive(packet);
                    server.send(packet);
                }
                return null;
            });
            int back = network.left().on(() -> {
                try (DatagramSocket socket = new DatagramSocket()) {
                    socket.setSoTimeout(10_000);
                    int received = 0;
                    for (int i = 0; i < count; i++) {
                        byte[] bytes = new byte[1 + i * 3 % 1400];
                        Arrays.fill(bytes, (byte) i);
                        socket.send(new DatagramPacket(bytes, bytes.length, new InetSocketAddress(address, 5001)));
                        DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
                        socket.receive(packet);
                        received += Arrays.equals(bytes, Arrays.copyOf(packet.getData(), packet.getLength())) ? 1 : 0;
                    }
                    return received;
                }
            });
            echo.get();
            assertThat(back).isEqualTo(count);
        }
    }

    @Test
    void bridgesTwoHosts() throws Exception {
        hostsInOneNetwork();
        ForwardStatistics statistics = during(BRIDGE, () -> {
            ping("10.0.0.3");
            udp("10.0.0.3", 300);
            tcp("10.0.0.3", 400_000);
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
        try (PacketSocketLink left = link(network.left(), "l0");
                PacketSocketLink right = link(network.right(), "r0")) {
            during(config, () -> {
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
        hostsInOneNetwork();
        String config = PORTS + "lanes: [{ports: [a, b]}, {ports: [b, a]}]\nstages: [decode, bridge]\n";
        during(config, () -> {
            ping("10.0.0.3");
            udp("10.0.0.3", 300);
            tcp("10.0.0.3", 200_000);
            return null;
        });
    }

    /** Checksums of TCP and UDP that a veth leaves to nobody are not made there: so pings, and frames that are whole. */
    @ParameterizedTest
    @CsvSource({"xdp, xdp", "xdp, afpacket", "afpacket, xdp"})
    void bridgesByXdp(String a, String b) throws Exception {
        hostsInOneNetwork();
        String config = PORTS.replace("interface: m0", "interface: m0, backend: " + a)
                        .replace("interface: m1", "interface: m1, backend: " + b)
                + "lanes: [{ports: [a, b]}]\nstages: [decode, bridge]\n";
        ForwardStatistics statistics = during(config, () -> {
            ping("10.0.0.3");
            try (PacketSocketLink left = link(network.left(), "l0");
                    PacketSocketLink right = link(network.right(), "r0")) {
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
        network.withQueues(2);
        hostsInOneNetwork();
        String config = PORTS.replace("interface:", "backend: xdp, interface:")
                + "lanes: [{ports: [a, b]}, {ports: [b, a]}]\nstages: [decode, bridge]\n";
        ForwardStatistics statistics = during(config, () -> {
            ping("10.0.0.3");
            try (PacketSocketLink left = link(network.left(), "l0");
                    PacketSocketLink right = link(network.right(), "r0")) {
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
    @EnabledIf(value = "hasEthtool", disabledReason = "needs ethtool")
    void routesByXdp() throws Exception {
        hostsInTwoNetworks();
        network.left().run("ethtool", "-K", "l0", "tx", "off"); // nobody makes their checksums, else
        network.right().run("ethtool", "-K", "r0", "tx", "off");
        String config = ROUTER.replace("interface:", "backend: xdp, interface:")
                .replace("[{ports: [a]}, {ports: [b]}]", "[{ports: [a, b]}]");
        ForwardStatistics statistics = during(config, () -> {
            ping("10.0.1.2");
            ping("2001:db8:b::2");
            ping("10.0.0.1");
            udp("10.0.1.2", 100);
            udp("2001:db8:b::2", 100);
            tcp("10.0.1.2", 100_000);
            return null;
        });
        assertThat(statistics.ports())
                .allSatisfy(port -> assertThat(port.driver()).startsWith("AF_XDP, "));
    }

    @Test
    void routesBetweenTwoNetworks() throws Exception {
        hostsInTwoNetworks();
        ForwardStatistics statistics = during(ROUTER, () -> {
            ping("10.0.1.2");
            ping("2001:db8:b::2");
            ping("10.0.0.1");
            ping("2001:db8:a::1");
            udp("10.0.1.2", 300);
            udp("2001:db8:b::2", 100);
            tcp("10.0.1.2", 400_000);
            tcp("2001:db8:b::2", 100_000);
            return null;
        });
        assertThat(statistics.lanes())
                .allSatisfy(lane -> assertThat(lane.packets()).isGreaterThan(500));
    }

    @Test
    void losesNothingWhileTablesAreExchanged() throws Exception {
        hostsInTwoNetworks();
        during(ROUTER, application -> {
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
                udp("10.0.1.2", 200);
            }
            isOver.set(true);
            reloads.get();
        });
    }

    @Test
    void goesOnWhenAnInterfaceComesBack() throws Exception {
        hostsInOneNetwork();
        during(
                BRIDGE,
                () -> {
                    ping("10.0.0.3");
                    network.middle().ip("link", "set", "m1", "down");
                    boolean isReached = network.left()
                            .on(() -> InetAddress.getByName("10.0.0.3").isReachable(300));
                    assertThat(isReached).isFalse();
                    network.middle().ip("link", "set", "m1", "up");
                    ping("10.0.0.3");
                    return null;
                },
                false);
    }

    @Test
    @EnabledIf(value = "hasPython", disabledReason = "needs python3")
    void reportsHostsWhatTracerouteLooksFor() throws Exception {
        hostsInTwoNetworks();
        during(ROUTER, () -> {
            assertThat(trace("10.0.1.2", 1)).isEqualTo("10.0.0.1 11 0");
            assertThat(trace("10.0.1.2", 2)).isEqualTo("10.0.1.2 3 3");
            assertThat(trace("2001:db8:b::2", 1)).isEqualTo("2001:db8:a::1 3 0");
            assertThat(trace("2001:db8:b::2", 2)).isEqualTo("2001:db8:b::2 1 4");
            assertThat(trace("172.16.0.1", 9)).isEqualTo("10.0.0.1 3 0");
            assertThat(trace("10.0.1.77", 9)).isEqualTo("10.0.0.1 3 1");
            assertThat(trace("10.0.0.1", 9)).isEqualTo("10.0.0.1 3 3");
            return null;
        });
    }

    static boolean hasPython() {
        return has("python3");
    }

    static boolean hasEthtool() {
        return has("ethtool");
    }

    private static boolean has(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    @Test
    void translatesAddressesOfServersInside() throws Exception {
        network.left().address("l0", "203.0.113.2/24");
        network.right().address("r0", "10.0.1.2/24");
        network.right().ip("route", "add", "default", "via", "10.0.1.1");
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
        during(config, () -> {
            ServerSocket server = network.right().on(() -> new ServerSocket(5000));
            try (server) {
                FutureTask<String> peer = network.right().start(() -> {
                    try (Socket socket = server.accept()) {
                        socket.getOutputStream().write(42);
                        return socket.getRemoteSocketAddress().toString();
                    }
                });
                int got = network.left().on(() -> {
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

    /** Of port b; the kernel follows the other end's carrier with some delay. */
    private static void awaitState(ForwardApplication application, LinkState state) {
        List<LinkState> states = List.of();
        while (!states.equals(List.of(LinkState.UP, state))) {
            assertThat(Thread.currentThread().isInterrupted())
                    .as(states + ", not " + state)
                    .isFalse();
            states = application.forwarder().statistics().ports().stream()
                    .map(ForwardStatistics.PortCounts::state)
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"afpacket, m1", "xdp, m1", "dpdk, 'net_af_packet_s1,iface=m1'"})
    void reportsWhetherThePortsCanSend(String backend, String device) throws Exception {
        if (backend.equals("dpdk")) {
            startDpdk();
        }
        String config =
                BRIDGE.replace("interface: m1", "backend: " + backend + ", ring: 64, interface: \"" + device + '"')
                        + "dpdk: {huge: false, memory: 64MiB, mbufs: 1023}\n";
        ForwardApplication application = open(config.lines()
                .filter(line -> backend.equals("dpdk") || !line.startsWith("dpdk"))
                .collect(Collectors.joining("\n")));
        try (application) {
            awaitState(application, LinkState.UP);
            network.right().ip("link", "set", "r0", "down");
            awaitState(application, LinkState.NO_CARRIER);
            network.middle().ip("link", "set", "m1", "down");
            awaitState(application, LinkState.DOWN);
            network.right().ip("link", "set", "r0", "up");
            network.middle().ip("link", "set", "m1", "up");
            awaitState(application, LinkState.UP);
            network.middle().ip("link", "del", "m1");
            awaitState(application, LinkState.GONE);
        }
    }

    /** By the test, which may start it once, and so does not end it. */
    private static void startDpdk() {
        assumeTrue(Eal.missing() == null, "needs DPDK (librte-eal, librte-net-af-packet)");
        if (Eal.running() == null) {
            Eal.start(EalOptions.virtual());
        }
    }

    /** Neighbours of an IPv6 router ask by groups; a card hands over those that it was told of. */
    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "xdp"})
    void takesFramesToGroups(String backend) throws Exception {
        String config = ROUTER.replace("interface:", "backend: " + backend + ", interface:")
                .replace("[{ports: [a]}, {ports: [b]}]", "[{ports: [a, b]}]");
        try (ForwardApplication _ = open(config)) {
            String flags = network.middle().run("cat", "/sys/class/net/m0/flags");
            assertThat(Integer.decode(flags.strip()) & IFF_ALLMULTI).isNotZero();
        }
    }

    @Test
    @EnabledIf(value = "hasEthtool", disabledReason = "needs ethtool")
    void warnsOfInterfacesThatMergePacketsAndOfAddressesOfTheKernel() throws Exception {
        for (String name : List.of("m0", "m1")) {
            network.middle().run("ethtool", "-K", name, "gro", "off");
        }
        try (ForwardApplication application = open(ROUTER)) {
            assertThat(application.warnings()).isEmpty();
        }
        network.middle().run("ethtool", "-K", "m1", "gro", "on");
        network.middle().address("m0", "10.0.0.9/24");
        try (ForwardApplication application = open(ROUTER)) {
            assertThat(application.warnings())
                    .containsExactly(
                            "port a: the kernel answers as well, since it has addresses there (10.0.0.9/24):"
                                    + " sudo ip address flush dev m0",
                            "port b: the kernel may merge packets into ones longer than the next MTU (rx-gro):"
                                    + " sudo ethtool -K m1 gro off");
        }
        try (ForwardApplication application = open(BRIDGE)) {
            assertThat(application.warnings()).hasSize(1);
        }
        try (ForwardApplication application = open(BRIDGE.replaceFirst(", promiscuous: true", ""))) {
            assertThat(application.warnings())
                    .hasSize(2)
                    .contains("port a: the bridge receives no frames to other machines there; set promiscuous: true");
        }
    }

    @Test
    void refusesAnMtuThatXdpHasNoRoomFor() throws Exception {
        network.middle().ip("link", "set", "m1", "mtu", "9000");
        ConfigException e =
                catchThrowableOfType(ConfigException.class, () -> open(BRIDGE.replace("m1", "m1, backend: xdp")));
        assertThat(e.faults())
                .singleElement()
                .asString()
                .contains("f.yaml:3:", "MTU of 9000", "ip link set m1 mtu 3818");
    }
}
