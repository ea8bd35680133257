package io.offhook.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.WrapStatus;
import org.junit.jupiter.api.Test;

/** That the benchmarks of packets do what they say; and what is compared, the same. */
class PacketBenchmarksTest {
    @Test
    void readsTheSameFromACompositeBufferAndAPlainSegment() {
        for (int stretch : new int[] {16_384, 1_460, 7}) {
            CompositeBenchmark benchmark = new CompositeBenchmark();
            benchmark.stretch = stretch;
            benchmark.setUp();
            assertThat(benchmark.inOrder()).isEqualTo(benchmark.plainInOrder());
            assertThat(benchmark.anywhere()).isEqualTo(benchmark.plainAnywhere());
            assertThat(benchmark.search()).isEqualTo(-1);
            assertThat(benchmark.sum()).isPositive();
        }
    }

    @Test
    void makesTheCrcOfTheLibrary() {
        for (int bytes : new int[] {20, 172, 1_460, 16_384}) {
            ChecksumBenchmark benchmark = new ChecksumBenchmark();
            benchmark.bytes = bytes;
            benchmark.setUp();
            assertThat(benchmark.crc32c()).isEqualTo((int) benchmark.crc32cOfTheLibrary());
            assertThat(benchmark.internet()).isEqualTo(bytes / 2 * 0x5a5a % 0xffff);
        }
    }

    @Test
    void wrapsWhatThereIs() {
        ViewBenchmark benchmark = new ViewBenchmark();
        benchmark.setUp();
        for (int i = 0; i < 100; i++) {
            assertThat(benchmark.wrapIpv4()).isEqualTo(WrapStatus.OK);
            assertThat(benchmark.wrapUdp()).isEqualTo(WrapStatus.OK);
            assertThat(benchmark.wrapIpv6()).isEqualTo(WrapStatus.OK);
            assertThat(benchmark.wrapTcp()).isEqualTo(WrapStatus.OK);
            assertThat(benchmark.getSourcePort()).isEqualTo(5060);
        }
        assertThat(benchmark.wrapAndReadFourFields()).isGreaterThan(5060);
    }

    @Test
    void writesAndEditsPackets() {
        WriterBenchmark benchmark = new WriterBenchmark();
        assertThat(benchmark.udp()).isEqualTo(14 + 20 + 8 + 172);
        assertThat(benchmark.tcp()).isEqualTo(14 + 20 + 32 + 1_448);
        assertThat(benchmark.vxlan()).isEqualTo(14 + 20 + 8 + 8 + 14 + 20 + 8 + 172);
        assertThat(benchmark.translate()).isTrue();
        assertThat(benchmark.recompute()).isZero();
    }
}
