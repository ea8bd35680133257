package io.offhook.analysis.kept;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.testkit.traffic.Scenarios;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A segment whose writer was killed: cut anywhere, without an index. */
@Timeout(60)
class SegmentRepairTest {
    @TempDir
    private Path folder;

    private Path kept;
    private KeepSettings settings;
    private KeptSample sample;
    private Path segment;
    private byte[] whole;

    @BeforeEach
    void keep() throws IOException {
        kept = folder.resolve("kept");
        settings = new KeepSettings(kept, KeepSettings.LEAST_BYTES);
        sample = KeptSample.of(
                Scenarios.traffic("tcp-small-segments", 3).capture().writeTo(folder.resolve("capture")));
        sample.keep(settings);
        segment = Segment.name(kept, 1);
        whole = Files.readAllBytes(segment);
    }

    private List<Long> ends() throws IOException {
        List<Long> ends = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            ends.add(SegmentFile.map(segment, arena).packets(ends::add));
        }
        ends.removeFirst(); // each ends where the next begins
        return ends;
    }

    @Test
    void isReadToItsLastWholePacketWhereverItWasCut() throws Exception {
        List<Long> ends = ends();
        CallReport call = sample.calls().getFirst();
        for (int length = 0; length < whole.length; length += length < 2000 ? 13 : 1777) {
            Files.deleteIfExists(Segment.index(segment));
            Files.write(segment, Arrays.copyOf(whole, length));
            long cut = length;
            long expected = ends.stream().filter(end -> end <= cut).count();
            try (KeptPackets opened = KeptPackets.open(settings);
                    PacketSource source = opened.read(sample.wanted(call))) {
                FrameBatch batch = new FrameBatch(ends.size() + 1);
                source.next(batch);
                assertThat(batch.count()).as("cut at %d", length).isEqualTo((int) expected);
            }
            assertThat(Files.exists(segment)).isEqualTo(expected > 0);
        }
    }

    @Test
    void givesTheCallsOfAWholeOneWithoutAnIndex() throws Exception {
        for (Path file : List.of(Segment.index(segment))) {
            Files.delete(file);
        }
        try (KeptPackets opened = KeptPackets.open(settings)) {
            for (CallReport call : sample.calls()) {
                assertThat(sample.found(opened, call)).isEqualTo(sample.expected(call));
            }
        }
    }

    @Test
    void doesNotBelieveAnIndexOfOtherBytes() throws Exception {
        List<Long> ends = ends();
        Files.write(segment, Arrays.copyOf(whole, (int) (long) ends.get(ends.size() / 2)));
        try (KeptPackets opened = KeptPackets.open(settings)) {
            assertThat(opened.read(sample.wanted(sample.calls().getFirst())).next(new FrameBatch(1)))
                    .isTrue();
        }
        assertThat(Files.size(segment)).isEqualTo(ends.get(ends.size() / 2));
    }

    @Test
    void survivesAnIndexOfRandomBytes() throws Exception {
        byte[] index = Files.readAllBytes(Segment.index(segment));
        Random random = new Random(5);
        for (int i = 0; i < 100; i++) {
            byte[] damaged = index.clone();
            for (int change = 0; change < 4; change++) {
                damaged[40 + random.nextInt(damaged.length - 40)] = (byte) random.nextInt();
            }
            Files.write(Segment.index(segment), damaged);
            try (KeptPackets opened = KeptPackets.open(settings);
                    PacketSource source =
                            opened.read(sample.wanted(sample.calls().getFirst()))) {
                FrameBatch batch = new FrameBatch(100);
                while (source.next(batch)) {
                    assertThat(batch.count()).isPositive();
                }
            }
        }
    }
}
