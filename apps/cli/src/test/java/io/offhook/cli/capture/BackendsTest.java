package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Json;
import io.offhook.dpdk.Eal;
import io.offhook.live.libpcap.LibpcapSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --backend} of {@code offhook capture}, as a process on one end of a veth pair. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(180)
class BackendsTest {
    private static final String RIGHT = CaptureNetwork.RIGHT;
    private static final Path CALLS = Path.of("../../samples/calls.pcap").toAbsolutePath();

    /** Of a frame that an interface of the usual MTU takes, without a VLAN tag. */
    private static final int MOST_BYTES = 1514;

    private static final int TYPE = 12;
    private static final int VLAN = 0x8100;
    private static final ValueLayout.OfShort BIG_ENDIAN_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    @TempDir
    private Path folder;

    @AutoClose
    private final CaptureNetwork network = new CaptureNetwork();

    /** The frames of a file as text that a failure can be read by: number, length, bytes. */
    private static List<String> frames(Path file, int skipped) {
        List<String> frames = new ArrayList<>();
        FrameBatch batch = new FrameBatch(1024);
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    byte[] bytes = batch.segmentOf(i)
                            .asSlice(batch.offset(i) + skipped, batch.capturedLength(i) - skipped)
                            .toArray(ValueLayout.JAVA_BYTE);
                    frames.add(frames.size() + ": " + bytes.length + " "
                            + HexFormat.of().formatHex(bytes));
                }
            }
        }
        return frames;
    }

    private void needs(String backend) {
        assumeTrue(!backend.equals("pcap") || LibpcapSource.version() != null, "libpcap0.8 is not installed");
        assumeTrue(!backend.equals("dpdk") || Eal.missing() == null, () -> "no DPDK: " + Eal.missing());
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "afpacket", "xdp", "pcap", "dpdk"})
    void backendsCaptureTheSamePackets(String backend) throws Exception {
        needs(backend);
        List<String> sent = frames(CALLS, 0);
        Path file = folder.resolve("captured.pcapng");
        String count = Integer.toString(sent.size());
        CaptureNetwork.Running capture = network.offhook(
                        "capture", "-i", RIGHT, "--backend", backend, "-w", file.toString(), "--count", count)
                .awaitError("Ctrl-C ends it");
        network.sender(CALLS).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        assertThat(frames(file, 0)).isEqualTo(sent);
        String note =
                "offhook: right: AF_XDP, native mode, copied, 1 queue, frames of up to 1792 bytes; what comes in does"
                        + " not reach this machine's own network stack, and what it sends is not seen\n";
        assertThat(capture.err().contains(note)).isEqualTo(backend.equals("xdp"));
    }

    /** Of the samples, which are always there, and of the captures beside the repository, which are not. */
    private static List<String> captures() {
        return Stream.of(
                        "../../samples/calls.pcap",
                        "../../samples/lossy.pcap",
                        "../../../shared/captures/tcpreplay/test.pcap",
                        "../../../shared/captures/tcpreplay/test_fragroute.pcap",
                        "../../../shared/captures/suricata/eve-flow-vlan-02.pcap",
                        "../../../shared/captures/sanders-packets/ipv6_fragments.pcapng",
                        "../../../shared/captures/ndpi/FAX-Call-t38-CA-TDM-SIP-FB-1.pcap",
                        "../../../shared/captures/sip-captures/test_voip.pcap.pcapng")
                .filter(path -> Files.exists(Path.of(path)))
                .toList();
    }

    /** How many of its frames can be sent as they were: whole ones of Ethernet that fit the interface. */
    private static int sendable(String path) {
        int count = 0;
        FrameBatch batch = new FrameBatch(1024);
        try (PacketSource source = CaptureFiles.open(path)) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    int length = batch.capturedLength(i);
                    int type = length < TYPE + 2
                            ? 0
                            : batch.segmentOf(i).get(BIG_ENDIAN_SHORT, batch.offset(i) + TYPE) & 0xffff;
                    boolean isWhole = batch.linkType(i) == LinkType.ETHERNET && length == batch.wireLength(i);
                    count += isWhole && length <= MOST_BYTES + (type == VLAN ? 4 : 0) ? 1 : 0;
                }
            }
        }
        return count;
    }

    /** AF_XDP takes packets before tcpdump on the same interface could see them: there it listens where they are sent. */
    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "xdp", "pcap", "dpdk"})
    void capturesTheSamePacketsAsTcpdump(String backend) throws Exception {
        needs(backend);
        List<String> captures = captures();
        String count = Integer.toString(
                captures.stream().mapToInt(BackendsTest::sendable).sum());
        Path tcpdumps = folder.resolve("tcpdump.pcap");
        Path ours = folder.resolve("captured.pcapng");
        String[] command = ("tcpdump -i " + (backend.equals("xdp") ? CaptureNetwork.LEFT : RIGHT)
                        + " -s 0 -U -Z root --time-stamp-precision=nano -B 65536 -c " + count + " -w " + tcpdumps)
                .split(" ", -1);
        CaptureNetwork.Running tcpdump =
                (backend.equals("xdp") ? network.left(command) : network.right(command)).awaitError("listening on");
        CaptureNetwork.Running capture = network.offhook(
                        "capture", "-i", RIGHT, "--backend", backend, "-w", ours.toString(), "--count", count)
                .awaitError("Ctrl-C ends it");
        List<String> replaying = new ArrayList<>(List.of("replay", "-i", CaptureNetwork.LEFT));
        replaying.addAll(List.of("--rate", "20kpps", "--format", "json"));
        replaying.addAll(captures);
        CaptureNetwork.Running replay = network.offhookLeft(replaying.toArray(String[]::new));
        assertThat(Json.asObject(Json.object(replay.out()).get("replay")))
                .as(replay.err())
                .containsEntry("packetsSent", Long.parseLong(count));

        assertThat(capture.code()).as(capture.err()).isZero();
        assertThat(tcpdump.code()).as(tcpdump.err()).isZero();
        List<String> captured = frames(ours, 0);
        assertThat(captured).hasSize(Integer.parseInt(count)).isEqualTo(frames(tcpdumps, 0));
    }

    @Test
    void capturesFromDevicesOfLibpcap() throws Exception {
        needs("pcap");
        Path file = folder.resolve("captured.pcapng");
        String count = Integer.toString(frames(CALLS, 0).size());
        CaptureNetwork.Running capture = network.offhook(
                        "capture", "-i", "any", "--backend", "pcap", "-w", file.toString(), "--count", count)
                .awaitError("Capturing from any; Ctrl-C ends it.");
        network.sender(CALLS).send();
        assertThat(capture.code()).as(capture.err()).isZero();
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            assertThat(source.next(new FrameBatch(1))).isTrue();
            assertThat(source.interfaces().getFirst().linkType()).isEqualTo(LinkType.LINUX_SLL2);
        }
        // without the link headers, of 20 and of 14 bytes
        assertThat(frames(file, 20)).isEqualTo(frames(CALLS, 14));
    }

    @Test
    void reportsErrors() throws Exception {
        needs("pcap");
        String file = folder.resolve("none.pcapng").toString();
        assertRefused("--monitor-mode requires --backend pcap", "capture", "-i", RIGHT, "--monitor-mode", "-w", file);
        assertRefused(
                "-i right has no monitor mode",
                "capture",
                "-i",
                RIGHT,
                "--backend",
                "pcap",
                "--monitor-mode",
                "-w",
                file);
        assertRefused("there is no interface nowhere", "capture", "-i", "nowhere", "--backend", "pcap", "-w", file);
        assertRefused("there is no interface any", "capture", "-i", "any", "--backend", "xdp", "-w", file);
        network.ip("link", "set", RIGHT, "down");
        assertRefused(
                "-i right: the interface is down; what helps: sudo ip link set right up",
                "capture",
                "-i",
                RIGHT,
                "--backend",
                "xdp",
                "-w",
                file);
        assertRefused(
                "--idle cannot be combined with --backend pcap",
                "calls",
                "-i",
                "any",
                "--backend",
                "pcap",
                "--idle",
                "spin");
    }

    private void assertRefused(String message, String... arguments) throws Exception {
        CaptureNetwork.Running capture = network.offhook(arguments);
        assertThat(capture.code()).isEqualTo(2);
        assertThat(capture.err()).contains(message);
    }
}
