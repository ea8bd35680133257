package io.offhook.live.packetsocket;

import static io.offhook.live.TestFrames.IPV4;
import static io.offhook.live.TestFrames.bytes;
import static io.offhook.live.TestFrames.descriptors;
import static io.offhook.live.TestFrames.drain;
import static io.offhook.live.TestFrames.frames;
import static io.offhook.live.TestFrames.reported;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.live.IdleStrategy;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.testkit.network.Network;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
public class PacketSocketSourceTest {
    private static final int VLAN = 0x8100;
    private static final int PROVIDER_VLAN = 0x88a8;

    @AutoClose
    private final Network network = Network.pair();

    public PacketSocketSourceTest() throws IOException {}

    static byte[] tagged(int tpid, int tci, int seed) {
        byte[] frame = frames(1, tpid).getFirst().clone();
        frame[14] = (byte) (tci >>> 8);
        frame[15] = (byte) tci;
        frame[16] = 8;
        frame[17] = 0;
        frame[20] = (byte) seed;
        return frame;
    }

    private PacketSocketSource open(PacketSocketOptions options, String filter) throws Exception {
        return network.right().on(() -> PacketSocketSource.open(options, filter));
    }

    @Test
    void handsOverAllFramesInOrderByteForByte() throws Exception {
        List<byte[]> sent = frames(20_000, IPV4);
        try (PacketSocketSource source = open(PacketSocketOptions.of(Network.RIGHT), "")) {
            network.send(sent);
            source.stop();

            assertThat(reported(drain(source, new FrameBatch(4096), new FrameBatch(100), new FrameBatch(1))))
                    .isEqualTo(reported(sent));

            assertThat(source.counts()).isEqualTo(new LiveCounts(20_000, 20_000, 0, 0, 0, 0));
            assertThat(source.losses()).isEmpty();
            assertThat(source.faults()).isEmpty();
        }
    }

    @Test
    void sawWhatTcpdumpSaw(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("tcpdump.pcap");
        List<byte[]> sent = frames(2_000, IPV4);
        Process tcpdump = new ProcessBuilder(network.right()
                        .command(
                                "tcpdump",
                                "-i",
                                Network.RIGHT,
                                "-w",
                                file.toString(),
                                "-s",
                                "0",
                                "-U",
                                "-Z",
                                "root",
                                "--time-stamp-precision=nano",
                                "-c",
                                "2000"))
                .redirectErrorStream(true)
                .start();
        try (PacketSocketSource source = open(PacketSocketOptions.of(Network.RIGHT), "")) {
            // it says when it listens
            BufferedReader said = new BufferedReader(new InputStreamReader(tcpdump.getInputStream(), US_ASCII));
            assertThat(said.readLine()).contains("listening on");
            network.send(sent);
            assertThat(tcpdump.waitFor()).isZero();
            source.stop();
            FrameBatch batch = new FrameBatch(4096);
            FrameBatch other = new FrameBatch(4096);
            try (PacketSource capture = CaptureFiles.open(file.toString())) {
                int at = 0;
                int compared = 0;
                assertThat(source.next(batch)).isTrue();
                while (capture.next(other)) {
                    for (int i = 0; i < other.count(); i++) {
                        if (at == batch.count()) {
                            assertThat(source.next(batch)).isTrue();
                            at = 0;
                        }
                        assertThat(batch.segmentOf(at)
                                        .asSlice(batch.offset(at), batch.capturedLength(at))
                                        .mismatch(other.segmentOf(i).asSlice(other.offset(i), other.capturedLength(i))))
                                .isEqualTo(-1);
                        assertThat(batch.timestampNs(at)).isEqualTo(other.timestampNs(i));
                        at++;
                        compared++;
                    }
                }
                assertThat(compared).isEqualTo(sent.size());
            }
        } finally {
            tcpdump.destroyForcibly();
        }
    }

    @Test
    void countsAndPlacesWhatASlowConsumerCosts() throws Exception {
        List<byte[]> sent = frames(20_000, IPV4);
        PacketSocketOptions tiny = PacketSocketOptions.of(Network.RIGHT).withRing(64 << 10, 4);
        try (PacketSocketSource source = open(tiny, "")) {
            network.send(sent);
            source.stop();
            List<byte[]> got = drain(source, new FrameBatch(4096));

            LiveCounts counts = source.counts();
            assertThat(counts.ringDrops()).isPositive();
            assertThat(counts.freezes()).isPositive();
            assertThat(counts.received()).isEqualTo(sent.size());
            assertThat(counts.kernelDrops()).isZero();
            assertThat(counts.delivered() + counts.ringDrops()).isEqualTo(counts.received());
            assertThat(got).hasSize((int) counts.delivered());
            assertThat(source.losses().stream().mapToLong(CaptureLoss::packets).sum())
                    .isEqualTo(counts.ringDrops());
            CaptureLoss loss = source.losses().getFirst();
            assertThat(loss.file()).isEqualTo(Network.RIGHT);
            assertThat(loss.firstFrame()).isLessThanOrEqualTo(loss.lastFrame());
            assertThat(loss.fromNs()).isLessThan(loss.untilNs());
        }
    }

