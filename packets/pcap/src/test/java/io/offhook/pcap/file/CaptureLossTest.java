package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.LossList;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets that were lost while a file was captured, as pcapng tells of them. */
class CaptureLossTest {
    private static final int DROP_COUNT = 4;
    private static final int FLAGS = 2;
    private static final int RECEIVED = 4;
    private static final int INTERFACE_DROPS = 5;
    private static final int SYSTEM_DROPS = 7;
    private static final int DELIVERED = 8;

    @TempDir
    private Path directory;

    private List<CaptureLoss> losses(PcapNgBytes capture, int frames) {
        Reading reading = Reading.mapped(directory, capture.toBytes(), 2);
        assertThat(reading.faults()).isEmpty();
        assertThat(reading.frames()).hasSize(frames);
        assertThat(Reading.streamed(capture.toBytes(), 1000).nameless()).isEqualTo(reading.nameless());
        return reading.nameless().losses();
    }

    /** Times in microseconds. */
    private static CaptureLoss loss(long packets, long firstFrame, long lastFrame, long from, long until) {
        return new CaptureLoss("", packets, firstFrame, lastFrame, from * 1000, until * 1000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void totalAtTheEndLiesAnywhereInTheSection(boolean bigEndian) {
        PcapNgBytes capture = PcapNgBytes.of(bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
                .describe(1, 0)
                .enhanced(0, 1_000, 9)
                .enhanced(0, 2_000, 10)
                .enhanced(0, 3_000, 11);
        capture.statistics(0, capture.counter(RECEIVED, 903), capture.counter(INTERFACE_DROPS, 900));
        assertThat(losses(capture, 3)).containsExactly(loss(900, 1, 3, 1_000, 3_000));
    }

    @Test
    void totalIsPlacedBehindTheOneBefore() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).describe(1, 0).enhanced(0, 1_000, 9);
        capture.statistics(0, capture.counter(INTERFACE_DROPS, 5), capture.counter(SYSTEM_DROPS, 2))
                .enhanced(0, 2_000, 9)
                .enhanced(1, 3_000, 9)
                .statistics(0, capture.counter(INTERFACE_DROPS, 5), capture.counter(SYSTEM_DROPS, 2))
                .statistics(1, capture.counter(SYSTEM_DROPS, 4))
                .enhanced(0, 4_000, 9)
                .statistics(0, capture.counter(INTERFACE_DROPS, 6), capture.counter(SYSTEM_DROPS, 2));
        assertThat(losses(capture, 4))
                .containsExactly(loss(7, 1, 1, 1_000, 1_000), loss(4, 1, 3, 1_000, 3_000), loss(1, 3, 4, 3_000, 4_000));
    }

    @Test
    void packetReportsWhatWasLostJustBeforeIt() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0);
        byte[] flags = capture.option(FLAGS, new byte[4]);
        capture.enhancedWith(0, 1_000, capture.counter(DROP_COUNT, 3))
                .enhancedWith(0, 2_000, flags, capture.endOfOptions())
                .enhancedWith(0, 3_000, flags, capture.counter(DROP_COUNT, 0))
                .enhancedWith(0, 4_000, flags, capture.counter(DROP_COUNT, 12_345), capture.endOfOptions())
                .enhancedWith(0, 5_000, capture.counter(DROP_COUNT, 5))
                .enhanced(0, 6_000, 9)
                .enhancedWith(0, 7_000, capture.counter(DROP_COUNT, 1));
        // two that follow each other are one
        assertThat(losses(capture, 7))
                .containsExactly(
                        loss(3, 1, 1, 1_000, 1_000), loss(12_350, 3, 5, 3_000, 5_000), loss(1, 6, 7, 6_000, 7_000));
    }

    @Test
    void totalDoesNotCountAgainWhatPacketsTold() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1_000, 9);
        capture.enhancedWith(0, 2_000, capture.counter(DROP_COUNT, 30))
                .enhanced(0, 3_000, 9)
                .statistics(0, capture.counter(INTERFACE_DROPS, 30))
                .enhancedWith(0, 4_000, capture.counter(DROP_COUNT, 1))
                .statistics(0, capture.counter(INTERFACE_DROPS, 33));
        assertThat(losses(capture, 4))
                .containsExactly(
                        loss(30, 1, 2, 1_000, 2_000), loss(1, 3, 4, 3_000, 4_000), loss(2, 3, 4, 3_000, 4_000));
    }

    @Test
    void obsoletePacketReportsToo() {
        PcapNgBytes capture = PcapNgBytes.plain()
                .describe(1, 0)
                .obsolete(0, 0, 1_000, PcapBytes.packet(9), 9)
                .obsolete(0, 3, 2_000, PcapBytes.packet(9), 9)
                .obsolete(0, 0xffff, 3_000, PcapBytes.packet(9), 9); // not known
        assertThat(losses(capture, 3)).containsExactly(loss(3, 1, 2, 1_000, 2_000));
    }

    @Test
    void eachSectionCountsAnew() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1_000, 9);
        capture.statistics(0, capture.counter(INTERFACE_DROPS, 8))
                .section(ByteOrder.BIG_ENDIAN)
                .describe(1, 0)
                .enhanced(0, 5_000, 9)
                .enhanced(0, 6_000, 9)
                .statistics(0, capture.counter(INTERFACE_DROPS, 9));
        assertThat(losses(capture, 3)).containsExactly(loss(8, 1, 1, 1_000, 1_000), loss(9, 2, 3, 5_000, 6_000));
    }

    @Test
    void countsWhereNothingCameThrough() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0);
        capture.statistics(0, capture.counter(INTERFACE_DROPS, 10))
                .enhanced(0, 1_000, 9)
                .statistics(0, capture.counter(INTERFACE_DROPS, 10));
        assertThat(losses(capture, 1)).containsExactly(loss(10, 0, 0, 0, 0));
    }

    @Test
    void passesOverStatisticsThatTellNothingOfUse() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0).enhanced(0, 1_000, 9);
        byte[] overrun = capture.body().u16(INTERFACE_DROPS).u16(400).u32(1).toBytes();
        capture.statistics(0)
                .statistics(0, capture.counter(RECEIVED, 100), capture.counter(DELIVERED, 3))
                .statistics(0, capture.counter(INTERFACE_DROPS, -1)) // not known
                .statistics(0, capture.option(INTERFACE_DROPS, new byte[4]))
                .statistics(0, overrun)
                .statistics(7, capture.counter(INTERFACE_DROPS, 5)) // no such interface
                .statistics(-1, capture.counter(INTERFACE_DROPS, 5))
                .block(5, capture.body().u32(0)) // too short for one
                .enhancedWith(0, 2_000, overrun)
                .enhancedWith(0, 3_000, capture.counter(DROP_COUNT, Long.MIN_VALUE))
                .statistics(0, capture.counter(INTERFACE_DROPS, 0));
        assertThat(losses(capture, 3)).isEmpty();
    }

    @Test
    void holdsABoundedListThatLeavesNothingOut() {
        PcapNgBytes capture = PcapNgBytes.plain().describe(1, 0);
        int places = LossList.MOST + 500;
        for (int i = 0; i < places; i++) {
            capture.enhanced(0, 1_000 + 2L * i, 9);
            capture.enhancedWith(0, 1_001 + 2L * i, capture.counter(DROP_COUNT, 2));
        }
        List<CaptureLoss> losses = losses(capture, 2 * places);
        assertThat(losses).hasSize(LossList.MOST);
        assertThat(losses.stream().mapToLong(CaptureLoss::packets).sum()).isEqualTo(2L * places);
        assertThat(losses.getFirst().lastFrame()).isEqualTo(2);
        assertThat(losses.getLast().lastFrame()).isEqualTo(2L * places);
    }

    @Test
    void mergedFilesTellTheirOwn() {
        PcapNgBytes one =
                PcapNgBytes.plain().describe(1, 0).enhanced(0, 1_000, 9).enhanced(0, 3_000, 9);
        one.statistics(0, one.counter(INTERFACE_DROPS, 2));
        PcapNgBytes other = PcapNgBytes.plain().describe(1, 0).enhanced(0, 2_000, 9);
        other.statistics(0, other.counter(INTERFACE_DROPS, 3));
        String first = Reading.write(directory, one.toBytes()).toString();
        String second = Reading.write(directory, other.toBytes()).toString();
        Reading reading = Reading.of(CaptureFiles.open(List.of(first, second)), 100);
        assertThat(reading.losses())
                .containsExactly(
                        new CaptureLoss(first, 2, 1, 2, 1_000_000, 3_000_000),
                        new CaptureLoss(second, 3, 1, 1, 2_000_000, 2_000_000));
    }
}
