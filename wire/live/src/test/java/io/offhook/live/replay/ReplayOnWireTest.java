package io.offhook.live.replay;

import static io.offhook.live.TestFrames.drain;
import static io.offhook.live.TestFrames.reported;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.offhook.live.IdleStrategy;
import io.offhook.live.SendCounts;
import io.offhook.live.packetsocket.PacketSocketOptions;
import io.offhook.live.packetsocket.PacketSocketSink;
import io.offhook.live.packetsocket.PacketSocketSinkOptions;
import io.offhook.live.packetsocket.PacketSocketSource;
import io.offhook.live.replay.ReplayReport.End;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapWriter;
import io.offhook.testkit.network.Network;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays captures on one end of a veth pair, captures them on the other, twice, and compares. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class ReplayOnWireTest {
    private static final int MOST_BYTES = 1514;

    @AutoClose
    private final Network network = Network.pair();

    ReplayOnWireTest() throws IOException {}

    private ReplayReport replay(Path capture, ReplayOptions options) throws Exception {
        return network.left().on(() -> {
            try (PacketSocketSink sink = PacketSocketSink.open(PacketSocketSinkOptions.of(Network.LEFT))) {
                return new Replay(() -> CaptureFiles.open(capture.toString()), sink, options).run();
            }
        });
    }

    /** Frames of a file, and what is to become of them. */
    private static final class Expected {
        final List<byte[]> frames = new ArrayList<>();
        int cutShort;
        int tooLong;
        int other;

        Expected(Path capture) {
            FrameBatch batch = new FrameBatch(1024);
            try (PacketSource source = CaptureFiles.open(capture.toString())) {
                while (source.next(batch)) {
                    for (int i = 0; i < batch.count(); i++) {
                        add(batch, i);
                    }
                }
            }
        }

        private void add(FrameBatch batch, int i) {
            byte[] frame = batch.segmentOf(i)
                    .asSlice(batch.offset(i), batch.capturedLength(i))
                    .toArray(ValueLayout.JAVA_BYTE);
            boolean isTagged = frame.length > 14 && frame[12] == (byte) 0x81 && frame[13] == 0;
            if (frame.length < batch.wireLength(i)) {
                cutShort++;
            } else if (batch.linkType(i) != LinkType.ETHERNET) {
                other++;
            } else if (frame.length > MOST_BYTES + (isTagged ? 4 : 0)) {
                tooLong++;
            } else {
                frames.add(frame);
            }
        }
    }

    private static List<byte[]> frames(Path capture) {
        return new Expected(capture).frames;
    }

    private static Path file(String path) {
        Path file = Path.of(path);
        assumeTrue(Files.exists(file), "no " + path);
        return file;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../samples/calls.pcap",
                "../../samples/lossy.pcap",
                "../../../shared/captures/tcpreplay/test.pcap",
                "../../../shared/captures/tcpreplay/test_fragroute.pcap",
                "../../../shared/captures/suricata/eve-flow-vlan-02.pcap",
                "../../../shared/captures/sanders-packets/ipv6_fragments.pcapng",
                "../../../shared/captures/ndpi/FAX-Call-t38-CA-TDM-SIP-FB-1.pcap",
                "../../../shared/captures/sip-captures/test_voip.pcap.pcapng"
            })
    void arrivesByteForByteAndInOrder(String path, @TempDir Path folder) throws Exception {
        Expected expected = new Expected(file(path));
        Path tcpdumps = folder.resolve("tcpdump.pcap");
        Process tcpdump = tcpdump(tcpdumps, expected.frames.size());
        try (PacketSocketSource source =
                network.right().on(() -> PacketSocketSource.open(PacketSocketOptions.of(Network.RIGHT), ""))) {
            ReplayReport report = replay(file(path), ReplayOptions.of(ReplaySpeed.top()));

            assertThat(tcpdump.waitFor()).isZero();
            source.stop();
            List<byte[]> got = drain(source, new FrameBatch(4096));
            assertThat(reported(got)).isEqualTo(reported(expected.frames));
            assertThat(reported(frames(tcpdumps))).isEqualTo(reported(got));
            assertThat(report.end()).isEqualTo(End.DONE);
            assertThat(report.cutShort()).isEqualTo(expected.cutShort);
            SendCounts counts = report.counts();
            assertThat(counts.sent()).isEqualTo(source.counts().received()).isEqualTo(expected.frames.size());
            assertThat(counts.tooLong()).isEqualTo(expected.tooLong);
            assertThat(counts.otherLinkType()).isEqualTo(expected.other);
            assertThat(counts.waiting()).isZero();
            assertThat(report.read()).isEqualTo(report.cutShort() + counts.offered());
        } finally {
            tcpdump.destroyForcibly();
        }
    }

    private Process tcpdump(Path file, int frames) throws IOException {
        Process tcpdump = new ProcessBuilder(network.right()
                        .command(Stream.of(
                                        "tcpdump -i right -s 0 -U -Z root --time-stamp-precision=nano -B 65536 -c",
                                        Integer.toString(frames),
                                        "-w",
                                        file.toString())
                                .flatMap(part -> Stream.of(part.split(" ")))
                                .toArray(String[]::new)))
                .redirectErrorStream(true)
                .start();
        // it says when it listens
        BufferedReader said = new BufferedReader(new InputStreamReader(tcpdump.getInputStream(), US_ASCII));
        assertThat(said.readLine()).contains("listening on");
        return tcpdump;
    }

    @Test
    void takesTheTimeThatWasAskedForAtTheLeast() throws Exception {
        int frames = frames(file("../../samples/lossy.pcap")).size();
        ReplayReport report =
                replay(file("../../samples/lossy.pcap"), ReplayOptions.of(ReplaySpeed.framesPerSecond(2_000)));
        assertThat(report.counts().sent()).isEqualTo(frames);
        assertThat(report.durationNs()).isGreaterThanOrEqualTo((frames - 1) * 500_000L);
        assertThat(report.lateNs()).isPositive();
    }

    /** 400 frames within 4 s, in bursts and with gaps. */
    private static Path unevenly(Path folder) {
        Path file = folder.resolve("unevenly.pcap");
        Random random = new Random(3);
        long[] times = new long[400];
        for (int i = 0; i < times.length; i++) {
            times[i] = (long) (random.nextDouble() * random.nextDouble() * 4e9);
        }
        times[0] = 0;
        times[1] = 4_000_000_000L;
        Arrays.sort(times);
        try (PcapWriter writer = PcapWriter.create(file, LinkType.ETHERNET);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(MOST_BYTES);
            memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
            for (long ns : times) {
                int length = 60 + random.nextInt(1000);
                writer.write(memory, 0, length, length, 1_700_000_000_000_000_000L + ns, LinkType.ETHERNET);
            }
        }
        return file;
    }

    private static List<Long> times(PacketSource source) {
        List<Long> times = new ArrayList<>();
        FrameBatch batch = new FrameBatch(1024);
        while (source.next(batch)) {
            for (int i = 0; i < batch.count(); i++) {
                times.add(batch.timestampNs(i));
            }
        }
        return times;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void arrivesAsRecordedOrFasterByAFactorAndReportsWhatWasReached(int factor, @TempDir Path folder) throws Exception {
        Path file = unevenly(folder);
        List<Long> recorded;
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            recorded = times(source);
        }
        try (PacketSocketSource source =
                network.right().on(() -> PacketSocketSource.open(PacketSocketOptions.of(Network.RIGHT), ""))) {
            // read meanwhile: a ring hands over a block each 10 ms, and has 64
            FutureTask<List<Long>> reading = new FutureTask<>(() -> times(source));
            Thread.ofPlatform().start(reading);
            ReplayReport report = replay(file, ReplayOptions.of(ReplaySpeed.recorded(factor)));
            source.stop();
            List<Long> arrived = reading.get();

            assertThat(arrived.size()).isEqualTo(recorded.size());
            assertThat(report.counts().sent()).isEqualTo(arrived.size());
            // the kernel stamps by a clock that may be slewed; the first frame may have been late itself
            long slackNs = report.lateNs() + 5_000_000L;
            for (int i = 0; i < arrived.size(); i++) {
                long askedNs = (recorded.get(i) - recorded.getFirst()) / factor;
                assertThat(arrived.get(i) - arrived.getFirst())
                        .as("frame " + i + ", never sooner than asked for")
                        .isGreaterThanOrEqualTo(askedNs - slackNs);
            }
            long askedNs = 4_000_000_000L / factor;
            long tookNs = arrived.getLast() - arrived.getFirst();
            assertThat(tookNs).isBetween(askedNs - slackNs, askedNs + 1_500_000_000L);
            assertThat(report.durationNs()).isBetween(tookNs - slackNs, tookNs + slackNs + 500_000_000L);
            assertThat(report.framesPerSecond()).isCloseTo(arrived.size() / (tookNs / 1e9), withinPercentage(30));
        }
    }

    @Test
    void stopsWhenToldToInTheMiddleOfAGap() throws Exception {
        try (PacketSocketSink sink =
                network.left().on(() -> PacketSocketSink.open(PacketSocketSinkOptions.of(Network.LEFT)))) {
            Replay replay = new Replay(
                    () -> CaptureFiles.open(file("../../samples/calls.pcap").toString()),
                    sink,
                    ReplayOptions.of(ReplaySpeed.framesPerSecond(0.001)));
            Thread stopping = Thread.ofPlatform().start(() -> {
                while (replay.report().counts().sent() == 0) {
                    Thread.onSpinWait();
                }
                replay.stop();
            });
            ReplayReport report = replay.run();
            stopping.join();
            assertThat(report.end()).isEqualTo(End.STOPPED);
            assertThat(report.counts().sent()).isEqualTo(1);
        }
    }

    @Test
    void allocatesNothingForAFrame() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Path capture = file("../../samples/calls.pcap");
        int frames = frames(capture).size();
        long[] aPass = {Long.MAX_VALUE};
        network.left().on(() -> {
            try (PacketSocketSink sink = PacketSocketSink.open(PacketSocketSinkOptions.of(Network.LEFT))) {
                long[] before = {0};
                ReplayOptions options =
                        new ReplayOptions(ReplaySpeed.framesPerSecond(400_000), 60, 0, 0, false, IdleStrategy.SPIN);
                return new Replay(
                                () -> {
                                    long now = threads.getCurrentThreadAllocatedBytes();
                                    aPass[0] = before[0] == 0 ? aPass[0] : Math.min(aPass[0], now - before[0]);
                                    PacketSource source = CaptureFiles.open(capture.toString());
                                    before[0] = threads.getCurrentThreadAllocatedBytes();
                                    return source;
                                },
                                sink,
                                options)
                        .run();
            }
        });
        // what closing the file takes, and 1,024 frames at a time
        assertThat(aPass[0]).isLessThan(frames * 2L);
    }
}
