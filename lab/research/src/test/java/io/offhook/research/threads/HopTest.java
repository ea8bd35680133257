package io.offhook.research.threads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HopTest {
    private static final int COUNT = 5_000;

    /** More messages than any way holds, one way and in order; on one processor a message may take a time slice. */
    @ParameterizedTest
    @EnumSource(names = {"RING", "ARRAY_QUEUE", "ARRAY_QUEUE_SPINNING", "WORD_YIELDING"})
    @Timeout(60)
    void bringsEachMessageInOrder(Hop.Way way) throws InterruptedException {
        Hop hop = way.make();
        int[] received = new int[COUNT];
        Thread receiver = Thread.ofPlatform().start(() -> {
            try {
                for (int i = 0; i < COUNT; i++) {
                    received[i] = hop.receive();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        for (int i = 0; i < COUNT; i++) {
            hop.send(i % 127 + 1);
        }
        receiver.join();
        for (int i = 0; i < COUNT; i++) {
            assertThat(received[i]).isEqualTo(i % 127 + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(60)
    void isMeasuredThereAndBack(Hop.Way way) throws InterruptedException {
        HopRun run = new HopRun(way, Placement.FREE);
        assertThat(run.roundTrips(20).count()).isPositive();
        assertThat(run.throughput(20)).isPositive();
    }

    @Test
    @Timeout(60)
    void aWordHoldsOne() throws InterruptedException {
        Hop hop = Hop.Way.WORD.make();
        hop.send(5);
        assertThat(hop.receive()).isEqualTo(5);
        hop.send(6);
        assertThat(hop.receive()).isEqualTo(6);
    }
}
