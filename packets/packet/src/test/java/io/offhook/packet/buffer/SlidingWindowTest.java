package io.offhook.packet.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.buffer.SlidingWindow.WhenFull;
import io.offhook.packet.walk.GoldenFrame;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SlidingWindowTest {
    private final MemorySegment segment = GoldenFrame.segment("00 11 22 33 44 55 66 77 88 99");

    /** The byte of an endless stream: what it is at an offset needs no memory. */
    private static int streamByte(long offset) {
        return (int) (offset * 0x9e3779b97f4a7c15L >>> 56);
    }

    @ParameterizedTest
    @EnumSource
    void retainsWhatWasAppendedAndNotReleased(WhenFull rule) {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            long maxBytes = 50 + random.nextLong(200);
            int maxStretches = 1 + random.nextInt(20);
            SlidingWindow window = new SlidingWindow(maxStretches, maxBytes, rule);
            long start = random.nextLong(1L << 62);
            window.restart(start);
            long end = start;
            for (int step = 0; step < 300; step++) {
                int length = random.nextInt(40);
                byte[] bytes = new byte[length];
                for (int i = 0; i < length; i++) {
                    bytes[i] = (byte) streamByte(end + i);
                }
                long refused = window.refusedBytes();
                if (window.append(GoldenFrame.segment(bytes), 0, length, step)) {
                    end += length;
                    assertThat(window.refusedBytes()).isEqualTo(refused);
                } else {
                    assertThat(rule).isEqualTo(WhenFull.REFUSE_NEW);
                    assertThat(window.refusedBytes()).isEqualTo(refused + length);
                }
                if (random.nextInt(3) == 0) {
                    window.release(window.start() + random.nextLong(window.length() + 1));
                }
                if (random.nextInt(50) == 0) {
                    window.skip(7);
                    end += 7;
                    assertThat(window.length()).isZero();
                }
                assertThat(window.end()).as("seed %d", seed).isEqualTo(end);
                assertThat(window.length()).isBetween(0L, maxBytes);
                assertThat(window.bytes().stretchCount()).isBetween(0, maxStretches);
                for (long at = window.start(); at < end; at += 1 + random.nextInt(5)) {
                    assertThat(window.bytes().u8(at))
                            .as("seed %d at %d", seed, at)
                            .isEqualTo(streamByte(at));
                }
            }
            if (rule == WhenFull.REFUSE_NEW) {
                assertThat(window.evictedBytes()).isZero();
            }
        }
    }

    @Test
    void refusesWhatDoesNotFitAndKeepsTheRest() {
        SlidingWindow window = new SlidingWindow(10, 6, WhenFull.REFUSE_NEW);
        assertThat(window.append(segment, 0, 4)).isTrue();
        assertThat(window.append(segment, 4, 3)).isFalse();
        assertThat(window.refusedBytes()).isEqualTo(3);
        assertThat(window.end()).isEqualTo(4);

        assertThat(window.release(1)).as("the stretch is still needed").isZero();
        assertThat(window.append(segment, 4, 3)).isTrue();
        assertThat(window.bytes().bits32(1)).isEqualTo(0x11223344);
        assertThat(window.release(4)).isEqualTo(1);
        assertThat(window).hasToString("stream 4 to 7 in 1 stretches");
    }

    @Test
    void evictsTheOldestWholeStretches() {
        SlidingWindow window = new SlidingWindow(2, 6, WhenFull.EVICT_OLDEST);
        assertThat(window.append(segment, 0, 3)).isTrue();
        assertThat(window.append(segment, 3, 3)).isTrue();
        assertThat(window.append(segment, 6, 1)).as("a third stretch").isTrue();
        assertThat(window.start()).isEqualTo(3);
        assertThat(window.evictedBytes()).isEqualTo(3);

        assertThat(window.append(segment, 0, 7)).as("more than all").isFalse();
        assertThat(window.start()).as("nothing gave way in vain").isEqualTo(3);
        assertThat(window.refusedBytes()).isEqualTo(7);
        assertThat(window.append(segment, 0, 0)).isTrue();
        assertThat(window.evictedBytes()).isEqualTo(3);
    }

    @Test
    void refusesMisuseInWords() {
        SlidingWindow window = new SlidingWindow(2, 6, WhenFull.EVICT_OLDEST);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlidingWindow(2, 0, WhenFull.REFUSE_NEW))
                .withMessageStartingWith("maxBytes 0 is not in 1 to ");
        assertThatIllegalArgumentException().isThrownBy(() -> window.skip(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> window.restart(-1));
        assertThatThrownBy(() -> window.append(segment, 8, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> window.release(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
