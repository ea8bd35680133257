package io.offhook.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.dpdk.Eal;
import io.offhook.live.LiveInterface;
import io.offhook.packet.LinkType;
import io.offhook.packet.write.PacketWriter;
import io.offhook.pcap.file.PcapNgWriter;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Every program runs, and prints what its first line says. */
@ResourceLock(Resources.SYSTEM_OUT)
class ExamplesTest {
    private static final String CALLS = Path.of("../../samples/calls.pcap").toString();

    @TempDir
    Path folder;

    /** A {@code main}. */
    private interface Program {
        void run(String[] args) throws Exception;
    }

    private static String output(Program program, String... args) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            program.run(args);
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void countsProtocols() throws Exception {
        assertThat(output(CountProtocols::main, CALLS)).contains("ipv4 4501\n", "tcp 19\n", "udp 4482\n");
    }

    @Test
    void followsTcpStreamsInOrder() throws Exception {
        assertThat(output(FollowTcpStream::main, CALLS))
                .containsSubsequence("INVITE sip:olivia@", "SIP/2.0 200 OK", "ACK sip:olivia@", "BYE sip:", "ended: ");
    }

    @Test
    void putsFragmentsTogether() throws Exception {
        Path file = folder.resolve("fragments.pcapng");
        try (Arena arena = Arena.ofConfined();
                PcapNgWriter out = PcapNgWriter.create(file)) {
            fragment(arena, out, 16, 24, false);
            fragment(arena, out, 0, 16, true);
        }
        assertThat(output(ReassembleFragments::main, file.toString())).startsWith("frame 2: 60 bytes in 3 stretches");
    }

    private static void fragment(Arena arena, PcapNgWriter out, int offset, int length, boolean hasMore) {
        MemorySegment memory = arena.allocate(256);
        int bytes = new PacketWriter()
                .begin(memory, 0)
                .ethernet(1, 2)
                .ipv4(
                        0xc0000201L,
                        0xc0000202L,
                        ip -> ip.identification(7)
                                .moreFragments(hasMore)
                                .fragmentOffset(offset / 8)
                                .protocol(17))
                .zeros(length)
                .finish();
        out.write(memory, 0, bytes, bytes, 1_000_000_000L, LinkType.ETHERNET);
    }

    @Test
    void writesAPacketThatIsReadAgain() throws Exception {
        Path file = folder.resolve("written.pcapng");
        assertThat(output(WritePacket::main, file.toString())).startsWith("105 bytes to 02:00:00:00:00:02");
        assertThat(output(FilterPackets::main, "vlan 100 and udp port 5060", file.toString()))
                .isEqualTo("1 of 1 packets match vlan 100 and udp port 5060\n");
    }

    @Test
    void filtersPackets() throws Exception {
        assertThat(output(FilterPackets::main, "udp port 5060", CALLS))
                .isEqualTo("82 of 4501 packets match udp port 5060\n");
    }

    @Test
    void listsFlows() throws Exception {
        assertThat(output(ListFlows::main, CALLS))
                .contains(
                        "UDP 127.0.1.10:5060 > 127.0.1.1:5060: 4 packets, 1691 bytes, 1:VLr7GPy9aIucVKhnTR/UGDPKSEc=");
    }

    @Test
    void decodesAProtocolOfItsOwn() throws Exception {
        String sync = "011b19000000" + "001122334455" + "88f7" + "0002002c" + "03000200" + "00".repeat(22) + "0102"
                + "00".repeat(12);
        Path file = folder.resolve("ptp.pcap");
        Files.write(
                file,
                HexFormat.of()
                        .parseHex("a1b2c3d4" + "00020004" + "0000000000000000" + "0000ffff" + "00000001"
                                + "0000000000000000" + "0000003a".repeat(2) + sync));

        assertThat(output(DecodePtp::main, file.toString())).isEqualTo("1 PTP sync domain 3 sequence 258\n");
        assertThat(output(DecodePtp::main, CALLS)).endsWith("\n4501 UDP 266 bytes\n");
    }

    @Test
    void anonymizesWithoutLosingPackets() throws Exception {
        Path file = folder.resolve("anonymous.pcapng");
        assertThat(output(Anonymize::main, CALLS, file.toString())).isEqualTo("4501 packets have other addresses\n");
        assertThat(output(FilterPackets::main, "udp port 5060", file.toString()))
                .startsWith("82 of 4501");
        assertThat(output(FilterPackets::main, "host 127.0.1.10 and host 127.0.1.1", file.toString()))
                .startsWith("0 of 4501");
    }

    @Test
    void replaysInTheOrderOfTime() throws Exception {
        String out =
                output(ReplayAsLive::main, Path.of("../../samples/lossy.pcap").toString(), "1e9");
        assertThat(out).startsWith("0.000000 s: 610 bytes, port 5060 to 5060\n");
        assertThat(out.lines()
                        .map(line -> Double.parseDouble(line.split(" ", 2)[0]))
                        .toList())
                .isSorted();
    }

