package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** What follows from the options of captures: the descriptors of a ring, and the arguments and memory of EAL. */
@EnabledIf(value = "io.offhook.dpdk.TestEal#isPossible", disabledReason = "DPDK 22.11 is not installed (package dpdk)")
@Timeout(120)
class DpdkSourceOptionsTest {
    @Test
    void aRingOfTheKernelHasAsManyFramesAsItsBytesHold() {
        DpdkSourceOptions options = DpdkSourceOptions.of("eth0");
        assertThat(options.withRing(1 << 20, 1500).rxDescriptors()).isEqualTo(512);
        assertThat(options.withRing(1 << 20, 9000).rxDescriptors()).isEqualTo(64);
        assertThat(options.withRing(16 << 20, 9000).rxDescriptors()).isEqualTo(1024);
        assertThat(options.withRing(1, 1500).rxDescriptors()).isEqualTo(64);
        assertThat(options.withRing(1L << 40, 1500).rxDescriptors()).isEqualTo(32_768);
        assertThat(options.withRing(1 << 20, 1500).mbufs()).isEqualTo(options.mbufs());
    }

    @Test
    void ealIsStartedForAllDevicesOfACaptureWhicheverIsFirst() {
        assertThat(DpdkSource.ealOptions(List.of(
                                DpdkSourceOptions.of("lo"),
                                DpdkSourceOptions.of("0000:03:00.0"),
                                DpdkSourceOptions.of("04:00.1,a=b")))
                        .arguments(0))
                .contains("--in-memory", "--allow=0000:03:00.0", "--allow=04:00.1,a=b")
                .doesNotContain("--no-pci", "--no-huge");
        assertThat(DpdkSource.ealOptions(List.of(DpdkSourceOptions.of("lo"), DpdkSourceOptions.of("net_null0")))
                        .arguments(0))
                .contains("--no-pci", "--no-huge")
                .noneMatch(argument -> argument.startsWith("--allow="));
    }

    @Test
    void ealHasMemoryForAllDevicesOfACapture() {
        DpdkSourceOptions large = DpdkSourceOptions.of("net_null0").withMbufs((1 << 20) - 1);
        int one = DpdkSource.ealOptions(List.of(large)).memory().mib();
        assertThat(one).isGreaterThan(4_000);
        assertThat(DpdkSource.ealOptions(List.of(large, large, large)).memory().mib())
                .isBetween(5 * one / 2, 3 * one);
        // its mbufs are longer, and only those
        DpdkSourceOptions loopback = DpdkSourceOptions.of("lo").withMbufs(1023);
        assertThat(DpdkSource.ealOptions(List.of(large, loopback)).memory().mib())
                .isBetween(one, one + 200);
    }
}
