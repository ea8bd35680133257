package io.offhook.research.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotRingTest {
    private static final int BYTES = 100;

    private static boolean write(SlotRing ring, long value, int length) {
        long at = ring.claim();
        if (at < 0) {
            return false;
        }
        // to its last bytes: a slot must not reach into the next
        ring.memory().set(ValueLayout.JAVA_LONG, at, value);
        ring.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, at + BYTES - 8, ~value);
        ring.publish(length);
        return true;
    }

    private static long read(SlotRing ring, SlotRing.Reader reader) {
        long at = reader.next();
        if (at < 0) {
            return -1;
        }
        long value = ring.memory().get(ValueLayout.JAVA_LONG, at);
        assertThat(ring.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, at + BYTES - 8))
                .isEqualTo(~value);
        reader.release();
        return value;
    }

    @Test
    void isFullUntilItsReaderHasReleased() {
        try (Arena arena = Arena.ofConfined()) {
            SlotRing ring = new SlotRing(4, BYTES, 1, arena);
            SlotRing.Reader reader = ring.reader(0);
            for (int i = 0; i < 4; i++) {
                assertThat(write(ring, i, i)).isTrue();
            }
            assertThat(write(ring, 4, 4)).isFalse();
            assertThat(reader.next()).isPositive();
            assertThat(write(ring, 4, 4)).as("lent, not released").isFalse();
            assertThat(reader.length()).isZero();
            assertThat(read(ring, reader)).isZero();
            assertThat(write(ring, 4, 4)).isTrue();
            assertThat(write(ring, 5, 5)).isFalse();
            assertThat(LongStream.generate(() -> read(ring, reader)).limit(5)).containsExactly(1L, 2L, 3L, 4L, -1L);
        }
    }

    @Test
    void aReaderThatIsBehindKeepsItsSlotsOnly() {
        try (Arena arena = Arena.ofConfined()) {
            SlotRing ring = new SlotRing(4, BYTES, 2, arena);
            SlotRing.Reader even = ring.reader(0);
            SlotRing.Reader odd = ring.reader(1);
            for (int i = 0; i < 4; i++) {
                write(ring, i, i);
            }
            assertThat(read(ring, odd)).isEqualTo(1);
            assertThat(write(ring, 4, 4)).as("slot of 0").isFalse();
            assertThat(read(ring, even)).isZero();
            assertThat(write(ring, 4, 4)).isTrue();
            assertThat(write(ring, 5, 5)).isTrue();
            assertThat(write(ring, 6, 6)).as("slot of 2").isFalse();
            assertThat(read(ring, odd)).isEqualTo(3);
            assertThat(read(ring, odd)).isEqualTo(5);
            assertThat(read(ring, odd)).isEqualTo(-1);
            assertThat(read(ring, even)).isEqualTo(2);
            assertThat(read(ring, even)).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    @Timeout(60)
    void handsOverEachOnceAndInOrder(int readers) throws InterruptedException {
        int count = 200_000;
        try (Arena arena = Arena.ofShared()) {
            SlotRing ring = new SlotRing(8, BYTES, readers, arena);
            List<Thread> threads = new ArrayList<>();
            List<String> wrong = new ArrayList<>();
            for (int r = 0; r < readers; r++) {
                SlotRing.Reader reader = ring.reader(r);
                int first = r;
                threads.add(Thread.ofPlatform().start(() -> {
                    for (long expected = first; expected < count; expected += readers) {
                        long value = read(ring, reader);
                        for (int idle = 0; value < 0; idle++) {
                            HandOver.pause(idle);
                            value = read(ring, reader);
                        }
                        if (value != expected) {
                            synchronized (wrong) {
                                wrong.add(value + " for " + expected);
                            }
                            return;
                        }
                    }
                }));
            }
            for (int i = 0; i < count; i++) {
                for (int idle = 0; !write(ring, i, 8); idle++) {
                    HandOver.pause(idle);
                }
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong).isEmpty();
        }
    }

    @Test
    void refusesOtherThanPowersOfTwo() {
        try (Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> new SlotRing(6, BYTES, 1, arena))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("6 slots");
            assertThatThrownBy(() -> new SlotRing(8, BYTES, 3, arena)).hasMessageContaining("3 readers");
            assertThatThrownBy(() -> new SlotRing(64, BYTES, 16, arena)).hasMessageContaining("16 readers");
        }
    }
}
