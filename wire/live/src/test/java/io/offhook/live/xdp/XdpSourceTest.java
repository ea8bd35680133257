package io.offhook.live.xdp;

import static io.offhook.live.TestFrames.IPV4;
import static io.offhook.live.TestFrames.bytes;
import static io.offhook.live.TestFrames.descriptors;
import static io.offhook.live.TestFrames.drain;
import static io.offhook.live.TestFrames.frames;
import static io.offhook.live.TestFrames.reported;
import static io.offhook.live.TestFrames.until;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.filter.FilterException;
import io.offhook.linux.LinuxException;
import io.offhook.live.IdleStrategy;
import io.offhook.live.LiveCounts;
import io.offhook.live.TestFrames;
import io.offhook.live.packetsocket.PacketSocketOptions;
import io.offhook.live.packetsocket.PacketSocketSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.testkit.network.FrameSocket;
import io.offhook.testkit.network.Network;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Captures on one end of a veth pair what is sent from the other. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class XdpSourceTest {
    @AutoClose
    private final Network network = Network.pair();

    XdpSourceTest() throws IOException {}

    private static XdpOptions right() {
        return XdpOptions.of(Network.RIGHT);
    }

    private XdpSource open(XdpOptions options, String filter) throws Exception {
        return network.right().on(() -> XdpSource.open(options, filter));
    }

    /** What comes until the source has had so many, whatever became of them, and then to its end. */
    private static List<byte[]> all(XdpSource source, int sent, FrameBatch... batches) {
        List<byte[]> got = new ArrayList<>(until(() -> source.counts().received() >= sent, source, batches));
        source.stop();
        got.addAll(drain(source, batches));
        return got;
    }

    @ParameterizedTest
    @EnumSource
    void handsOverAllFramesInOrderByteForByte(XdpMode mode) throws Exception {
        List<byte[]> sent = frames(10_000, IPV4);
        try (XdpSource source = open(right().withMode(mode), "")) {
            assertThat(source.description())
                    .startsWith((mode == XdpMode.GENERIC ? "generic" : "native") + " mode, copied, 1 queue");
            network.send(sent);

            List<byte[]> got = all(source, sent.size(), new FrameBatch(4096), new FrameBatch(100), new FrameBatch(1));

            assertThat(reported(got)).isEqualTo(reported(sent));
            LiveCounts counts = source.counts();
            assertThat(counts).isEqualTo(new LiveCounts(10_000, 10_000, 0, 0, 0, counts.freezes()));
            assertThat(source.losses()).isEmpty();
            assertThat(source.faults()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GENERIC"})
    void countsAndPlacesWhatALateConsumerCosts(XdpMode mode) throws Exception {
        List<byte[]> sent = frames(5_000, IPV4);
        try (XdpSource source = open(right().withMode(mode).withMemory(128 * 2048), "")) {
            network.send(sent);
            List<byte[]> got = all(source, sent.size(), new FrameBatch(4096));

            LiveCounts counts = source.counts();
            assertThat(counts.received()).isEqualTo(sent.size());
            assertThat(counts.ringDrops()).isPositive();
            assertThat(counts.delivered() + counts.filtered() + counts.ringDrops() + counts.kernelDrops())
                    .isEqualTo(counts.received());
            assertThat(got).hasSize((int) counts.delivered());
            assertThat(source.losses().stream().mapToLong(CaptureLoss::packets).sum())
                    .isEqualTo(counts.ringDrops() + counts.kernelDrops());
        }
    }

    @Test
    void countsWhatFoundNoFreeChunkSinceBatchesWereKept() throws Exception {
        List<byte[]> sent = frames(600, IPV4);
        try (XdpSource source = open(right().withMemory(256 * 2048), "")) {
            List<FrameBatch> kept = new ArrayList<>();
            // the ring has room for 128 at a time
            for (int first = 0; first < 200; first += 100) {
                network.send(sent.subList(first, first + 100));
                for (int taken = 0; taken < 100; ) {
                    FrameBatch batch = new FrameBatch(100);
                    assertThat(source.next(batch)).isTrue();
                    kept.add(batch);
                    taken += batch.count();
                }
            }
            assertThat(reported(allOf(kept))).isEqualTo(reported(sent.subList(0, 200)));

            // 200 of 256 chunks are with batches: of 400 frames 56 find one
            network.send(sent.subList(200, 600));
            List<byte[]> got = all(source, sent.size(), new FrameBatch(100));

            assertThat(reported(got)).isEqualTo(reported(sent.subList(200, 256)));
            assertThat(reported(allOf(kept))).isEqualTo(reported(sent.subList(0, 200)));
            LiveCounts counts = source.counts();
            assertThat(counts.kernelDrops()).isEqualTo(344);
            assertThat(counts.freezes()).isPositive();
            assertThat(counts.received()).isEqualTo(600);
            assertThat(counts.delivered()).isEqualTo(256);
        }
    }

    @Test
    void takesBackTheChunksOfABatchThatIsReleased() throws Exception {
        List<byte[]> sent = frames(600, IPV4);
        try (XdpSource source = open(right().withMemory(128 * 2048), "")) {
            List<byte[]> got = new ArrayList<>();
            for (int first = 0; first < 600; first += 50) {
                network.send(sent.subList(first, first + 50));
                for (int taken = 0; taken < 50 && !Thread.interrupted(); ) { // the timeout interrupts
                    FrameBatch batch = new FrameBatch(50);
                    assertThat(source.next(batch)).isTrue();
                    got.addAll(bytes(batch));
                    taken += batch.count();
                    source.release(batch);
                    assertThat(batch.count()).isZero();
                }
            }
            assertThat(reported(got)).isEqualTo(reported(sent));
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitsAsItWasToldTo(IdleStrategy idleStrategy) throws Exception {
        List<byte[]> sent = frames(1_000, IPV4);
        try (XdpSource source = open(right().withIdleStrategy(idleStrategy), "")) {
            FrameBatch empty = new FrameBatch(16);
            assertThat(source.next(empty)).isTrue();
            assertThat(empty.count()).isZero();
            network.send(sent);
            assertThat(reported(all(source, sent.size(), new FrameBatch(16)))).isEqualTo(reported(sent));
        }
    }

    private static List<byte[]> allOf(List<FrameBatch> batches) {
        List<byte[]> frames = new ArrayList<>();
        batches.forEach(batch -> frames.addAll(bytes(batch)));
        return frames;
    }

    @Test
    void sawWhatTcpdumpSentFrom(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("tcpdump.pcap");
        List<byte[]> sent = frames(2_000, IPV4);
        Process tcpdump = network.left()
                .on(() -> new ProcessBuilder(network.left()
                                .command(
                                        "tcpdump",
                                        "-i",
                                        Network.LEFT,
                                        "-w",
                                        file.toString(),
                                        "-s",
                                        "0",
                                        "-U",
                                        "-Z",
                                        "root",
                                        "-c",
                                        "2000"))
                        .redirectErrorStream(true)
                        .start());
        try (XdpSource source = open(right(), "")) {
            BufferedReader said = new BufferedReader(new InputStreamReader(tcpdump.getInputStream(), US_ASCII));
            // it says when it listens
            assertThat(said.readLine()).contains("listening on");
            network.send(sent);
            List<byte[]> got = all(source, sent.size(), new FrameBatch(4096));
            assertThat(tcpdump.waitFor()).isZero();
            try (PacketSource capture = CaptureFiles.open(file.toString())) {
                assertThat(reported(drain(capture, new FrameBatch(4096)))).isEqualTo(reported(got));
            }
            assertThat(got).hasSize(2_000);
        } finally {
            tcpdump.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GENERIC"})
    void leavesToTheMachineWhatTheFilterDoesNotWant(XdpMode mode) throws Exception {
        byte[] wanted = frames(1, IPV4).getFirst();
        byte[] other = frames(2, 0x0806).getLast();
        try (PacketSocketSource machine =
                        network.right().on(() -> PacketSocketSource.open(PacketSocketOptions.of(Network.RIGHT), ""));
                XdpSource source = open(right().withMode(mode), "ip")) {
            network.send(List.of(wanted, other, wanted, other));
            assertThat(reported(all(source, 2, new FrameBatch(16)))).isEqualTo(reported(List.of(wanted, wanted)));
            machine.stop();
            assertThat(reported(drain(machine, new FrameBatch(16)))).isEqualTo(reported(List.of(other, other)));
            assertThat(source.counts().received()).isEqualTo(2);
        }
    }

    @Test
    void leavesAllToTheMachineOnceItWasStopped() throws Exception {
        List<byte[]> sent = frames(3, IPV4);
        try (PacketSocketSource machine =
                        network.right().on(() -> PacketSocketSource.open(PacketSocketOptions.of(Network.RIGHT), ""));
                XdpSource source = open(right(), "")) {
            source.stop();
            assertThat(drain(source, new FrameBatch(16))).isEmpty();
            network.send(sent);
            machine.stop();
            assertThat(reported(drain(machine, new FrameBatch(16)))).isEqualTo(reported(sent));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GENERIC"})
    void keepsVlanTagsThatAreInTheFrame(XdpMode mode) throws Exception {
        List<byte[]> sent = new ArrayList<>();
        for (int tpid : List.of(0x8100, 0x88a8)) {
            byte[] frame = frames(1, tpid).getFirst();
            frame[14] = 0x20;
            frame[15] = 5;
            sent.add(frame);
        }
        try (XdpSource source = open(right().withMode(mode), "vlan 5")) {
            network.send(sent);
            assertThat(reported(all(source, 2, new FrameBatch(16)))).isEqualTo(reported(sent));
        }
    }

    @Test
    void handsOverAsMuchOfAFrameAsAskedFor() throws Exception {
        byte[] sent = frames(1, IPV4).getFirst();
        try (XdpSource source = open(right().withSnapLength(50), "")) {
            network.send(List.of(sent));
            FrameBatch batch = new FrameBatch(16);
            until(() -> batch.count() > 0, source, batch);
            assertThat(batch.capturedLength(0)).isEqualTo(50);
            assertThat(batch.wireLength(0)).isEqualTo(sent.length);
            assertThat(batch.direction(0)).isEqualTo(FrameDirection.INCOMING);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GENERIC"})
    void joinsFramesThatNeedSeveralChunks(XdpMode mode) throws Exception {
        network.left().ip("link", "set", Network.LEFT, "mtu", "9000");
        network.right().ip("link", "set", Network.RIGHT, "mtu", "9000");
        List<byte[]> sent = frames(2_000, IPV4, 60, 9014);
        try (XdpSource source = open(right().withMode(mode), "ip")) {
            assertThat(source.description()).endsWith("frames of any size");
            network.send(sent);
            List<byte[]> got = all(source, sent.size(), new FrameBatch(4096), new FrameBatch(7));
            assertThat(reported(got)).isEqualTo(reported(sent));
            assertThat(source.counts().delivered()).isEqualTo(source.counts().received());
        }
    }

    private void mtu(int bytes) throws IOException {
        network.right().ip("link", "set", Network.RIGHT, "mtu", Integer.toString(bytes));
        network.left().ip("link", "set", Network.LEFT, "mtu", Integer.toString(bytes));
    }

    @Test
    void countsAndPlacesFramesThatOutgrewItsChunksWhileItRuns() throws Exception {
        List<byte[]> few = frames(100, IPV4);
        List<byte[]> large = frames(50, IPV4, 2_000, 3_014);
        try (XdpSource source = open(right().withMode(XdpMode.NATIVE), "")) {
            assertThat(source.description()).endsWith("frames of up to 1792 bytes");
            network.send(few);
            mtu(3_000);
            network.send(large);
            network.send(few);
            List<byte[]> got = all(source, 250, new FrameBatch(4096));

            List<byte[]> expected = new ArrayList<>(few);
            expected.addAll(few);
            assertThat(reported(got)).isEqualTo(reported(expected));
            assertThat(source.counts())
                    .isEqualTo(
                            new LiveCounts(250, 200, 0, 0, 50, source.counts().freezes()));
            assertThat(source.losses().stream().mapToLong(CaptureLoss::packets).sum())
                    .isEqualTo(50);
        }
    }

    /** Whose frames a driver's program cannot take, the kernel does not let grow. */
    @Test
    void theKernelRefusesAnMtuBeyondAPageWhileItRunsInTheDriver() throws Exception {
        try (XdpSource _ = open(right().withMode(XdpMode.NATIVE), "")) {
            assertThatThrownBy(() -> mtu(9_000))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("mtu greater than device maximum");
        }
        mtu(9_000);
    }

    @Test
    void takesFramesOfAnMtuThatGrewWhileItRunsInTheStack() throws Exception {
        List<byte[]> large = frames(500, IPV4, 60, 9_014);
        try (XdpSource source = open(right().withMode(XdpMode.GENERIC), "")) {
            mtu(9_000);
            network.send(large);
            List<byte[]> got = all(source, 500, new FrameBatch(4096));
            assertThat(reported(got)).isEqualTo(reported(large));
            assertThat(source.counts().drops()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GENERIC"})
    void takesTheFramesOfAllQueues(XdpMode mode) throws Exception {
        network.right()
                .ip(
                        "link",
                        "add",
                        "wide",
                        "numrxqueues",
                        "2",
                        "numtxqueues",
                        "2",
                        "type",
                        "veth",
                        "peer",
                        "name",
                        "far",
                        "numrxqueues",
                        "2",
                        "numtxqueues",
                        "2");
        network.right().ip("link", "set", "wide", "up");
        network.right().ip("link", "set", "far", "up");
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            sent.add(udp(i));
        }
        try (XdpSource source = open(XdpOptions.of("wide").withMode(mode), "")) {
            assertThat(source.description()).contains("2 queues");
            network.right().on(() -> FrameSocket.send("far", sent));
            List<byte[]> got = all(source, sent.size(), new FrameBatch(4096));
            assertThat(got).hasSize(1_000);
            assertThat(ports(got)).isEqualTo(ports(sent));
            assertThat(source.counts().delivered()).isEqualTo(1_000);
        }
        // of the first queue alone: the others' frames go to the machine
        try (XdpSource source = open(XdpOptions.of("wide").withMode(mode).withQueues(1), "")) {
            network.right().on(() -> FrameSocket.send("far", sent));
            source.stop();
            // veth tells a queue to the driver's program only
            assertThat(drain(source, new FrameBatch(4096)).size())
                    .isBetween(mode == XdpMode.NATIVE ? 1 : 1_000, mode == XdpMode.NATIVE ? 999 : 1_000);
        }
    }

    /** UDP from a port of its own, so that the kernel spreads the frames over the queues. */
    private static byte[] udp(int number) {
        byte[] frame = HexFormat.of()
                .parseHex("020000000002" + "020000000001" + "0800" + "4500002e" + "00000000" + "40110000" + "c0000201"
                        + "c0000202" + "000013c4001a0000" + "00".repeat(18));
        frame[34] = (byte) (0x40 | number >>> 8);
        frame[35] = (byte) number;
        return frame;
    }

    private static Set<Integer> ports(List<byte[]> frames) {
        Set<Integer> ports = new TreeSet<>();
        frames.forEach(frame -> ports.add((frame[34] & 0xff) << 8 | frame[35] & 0xff));
        return ports;
    }

    /** Before long: the kernel lets go of a link by a worker of its own. */
    private void assertDetached() throws IOException {
        long startNs = System.nanoTime();
        while (hasProgram()) {
            assertThat(System.nanoTime() - startNs).isLessThan(10_000_000_000L);
        }
    }

    private boolean hasProgram() throws IOException {
        return network.right().run("ip", "-d", "link", "show", Network.RIGHT).contains("prog/xdp");
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GENERIC"})
    void isDetachedOnceItIsClosed(XdpMode mode) throws Exception {
        for (int round = 0; round < 3; round++) {
            try (XdpSource source = open(right().withMode(mode), "")) {
                assertThat(hasProgram()).isTrue();
                assertThat(source.counts().received()).isZero();
            }
            assertDetached();
        }
    }

    /** What {@link #isDetachedOnceItsProcessIsKilled} kills. */
    static final class Victim {
        private Victim() {}

        /** Opens a source, says so, and waits for its end. */
        public static void main(String[] arguments) {
            try (XdpSource source = XdpSource.open(XdpOptions.of(arguments[0]), "")) {
                System.out.println("open");
                FrameBatch batch = new FrameBatch(16);
                while (source.next(batch)) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void isDetachedOnceItsProcessIsKilled() throws Exception {
        Process victim = new ProcessBuilder(network.right()
                        .command(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "--enable-native-access=ALL-UNNAMED",
                                Victim.class.getName(),
                                Network.RIGHT))
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(new BufferedReader(new InputStreamReader(victim.getInputStream(), US_ASCII)).readLine())
                    .isEqualTo("open");
            assertThat(hasProgram()).isTrue();
        } finally {
            victim.destroyForcibly().waitFor();
        }
        assertThat(victim.exitValue()).isEqualTo(137);
        assertDetached();
        List<byte[]> sent = frames(10, IPV4);
        try (XdpSource source = open(right(), "")) {
            network.send(sent);
            assertThat(reported(all(source, sent.size(), new FrameBatch(16)))).isEqualTo(reported(sent));
        }
    }

    @Test
    void saysThatTheInterfaceHasAProgramAlready() throws Exception {
        try (XdpSource source = open(right(), "")) {
            assertThat(source.faults()).isEmpty();
            assertThatThrownBy(() -> open(right(), ""))
                    .isInstanceOf(LinuxException.class)
                    .hasMessageStartingWith("right has an XDP program already (`ip link show right` shows it");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GENERIC"})
    void goesOnOnceTheInterfaceIsUpAgain(XdpMode mode) throws Exception {
        List<byte[]> sent = frames(3, IPV4);
        try (XdpSource source = open(right().withMode(mode), "")) {
            FrameBatch batch = new FrameBatch(16);
            network.right().ip("link", "set", Network.RIGHT, "down");
            assertThat(source.next(batch)).isTrue();
            network.right().ip("link", "set", Network.RIGHT, "up");
            network.send(sent);
            assertThat(reported(all(source, sent.size(), batch))).isEqualTo(reported(sent));
            assertThat(source.faults()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GENERIC"})
    void endsWithAFaultWhenTheInterfaceDisappears(XdpMode mode) throws Exception {
        List<byte[]> sent = frames(3, IPV4);
        try (XdpSource source = open(right().withMode(mode), "")) {
            network.send(sent);
            List<byte[]> got = new ArrayList<>(until(() -> source.counts().received() >= 3, source, new FrameBatch(1)));
            network.right().ip("link", "del", Network.RIGHT);
            got.addAll(drain(source, new FrameBatch(16)));
            assertThat(reported(got)).isEqualTo(reported(sent));
            assertThat(source.faults()).singleElement().satisfies(fault -> {
                assertThat(fault.file()).isEqualTo(Network.RIGHT);
                assertThat(fault.message()).isEqualTo("the interface has disappeared");
            });
        }
    }

    @Test
    void saysWhichInterfacesItCannotHave() throws Exception {
        assertThatThrownBy(() -> open(XdpOptions.of("nowhere"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no interface nowhere");
        network.right().ip("tuntap", "add", "pipe", "mode", "tun");
        assertThatThrownBy(() -> open(XdpOptions.of("pipe"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("AF_XDP takes Ethernet frames only");
    }

    @Test
    void allocatesNothingPerFrame() throws Exception {
        try (XdpSource source = open(right(), "ip")) {
            // what is published every 10 ms, the clock set right every second
            assertThat(TestFrames.allocatedByReading(source, network::send)).isLessThan(4_000);
        }
    }

    @Test
    void leavesNoDescriptorOpen() throws Exception {
        long before = descriptors();
        try (XdpSource source = open(right(), "")) {
            assertThat(descriptors()).isGreaterThan(before);
            source.stop();
        }
        assertThatThrownBy(() -> open(right(), "udp[")).isInstanceOf(FilterException.class);
        assertThat(descriptors()).isEqualTo(before);
    }
}
