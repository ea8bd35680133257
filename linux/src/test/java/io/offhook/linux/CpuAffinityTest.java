package io.offhook.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class CpuAffinityTest {
    @Test
    void pinsTheCallingThreadOnly() throws Exception {
        int[] before = CpuAffinity.processors();
        int last = before[before.length - 1];
        try (var executor = Executors.newSingleThreadExecutor()) {
            Future<int[]> pinned = executor.submit(() -> {
                CpuAffinity.pin(last);
                assertThat(CpuAffinity.current()).isEqualTo(last);
                return CpuAffinity.processors();
            });
            assertThat(pinned.get()).containsExactly(last);
        }
        assertThat(CpuAffinity.processors()).isEqualTo(before);
    }

    @Test
    void refusesAProcessorThatIsNotThere() {
        assertThatThrownBy(() -> CpuAffinity.pin(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuAffinity.pin(8191))
                .isInstanceOf(LinuxException.class)
                .hasMessageStartingWith("sched_setaffinity to processor 8191: EINVAL");
    }
}