    @Test
    void keepsFramesOfABatchUntilItComesBack() throws Exception {
        PacketSocketOptions small = PacketSocketOptions.of(Network.RIGHT).withRing(64 << 10, 4);
        try (PacketSocketSource source = open(small, "")) {
            List<byte[]> first = frames(20, IPV4);
            network.send(first);
            FrameBatch kept = new FrameBatch(4096);
            while (kept.count() == 0) {
                assertThat(source.next(kept)).isTrue();
            }
            List<byte[]> atFirst = bytes(kept);
            assertThat(reported(atFirst)).isEqualTo(reported(first.subList(0, atFirst.size())));
            // more than the ring holds, several times over
            FrameBatch passing = new FrameBatch(4096);
            for (int round = 0; round < 20; round++) {
                network.send(frames(200, IPV4));
                assertThat(source.next(passing)).isTrue();
                assertThat(source.next(passing)).isTrue();
            }

            assertThat(reported(bytes(kept))).isEqualTo(reported(atFirst));
        }
    }

    @Test
    void putsVlanTagsBack() throws Exception {
        List<byte[]> sent = List.of(
                tagged(VLAN, 5, 1),
                tagged(VLAN, 0xe005, 2),
                tagged(PROVIDER_VLAN, 77, 3),
                frames(1, IPV4).getFirst());
        try (PacketSocketSource source = open(PacketSocketOptions.of(Network.RIGHT), "")) {
            network.send(sent);
            source.stop();
            assertThat(reported(drain(source, new FrameBatch(16)))).isEqualTo(reported(sent));
        }
    }

    @Test
    void filtersAsIfTheVlanTagWereInTheFrame() throws Exception {
        byte[] five = tagged(VLAN, 5, 1);
        byte[] six = tagged(VLAN, 6, 2);
        byte[] plain = frames(1, IPV4).getFirst();
        List<byte[]> sent = List.of(five, six, plain);
        assertThat(filtered("vlan 5", sent)).isEqualTo(reported(List.of(five)));
        assertThat(filtered("not vlan 5", sent)).isEqualTo(reported(List.of(six, plain)));
        assertThat(filtered("ip", sent)).isEqualTo(reported(List.of(plain)));
        assertThat(filtered("not ip", sent)).isEqualTo(reported(List.of(five, six)));
    }

    private List<String> filtered(String expression, List<byte[]> sent) throws Exception {
        try (PacketSocketSource source = open(PacketSocketOptions.of(Network.RIGHT), expression)) {
            network.send(sent);
            source.stop();
            List<byte[]> got = drain(source, new FrameBatch(16));
            LiveCounts counts = source.counts();
            assertThat(counts.delivered() + counts.filtered()).isEqualTo(counts.received());
            return reported(got);
        }
    }

    @Test
    void capturesAsMuchOfAFrameAsAskedFor() throws Exception {
        List<byte[]> sent = List.of(frames(1, IPV4).getFirst(), tagged(VLAN, 5, 1));
        try (PacketSocketSource source =
                open(PacketSocketOptions.of(Network.RIGHT).withSnapLength(50), "")) {
            network.send(sent);
            source.stop();
            FrameBatch batch = new FrameBatch(1);
            int got = 0;
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    assertThat(batch.capturedLength(i)).isEqualTo(50);
                    assertThat(batch.wireLength(i)).isEqualTo(sent.get(got).length);
                    got++;
                }
            }
            assertThat(got).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitsAsItIsTold(IdleStrategy idleStrategy) throws Exception {
        List<byte[]> sent = frames(20, IPV4);
        PacketSocketOptions options = PacketSocketOptions.of(Network.RIGHT).withIdleStrategy(idleStrategy);
        try (PacketSocketSource source = open(options, "")) {
            FrameBatch batch = new FrameBatch(16);
            long begin = System.nanoTime();
            assertThat(source.next(batch)).isTrue();
            assertThat(System.nanoTime() - begin).isGreaterThan(LiveSource.IDLE_MS * 900_000L);
            assertThat(batch.count()).isZero();
            network.send(sent);
            source.stop();
            assertThat(reported(drain(source, batch))).isEqualTo(reported(sent));
        }
    }

