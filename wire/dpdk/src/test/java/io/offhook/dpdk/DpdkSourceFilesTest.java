package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.filter.FilterException;
import io.offhook.live.LiveCounts;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapWriter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Files that net_pcap reads, as a live source, compared with what {@link CaptureFiles} reads of them. */
@EnabledIf(value = "io.offhook.dpdk.TestEal#isPossible", disabledReason = "DPDK 22.11 is not installed (package dpdk)")
@Timeout(120)
class DpdkSourceFilesTest {
    private static final Path SAMPLES = Path.of("../../samples");
    private static final Path CAPTURES = Path.of("../../../shared/captures");

    /** libpcap takes microseconds of a second above 2^31 for negative ones; a file of the fuzzers' has some. */
    private static final long LIBPCAP_WRAP_NS = (1L << 32) * 1000;

    @TempDir
    private Path folder;

    private final List<Path> links = new ArrayList<>();

    @AfterEach
    void removeLinks() throws IOException {
        for (Path link : links) {
            Files.delete(link);
        }
    }

    private record Frame(int captured, int wire, long microseconds, int hash) {}

    private static DpdkSource open(DpdkSourceOptions options, String filter) {
        TestEal.get();
        return DpdkSource.open(options, filter);
    }

    /** A device that reads a file; its name must hold no comma. */
    private String reader(Path file) throws IOException {
        Path link = folder.resolve(TestEal.unique("capture"));
        Files.createSymbolicLink(link, file.toAbsolutePath().normalize());
        links.add(link);
        return TestEal.unique("net_pcap") + ",rx_pcap=" + link;
    }

    private static void add(List<Frame> frames, FrameBatch batch) {
        for (int i = 0; i < batch.count(); i++) {
            byte[] bytes = batch.segmentOf(i)
                    .asSlice(batch.offset(i), batch.capturedLength(i))
                    .toArray(ValueLayout.JAVA_BYTE);
            frames.add(new Frame(
                    batch.capturedLength(i),
                    batch.wireLength(i),
                    batch.timestampNs(i) % LIBPCAP_WRAP_NS / 1000,
                    Arrays.hashCode(bytes)));
        }
    }

    /** All that comes until nothing comes any more. */
    private static List<Frame> drain(DpdkSource source, FrameBatch... batches) {
        List<Frame> frames = new ArrayList<>();
        source.stop();
        int turn = 0;
        while (source.next(batches[turn])) {
            add(frames, batches[turn]);
            turn = (turn + 1) % batches.length;
        }
        LiveCounts counts = source.counts();
        assertThat(counts.received())
                .isEqualTo(counts.delivered() + counts.filtered() + counts.ringDrops() + counts.kernelDrops());
        assertThat(counts.delivered()).isEqualTo(frames.size());
        return frames;
    }

