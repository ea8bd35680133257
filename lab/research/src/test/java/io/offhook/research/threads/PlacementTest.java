package io.offhook.research.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.CpuAffinity;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class PlacementTest {
    @Test
    void readsListsOfProcessors() {
        assertThat(Placement.parsed("0")).containsExactly(0);
        assertThat(Placement.parsed("0,64")).containsExactly(0, 64);
        assertThat(Placement.parsed("0-2,8")).containsExactly(0, 1, 2, 8);
    }

    @Test
    void goesThroughACommandLine() {
        Placement placement = new Placement("pinned to two cores", 0, 3);
        assertThat(placement.argument()).doesNotContain(" ");
        assertThat(Placement.of(placement.argument())).isEqualTo(placement);
        assertThat(Placement.of(Placement.FREE.argument())).isEqualTo(Placement.FREE);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void pinsTheThreadThatAsks() throws InterruptedException {
        List<Placement> all = Placement.all(new ArrayList<>());
        assertThat(all).first().isEqualTo(Placement.FREE);
        assertThat(all).hasSizeGreaterThan(1);
        int[] before = CpuAffinity.processors();
        for (Placement placement : all.subList(1, all.size())) {
            List<int[]> pinned = new ArrayList<>();
            Thread thread = Thread.ofPlatform().start(() -> {
                placement.pin(1);
                pinned.add(CpuAffinity.processors());
            });
            thread.join();
            assertThat(pinned).hasSize(1);
            assertThat(pinned.getFirst()).containsExactly(placement.second());
        }
        assertThat(CpuAffinity.processors()).as("of this thread").containsExactly(before);
    }
}