    @Test
    @EnabledIf(value = "mayCapture", disabledReason = "needs Linux and CAP_NET_RAW")
    void printsPacketsOfAnInterface() throws Exception {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread sends = Thread.ofPlatform().start(() -> {
                byte[] bytes = new byte[321];
                try {
                    // again and again: nobody tells when the other end listens
                    while (!Thread.currentThread().isInterrupted()) {
                        socket.send(new DatagramPacket(bytes, bytes.length, socket.getLocalSocketAddress()));
                        Thread.sleep(Duration.ofMillis(50));
                    }
                } catch (IOException | InterruptedException e) {
                    // the test is over
                }
            });
            try {
                assertThat(output(SniffIp::main, "lo", "1"))
                        .contains("in  127.0.0.1 to 127.0.0.1, 349 bytes\n")
                        .doesNotContain("out");
            } finally {
                sends.interrupt();
                sends.join();
            }
        }
    }

    @Test
    @EnabledIf(value = "hasDpdk", disabledReason = "needs DPDK")
    void passesUdpByDpdk() throws Exception {
        Path passed = folder.resolve("udp.pcap");
        assertThat(output(PassUdpByDpdk::main, "net_pcap0,rx_pcap=" + CALLS, "net_pcap1,tx_pcap=" + passed, "2"))
                .isEqualTo("4501 packets came, 4482 of them UDP, which went on\n");
        assertThat(output(FilterPackets::main, "udp", passed.toString())).startsWith("4482 of 4482 packets match");
    }

    static boolean hasDpdk() {
        return Eal.missing() == null;
    }

    @Test
    @EnabledIf(value = "isRoot", disabledReason = "needs root and ip (iproute2)")
    void forwardsAllButSip() throws Exception {
        String space = "offhook-examples-" + ProcessHandle.current().pid();
        List<String> spaces = List.of(space + "-l", space + "-m", space + "-r");
        try {
            for (String one : spaces) {
                run("ip", "netns", "add", one);
            }
            for (int i = 0; i < 2; i++) {
                String outer = spaces.get(2 * i);
                String port = i == 0 ? "west" : "east";
                run(
                        "ip",
                        "-n",
                        outer,
                        "link",
                        "add",
                        "out",
                        "type",
                        "veth",
                        "peer",
                        "name",
                        port,
                        "netns",
                        spaces.get(1));
                run("ip", "-n", outer, "addr", "add", "10.0.0." + (i + 1) + "/24", "dev", "out");
                run("ip", "-n", outer, "link", "set", "out", "up");
                run("ip", "-n", spaces.get(1), "link", "set", port, "up");
            }
            Path configuration = Files.writeString(folder.resolve("bridge.yaml"), """
                    ports:
                      - {name: left, interface: west, promiscuous: true}
                      - {name: right, interface: east, promiscuous: true}
                    lanes: [{ports: [left, right]}]
                    stages: [{drop-ports: {udp: [5060]}}, bridge]
                    """);
            Process forwards = new ProcessBuilder(
                            "ip",
                            "netns",
                            "exec",
                            spaces.get(1),
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ForwardByStages.class.getName(),
                            configuration.toString(),
                            "4")
                    .redirectErrorStream(true)
                    .start();
            String left = spaces.getFirst();
            // what is not SIP goes on, once it runs: the answer to ARP comes
            while (!output("ip", "-n", left, "neigh", "show").contains("10.0.0.2 dev out lladdr ")) {
                assertThat(forwards.isAlive()).isTrue();
                run("ip", "netns", "exec", left, "bash", "-c", "echo > /dev/udp/10.0.0.2/9 || true");
            }
            run("ip", "netns", "exec", left, "bash", "-c", "for i in 1 2 3; do echo > /dev/udp/10.0.0.2/5060; done");
            String out = new String(forwards.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(out).contains("drop-ports, UDP port: 3 packets dropped\n");
        } finally {
            for (String one : spaces) {
                run("ip", "netns", "del", one);
            }
        }
    }

    @Test
    void answersLinesAndEndsInOrder() throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AnswerLines.class.getName(),
                        "0")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = server.inputReader()) {
            int port = Integer.parseInt(out.readLine().replace("127.0.0.1:", ""));
            try (Socket client = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
                    Socket other = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
                client.getOutputStream().write("one\ntwo\nthr".getBytes(StandardCharsets.US_ASCII));
                assertThat(client.getInputStream().readNBytes(8)).asString().isEqualTo("one\ntwo\n");
                client.getOutputStream().write("ee\n".getBytes(StandardCharsets.US_ASCII));
                client.shutdownOutput();
                assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("three\n3 lines\n");
                other.getOutputStream().write("x\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(other.getInputStream().readNBytes(2)).asString().isEqualTo("x\n");
                server.getOutputStream().close();
                assertThat(other.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(out.readLine()).isEqualTo("all was sent");
            assertThat(server.waitFor()).isZero();
        } finally {
            server.destroyForcibly();
        }
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root") && Files.isExecutable(Path.of("/usr/sbin/ip"));
    }

    private static String output(String... words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void run(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).inheritIO().start();
        assertThat(process.waitFor()).as(String.join(" ", words)).isZero();
    }

    static boolean mayCapture() {
        return System.getProperty("os.name").equals("Linux")
                && LiveInterface.all().getFirst().backends().stream()
                        .anyMatch(backend -> backend.availability().isUsable());
    }

    @Test
    void allProgramsAreRunHere() throws Exception {
        TreeSet<String> programs = new TreeSet<>();
        try (Stream<Path> files = Files.list(Path.of("src/main/java/io/offhook/examples"))) {
            for (Path file : files.toList()) {
                if (Files.readString(file).contains("public static void main(")) { // the others are parts of these
                    programs.add(file.getFileName().toString().replace(".java", ""));
                }
            }
        }
        String test = Files.readString(Path.of("src/test/java/io/offhook/examples/ExamplesTest.java"));
        assertThat(programs)
                .hasSize(13)
                .allSatisfy(name -> assertThat(test).containsAnyOf(name + "::main", name + ".class"));
    }
}
