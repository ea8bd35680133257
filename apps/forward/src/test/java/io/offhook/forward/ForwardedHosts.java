package io.offhook.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.forward.application.ForwardApplication;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/**
 * Two hosts with the kernel's own network stack, each in a namespace, and a third namespace between them, in which an
 * application forwards.
 */
final class ForwardedHosts implements AutoCloseable {
    static final String PORTS = """
            ports:
              - {name: a, interface: m0, promiscuous: true}
              - {name: b, interface: m1, promiscuous: true}
            """;

    static final String BRIDGE = PORTS + "lanes: [{ports: [a, b]}]\nstages: [decode, bridge]\n";

    static final String ROUTER = """
            ports:
              - {name: a, interface: m0, addresses: [10.0.0.1/24, "2001:db8:a::1/64"]}
              - {name: b, interface: m1, addresses: [10.0.1.1/24, "2001:db8:b::1/64"]}
            lanes: [{ports: [a]}, {ports: [b]}]
            stages: [decode, route]
            """;

    final Network network = Network.routed();

    ForwardedHosts() throws IOException {}

    interface Work {
        void on(ForwardApplication application) throws Exception;
    }

    ForwardApplication open(String config) throws Exception {
        return network.middle()
                .on(() -> ForwardApplication.open(
                        ForwardConfig.readerForThisMachine().read(config, "f.yaml")));
    }

    /** Runs an application in the middle while something is done, and looks whether every packet was accounted for. */
    ForwardStatistics during(String config, Work work, boolean isLossless) throws Exception {
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

    ForwardStatistics during(String config, Work work) throws Exception {
        return during(config, work, true);
    }

    ForwardStatistics during(String config, Callable<?> work) throws Exception {
        return during(config, _ -> work.call(), true);
    }

    void during(String config, Callable<?> work, boolean isLossless) throws Exception {
        during(config, _ -> work.call(), isLossless);
    }

    void inOneNetwork() throws IOException {
        network.left().address("l0", "10.0.0.2/24");
        network.right().address("r0", "10.0.0.3/24");
    }

    void inTwoNetworks() throws IOException {
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
    void ping(String to) throws Exception {
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
    String trace(String to, int ttl) throws IOException {
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
    void tcp(String address, int bytes) throws Exception {
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
    void udp(String address, int count) throws Exception {
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

    @Override
    public void close() throws IOException {
        network.close();
    }
}