    /** Who has the blocks may give them back by that. */
    @ParameterizedTest
    @EnumSource
    void aRingThatIsLentWholeIsToldAtOnce(IdleStrategy idleStrategy) throws Exception {
        PacketSocketOptions options =
                PacketSocketOptions.of(Network.RIGHT).withRing(64 << 10, 2).withIdleStrategy(idleStrategy);
        try (PacketSocketSource source = open(options, "")) {
            List<FrameBatch> kept = new ArrayList<>();
            // the first frames may fill both blocks, since the kernel closes one when its time is over
            while (source.counts().ringDrops() + source.counts().kernelDrops() == 0) {
                network.send(frames(20, IPV4));
                FrameBatch batch = new FrameBatch(4096);
                assertThat(source.next(batch)).isTrue();
                kept.add(batch);
            }
            FrameBatch batch = new FrameBatch(4096);
            long began = System.nanoTime();
            for (int i = 0; i < 5; i++) {
                assertThat(source.next(batch)).isTrue();
                assertThat(batch.count()).isZero();
            }
            assertThat(System.nanoTime() - began).isLessThan(3 * LiveSource.IDLE_MS * 1_000_000L);
            assertThat(kept.stream().mapToInt(FrameBatch::count).sum()).isPositive();
        }
    }

    @Test
    void endsThoughPacketsKeepComing() throws Exception {
        List<byte[]> sent = frames(2_000, IPV4);
        try (PacketSocketSource source = open(PacketSocketOptions.of(Network.RIGHT), "")) {
            network.send(sent);
            source.stop();
            FrameBatch batch = new FrameBatch(16);
            List<byte[]> got = new ArrayList<>();
            // never less in the ring than a batch takes
            for (int turn = 0; turn < 1_000 && source.next(batch); turn++) {
                got.addAll(bytes(batch));
                network.send(sent.subList(0, 16));
            }
            assertThat(got).hasSizeBetween(2_000, 2_016);
            assertThat(reported(got.subList(0, 2_000))).isEqualTo(reported(sent));
            assertThat(source.next(batch)).isFalse();
        }
    }

    @Test
    void endsWhenAnInterfaceDisappearsThatWasDown() throws Exception {
        try (PacketSocketSource source = open(PacketSocketOptions.of(Network.RIGHT), "")) {
            FrameBatch batch = new FrameBatch(16);
            network.right().ip("link", "set", Network.RIGHT, "down");
            assertThat(source.next(batch)).isTrue(); // has seen that it is down
            assertThat(source.next(batch)).isTrue();
            network.right().ip("link", "del", Network.RIGHT);
            assertThat(drain(source, batch)).isEmpty();
            assertThat(source.faults()).hasSize(1);
        }
    }

    /** Those that wait in a block of the ring come once its time is over, behind the news that the interface is down. */
    @Test
    void endsThoughFramesCameAfterTheInterfaceWentDown() throws Exception {
        PacketSocketOptions slow =
                PacketSocketOptions.of(Network.RIGHT).withRing(new PacketSocketOptions.Ring(1 << 20, 64, 1000));
        List<byte[]> sent = frames(3, IPV4);
        try (PacketSocketSource source = open(slow, "")) {
            FrameBatch batch = new FrameBatch(16);
            network.send(sent);
            network.right().ip("link", "set", Network.RIGHT, "down");
            assertThat(source.next(batch)).isTrue(); // has seen that it is down
            assertThat(batch.count()).isZero();
            while (batch.count() == 0) {
                assertThat(source.next(batch)).isTrue();
            }
            assertThat(reported(bytes(batch))).isEqualTo(reported(sent));
            network.right().ip("link", "del", Network.RIGHT);
            assertThat(drain(source, batch)).isEmpty();
            assertThat(source.faults()).hasSize(1);
        }
    }

    @Test
    void saysWhichInterfaceIsNotThere() {
        assertThatThrownBy(() -> open(PacketSocketOptions.of("nowhere"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no interface nowhere");
    }

    @Test
    void leavesNoDescriptorOpen() throws Exception {
        long before = descriptors();
        try (PacketSocketSource source = open(PacketSocketOptions.of(Network.RIGHT), "")) {
            assertThat(descriptors()).isGreaterThan(before);
            source.stop();
        }
        assertThat(descriptors()).isEqualTo(before);
    }
}
