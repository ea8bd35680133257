package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.linux.CpuAffinity;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LanePlacementTest {
    private static void lane(LanePlacement placement, String name, Runnable work) throws Exception {
        FutureTask<Void> lane = new FutureTask<>(
                () -> {
                    placement.enter(name);
                    work.run();
                    placement.leave();
                },
                null);
        Thread.ofPlatform().start(lane);
        lane.get();
    }

    @Test
    void pinsLanesInTurnAndReportsWhereTheyRan() throws Exception {
        int[] processors = CpuAffinity.processors();
        int last = processors[processors.length - 1];
        LanePlacement placement = LanePlacement.on(last, processors[0]);
        for (int i = 0; i < 3; i++) {
            int expected = i == 1 ? processors[0] : last;
            lane(placement, "lane " + i, () -> {
                assertThat(CpuAffinity.processors()).containsExactly(expected);
                placement.sample();
            });
        }
        List<LanePlacement.Lane> lanes = placement.lanes();
        assertThat(lanes).extracting(LanePlacement.Lane::name).containsExactly("lane 0", "lane 1", "lane 2");
        assertThat(lanes).extracting(LanePlacement.Lane::pinnedTo).containsExactly(last, processors[0], last);
        assertThat(lanes).allMatch(LanePlacement.Lane::isInPlace);
        assertThat(lanes.getFirst().seenOn()).containsOnlyKeys(last).containsValue(3L);
    }

    @Test
    void keepsTheOrderOfReservationsWhicheverThreadBeginsFirst() throws Exception {
        int[] processors = CpuAffinity.processors();
        int last = processors[processors.length - 1];
        LanePlacement placement = LanePlacement.on(last, processors[0]);
        LanePlacement.Place first = placement.reserve("first");
        LanePlacement.Place second = placement.reserve("second");
        LanePlacement.Place never = placement.reserve("never begins");
        for (LanePlacement.Place place : List.of(second, first)) {
            Thread thread = Thread.ofPlatform().start(() -> {
                place.enter();
                place.leave();
            });
            thread.join();
        }
        List<LanePlacement.Lane> lanes = placement.lanes();
        assertThat(lanes).extracting(LanePlacement.Lane::name).containsExactly("first", "second");
        assertThat(lanes).extracting(LanePlacement.Lane::pinnedTo).containsExactly(last, processors[0]);
        assertThat(lanes).allMatch(LanePlacement.Lane::isInPlace);
        never.leave();
        assertThat(placement.lanes()).hasSize(2);
    }

    @Test
    void aLaneThatGetsWhatIsLeftTakesNoProcessorOfOthers() throws Exception {
        int processor = CpuAffinity.processors()[0];
        LanePlacement narrow = LanePlacement.on(processor);
        narrow.reserve("capture");
        LanePlacement wide = LanePlacement.on(processor, processor);
        wide.reserve("capture");
        for (LanePlacement placement : List.of(narrow, wide)) {
            LanePlacement.Place writer = placement.reserveLeftOver("writer");
            Thread thread = Thread.ofPlatform().start(() -> {
                writer.enter();
                writer.leave();
            });
            thread.join();
        }
        assertThat(narrow.lanes().getFirst().pinnedTo()).isEqualTo(LanePlacement.ANYWHERE);
        assertThat(narrow.lanes().getFirst().seenOn()).isNotEmpty();
        assertThat(wide.lanes().getFirst().pinnedTo()).isEqualTo(processor);
    }

    @Test
    void aPlaceIsOfOneThread() throws Exception {
        LanePlacement.Place place = LanePlacement.anywhere().reserve("one");
        place.enter();
        assertThatThrownBy(place::enter)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a thread is lane one already");
    }

    @Test
    void watchesLanesThatMayRunAnywhere() throws Exception {
        LanePlacement placement = LanePlacement.anywhere();
        lane(
                placement,
                "free",
                () -> assertThat(CpuAffinity.processors().length).isPositive());
        LanePlacement.Lane lane = placement.lanes().getFirst();
        assertThat(lane.pinnedTo()).isEqualTo(LanePlacement.ANYWHERE);
        assertThat(lane.isInPlace()).isTrue();
        assertThat(lane.seenOn().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(2);
    }

    @Test
    void looksAtNoLaneThatHasLeft() throws Exception {
        LanePlacement placement = LanePlacement.anywhere();
        CountDownLatch left = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().start(() -> {
            placement.enter("one");
            placement.leave();
            left.countDown();
            try {
                seen.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        left.await();
        LanePlacement.Lane before = placement.lanes().getFirst();
        placement.sample();
        assertThat(placement.lanes().getFirst()).isEqualTo(before);
        seen.countDown();
        thread.join();
    }

    @Test
    void refusesProcessorsThatAreNotThere() {
        assertThatThrownBy(() -> LanePlacement.on(8000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("processor 8000 does not exist or is not allowed for this process; ");
        assertThatThrownBy(() -> LanePlacement.on())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no processor is given; at least one is needed");
    }
}
