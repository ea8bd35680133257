package io.offhook.research.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.research.handover.HandOver.Way;
import java.lang.foreign.Arena;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandOverTest {
    private static final int PACKETS = 3 * CaptureSlots.COUNT + 7;

    @ParameterizedTest
    @CsvSource({
        "VIEWS, 0",
        "WALKER, 0",
        "OBJECTS, 0",
        "ARRAY_QUEUE, 1",
        "ARRAY_QUEUE, 2",
        "DISRUPTOR, 1",
        "DISRUPTOR, 2",
        "RING, 1",
        "RING, 2"
    })
    @Timeout(60)
    void looksAtEachPacketOnce(Way way, int consumers) {
        for (boolean payload : new boolean[] {false, true}) {
            try (Arena arena = Arena.ofShared()) {
                CaptureSlots slots = new CaptureSlots(arena);
                long expected = 0;
                try (HandOver handOver = HandOver.of(way, consumers, payload, arena)) {
                    PacketLook views = new PacketLook.Views();
                    for (long i = 0; i < PACKETS; i++) {
                        handOver.take(slots.memory(), slots.offset(i), slots.length(i));
                        expected += views.look(slots.memory(), slots.offset(i), slots.length(i), payload);
                    }
                    handOver.drain();
                    assertThat(handOver.sum()).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void thePacketsAreToldApart() {
        try (Arena arena = Arena.ofConfined()) {
            CaptureSlots slots = new CaptureSlots(arena);
            PacketLook views = new PacketLook.Views();
            assertThat(LongStream.range(0, CaptureSlots.COUNT)
                            .map(i -> views.look(slots.memory(), slots.offset(i), slots.length(i), true))
                            .distinct()
                            .count())
                    .isEqualTo(CaptureSlots.COUNT);
        }
    }

    @Test
    void losesWhatComesWhenNoSlotIsFree() {
        try (Arena arena = Arena.ofConfined()) {
            CaptureSlots slots = new CaptureSlots(arena);
            slots.start(0, 1e9);
            assertThat(slots.isWaiting(0)).isFalse();
            assertThat(slots.isWaiting(CaptureSlots.COUNT)).isTrue();
            assertThat(slots.lost()).isZero();
            // all slots are taken; ten more come, then one is freed, then two more come
            slots.isWaiting(CaptureSlots.COUNT + 10);
            assertThat(slots.lost()).isEqualTo(10);
            slots.release();
            slots.isWaiting(CaptureSlots.COUNT + 12);
            assertThat(slots.lost()).isEqualTo(11);
            assertThat(slots.arrived()).isEqualTo(CaptureSlots.COUNT + 1);
            assertThat(slots.first()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5e6, 4e6})
    void packetsComeAtTheirRate(double rate) {
        try (Arena arena = Arena.ofConfined()) {
            CaptureSlots slots = new CaptureSlots(arena);
            slots.start(1_000, rate);
            for (long now = 1_000; now <= 1_000 + 1_000_000; now += 137) {
                while (slots.isWaiting(now)) {
                    slots.release();
                }
            }
            assertThat(slots.lost()).isZero();
            assertThat(slots.arrived()).isBetween((long) (rate / 1000) - 2, (long) (rate / 1000));
        }
    }
}