    /** As our own reader has them; a packet's length on the wire is what DPDK does not tell. */
    private static List<Frame> expected(Path file) {
        List<Frame> frames = new ArrayList<>();
        FrameBatch batch = new FrameBatch(4096);
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            while (source.next(batch)) {
                add(frames, batch);
            }
        }
        return frames.stream()
                .map(frame -> new Frame(frame.captured, frame.captured, frame.microseconds, frame.hash))
                .toList();
    }

    @Test
    void readsTheSamplesAsOurReaderDoes() throws IOException {
        for (String name : List.of("calls.pcap", "lossy.pcap")) {
            Path file = SAMPLES.resolve(name);
            try (DpdkSource source = open(DpdkSourceOptions.of(reader(file)), "")) {
                List<Frame> got = drain(source, new FrameBatch(4096), new FrameBatch(100), new FrameBatch(1));
                assertThat(got).hasSizeGreaterThan(100).isEqualTo(expected(file));
                assertThat(source.counts()).isEqualTo(new LiveCounts(got.size(), got.size(), 0, 0, 0, 0));
                assertThat(source.losses()).isEmpty();
                assertThat(source.faults()).isEmpty();
                assertThat(source.interfaces().getFirst().linkType()).isEqualTo(LinkType.ETHERNET);
            }
        }
    }

    /** Of classic pcap files without damage, which libpcap reads as we do; all frames, with their times. */
    @Test
    void readsTheSharedCapturesAsOurReaderDoes() throws IOException {
        assumeTrue(Files.isDirectory(CAPTURES), "the shared captures are not here");
        List<Path> files;
        try (Stream<Path> all = Files.walk(CAPTURES)) {
            files = all.filter(file -> file.toString().endsWith(".pcap"))
                    .filter(file -> file.toFile().length() < 2_000_000)
                    .sorted()
                    .toList();
        }
        int compared = 0;
        long frames = 0;
        List<String> refused = new ArrayList<>();
        for (Path file : files) {
            if (!isSound(file)) {
                continue;
            }
            List<Frame> expected = expected(file);
            try (DpdkSource source = open(DpdkSourceOptions.of(reader(file)).withBuffers(2047, 64), "")) {
                List<Frame> got = drain(source, new FrameBatch(256));
                assertThat(got).as(file.toString()).isEqualTo(expected);
                compared++;
                frames += got.size();
            } catch (DpdkException e) {
                refused.add(file + ": " + e.getMessage());
            }
        }
        assertThat(refused).isEmpty();
        assertThat(compared).isGreaterThan(500);
        assertThat(frames).isGreaterThan(50_000);
    }

    private static boolean isSound(Path file) throws IOException {
        byte[] magic = new byte[4];
        try (InputStream in = Files.newInputStream(file)) {
            in.readNBytes(magic, 0, 4);
        }
        int number = ByteBuffer.wrap(magic).getInt();
        // as it was written by either kind of machine; some are pcapng by another name
        if (number != 0xa1b2c3d4 && number != 0xd4c3b2a1) {
            return false;
        }
        FrameBatch batch = new FrameBatch(4096);
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    long most = source.interfaces().getFirst().snapLength();
                    // libpcap has times before 1970 for numbers that it takes for negative ones
                    long microseconds = batch.timestampNs(i) / 1000;
                    if (microseconds >= 1L << 31 && microseconds < 1L << 32 || microseconds >= (1L << 31) * 1_000_000) {
                        return false;
                    }
                    // libpcap cuts what is longer than the file says packets are, net_pcap what 16 bits cannot tell
                    if (batch.capturedLength(i) == 0
                            || batch.capturedLength(i) > 65_535
                            || most > 0 && batch.capturedLength(i) > most) {
                        return false;
                    }
                }
            }
            return source.faults().isEmpty();
        }
    }

    @Test
    void hasOnlyWhatTheFilterWants() throws IOException {
        Path file = SAMPLES.resolve("calls.pcap");
        try (DpdkSource source = open(DpdkSourceOptions.of(reader(file)), "udp port 5060")) {
            List<Frame> got = drain(source, new FrameBatch(64));
            LiveCounts counts = source.counts();
            assertThat(counts.filtered()).isPositive();
            assertThat(counts.delivered()).isPositive();
            assertThat(counts.received()).isEqualTo(expected(file).size());
            assertThat(expected(file)).containsSubsequence(got);
        }
        assertThatThrownBy(() -> open(DpdkSourceOptions.of("net_ring"), "no such thing"))
                .isInstanceOf(FilterException.class);
    }

    @Test
    void capturesAsMuchOfAPacketAsAskedFor() throws IOException {
        Path file = SAMPLES.resolve("calls.pcap");
        try (DpdkSource source = open(DpdkSourceOptions.of(reader(file)).withSnapLength(60), "")) {
            List<Frame> got = drain(source, new FrameBatch(64));
            List<Frame> whole = expected(file);
            assertThat(got).hasSameSizeAs(whole);
            for (int i = 0; i < got.size(); i++) {
                assertThat(got.get(i).captured).isEqualTo(Math.min(60, whole.get(i).captured));
                assertThat(got.get(i).wire).isEqualTo(whole.get(i).captured);
            }
        }
    }

    /** Of net_pcap, which has taken a packet out of its file before it looks for an mbuf. */
    @Test
    void countsWhatASlowConsumerCosts() throws IOException {
        Path file = folder.resolve("many.pcap");
        int packets = 5000;
        write(file, packets);
        try (DpdkSource source = open(DpdkSourceOptions.of(reader(file)).withBuffers(1023, 64), "")) {
            // the consumer gives nothing back
            List<FrameBatch> held = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                FrameBatch batch = new FrameBatch(100);
                source.next(batch);
                held.add(batch);
            }
            List<Frame> rest = new ArrayList<>();
            source.stop();
            while (source.next(held.getFirst())) {
                add(rest, held.getFirst());
            }
            LiveCounts counts = source.counts();
            assertThat(counts.kernelDrops()).isPositive();
            assertThat(counts.delivered()).isPositive();
            assertThat(counts.received()).isEqualTo(packets);
            assertThat(counts.delivered() + counts.kernelDrops()).isEqualTo(packets);
            assertThat(source.losses().stream().mapToLong(CaptureLoss::packets).sum())
                    .isEqualTo(counts.kernelDrops());
        }
    }

    private static void write(Path file, int packets) throws IOException {
        FrameBatch batch = new FrameBatch(packets);
        try (var arena = java.lang.foreign.Arena.ofConfined();
                PcapWriter writer = PcapWriter.create(file, LinkType.ETHERNET)) {
            var memory = arena.allocate(60);
            int segment = batch.addSegment(memory);
            for (int i = 0; i < packets; i++) {
                batch.add(segment, 0, 60, 60, i * 1000L, 0, LinkType.ETHERNET);
            }
            for (int i = 0; i < packets; i++) {
                memory.set(ValueLayout.JAVA_INT, 0, i);
                writer.write(batch, i);
            }
        }
    }
}
