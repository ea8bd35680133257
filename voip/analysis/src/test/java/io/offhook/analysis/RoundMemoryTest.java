package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundMemoryTest {
    private static final int CHUNK = 1 << 16;

    private final MemorySegment source = Arena.ofAuto().allocate(4 * CHUNK);
    private final RoundMemory memory = new RoundMemory(Arena.ofAuto());

    private record Kept(MemorySegment segment, long offset, int length, byte fill) {}

    private Kept copy(int length, int fill) {
        if (fill % 2 == 0) {
            source.asSlice(7, length).fill((byte) fill);
            memory.copy(source, 7, length);
        } else {
            byte[] array = new byte[7 + length];
            Arrays.fill(array, 7, 7 + length, (byte) fill);
            memory.copy(array, 7, length);
        }
        return new Kept(memory.segment(memory.chunk()), memory.offset(), length, (byte) fill);
    }

    private static void assertKept(Kept kept) {
        MemorySegment expected =
                Arena.ofAuto().allocate(Math.max(1, kept.length())).fill(kept.fill());
        assertThat(MemorySegment.mismatch(
                        kept.segment(), kept.offset(), kept.offset() + kept.length(), expected, 0, kept.length()))
                .isEqualTo(-1);
    }

    @Test
    void keepsAllCopiesOfARoundWhereTheyAre() {
        List<Kept> kept = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            kept.add(copy(i * 997 % 30_000, i));
        }
        assertThat(memory.chunk()).isPositive();
        kept.forEach(RoundMemoryTest::assertKept);
    }

    @Test
    void fillsAChunkToItsEnd() {
        Kept all = copy(CHUNK, 1);
        assertThat(memory.chunk()).isZero();
        Kept next = copy(1, 2);
        assertThat(memory.chunk()).isEqualTo(1);
        assertThat(memory.offset()).isZero();
        assertKept(all);
        assertKept(next);
    }

    @Test
    void makesRoomForWhatIsLargerThanAChunk() {
        Kept small = copy(10, 1);
        Kept large = copy(3 * CHUNK, 2);
        Kept after = copy(10, 3);
        assertKept(small);
        assertKept(large);
        assertKept(after);
    }

    @Test
    void usesItsChunksAgainInTheNextRound() {
        MemorySegment first = copy(CHUNK, 1).segment();
        MemorySegment second = copy(CHUNK, 2).segment();
        memory.clear();
        assertThat(copy(100, 3).segment()).isSameAs(first);
        assertThat(memory.offset()).isZero();
        assertThat(copy(CHUNK, 4).segment()).isSameAs(second);
        memory.clear();
        memory.clear();
        assertKept(copy(5, 5));
    }

    @Test
    void passesOverAChunkThatIsTooSmallNow() {
        copy(10, 1);
        memory.clear();
        Kept large = copy(2 * CHUNK, 2);
        assertThat(memory.chunk()).isEqualTo(1);
        memory.clear();
        Kept again = copy(2 * CHUNK, 3);
        assertThat(memory.chunk()).isEqualTo(1);
        assertThat(again.segment()).isSameAs(large.segment());
        assertKept(again);
    }
}
