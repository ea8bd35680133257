package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ends the analysis comes out of it, and no lane waits for ever. */
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LaneFailureTest {
    private static final List<Frame> FRAMES = Traffic.random(5, 60).capture().frames();

    private static PacketSource failing(Runnable failure) {
        return new WrappedSource(new MemorySource(FRAMES, 50)) {
            private int batches;

            @Override
            public boolean next(FrameBatch batch) {
                if (++batches == 60) { // beyond the rounds of one lane
                    failure.run();
                }
                return super.next(batch);
            }
        };
    }

    private static long lanesAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("offhook-lane-"))
                .count();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void endsWhenTheListenerCannotWrite(int lanes) {
        UncheckedIOException thrown = new UncheckedIOException(new IOException("the disk is full"));
        int[] reported = {0};
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(lanes).withListener((message, packet, copy) -> {
            if (++reported[0] == 40) {
                throw thrown;
            }
        });
        try (PacketSource source = new MemorySource(FRAMES, 50)) {
            assertThatThrownBy(() -> Analysis.run(source, options)).isSameAs(thrown);
        }
        assertThat(reported[0]).isEqualTo(40);
        assertThat(lanesAlive()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void throwsErrorsOfTheSource(int lanes) {
        OutOfMemoryError thrown = new OutOfMemoryError("made up");
        try (PacketSource source = failing(() -> {
            throw thrown;
        })) {
            assertThatThrownBy(() ->
                            Analysis.run(source, AnalysisOptions.defaults().withLanes(lanes)))
                    .isSameAs(thrown);
        }
        assertThat(lanesAlive()).isZero();
    }

    @Test
    void endsWhenItsThreadIsInterrupted() {
        try (PacketSource source = failing(() -> Thread.currentThread().interrupt())) {
            assertThatThrownBy(() ->
                            Analysis.run(source, AnalysisOptions.defaults().withLanes(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("interrupted");
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void refusesToRunWithoutLanes() {
        assertThatThrownBy(() -> AnalysisOptions.defaults().withLanes(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lanes 0");
    }

    /** The caller frees what lanes read. */
    @Test
    void returnsAfterItsLanesEvenWhenItsThreadIsInterrupted() {
        Thread caller = Thread.currentThread();
        AtomicBoolean isAtWork = new AtomicBoolean();
        AtomicBoolean hasReturned = new AtomicBoolean();
        AtomicBoolean hasWorked = new AtomicBoolean();
        List<String> life = Collections.synchronizedList(new ArrayList<>());
        Lanes lanes = new Lanes(2, () -> false, (lane, begins) -> life.add((begins ? "begin " : "end ") + lane));
        Lanes.Phase phase = lanes.phase(
                () -> {
                    if (Thread.currentThread().equals(caller)) {
                        while (!isAtWork.get()) {
                            Thread.onSpinWait();
                        }
                        caller.interrupt();
                        return;
                    }
                    isAtWork.set(true);
                    while (!hasReturned.get() && caller.getState() != Thread.State.WAITING) {
                        Thread.onSpinWait();
                    }
                    hasWorked.set(!hasReturned.get());
                },
                () -> {});
        assertThatThrownBy(() -> lanes.run(List.of(phase), () -> false)).hasMessageContaining("interrupted");
        hasReturned.set(true);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(hasWorked).isTrue();
        assertThat(life).containsExactlyInAnyOrder("begin 0", "begin 1", "end 0", "end 1");
    }
}
