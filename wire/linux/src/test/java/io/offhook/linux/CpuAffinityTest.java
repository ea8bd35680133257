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

    @Test
    void readsListsOfProcessors() {
        assertThat(CpuAffinity.parse("3")).containsExactly(3);
        assertThat(CpuAffinity.parse("8,0-3,2")).containsExactly(8, 0, 1, 2, 3);
        assertThat(CpuAffinity.parse("0-0,8191")).containsExactly(0, 8191);
        for (String wrong : new String[] {"", ",", "1,", "-1", "1-", "a", "0x1", "3-1", "8192", "1 2", "99999"}) {
            assertThatThrownBy(() -> CpuAffinity.parse(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("processors");
        }
    }
}
