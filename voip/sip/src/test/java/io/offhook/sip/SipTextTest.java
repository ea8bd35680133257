package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SipTextTest {
    private final SipText text = new SipText();

    @Test
    void copiesFromWhateverSegmentItIsGiven() {
        MemorySegment first = Native.text("the first one");
        MemorySegment second = Native.text("2");

        assertThat(copy(first, 4, 5)).isEqualTo("first");
        assertThat(copy(second, 0, 1)).isEqualTo("2");
        assertThat(copy(first, 0, 3)).isEqualTo("the");
        assertThat(copy(first.asSlice(4), 0, 9)).isEqualTo("first one");
        assertThat(copy(first, 13, 0)).isEmpty();
        assertThat(copy(MemorySegment.NULL, 0, 0)).isEmpty();
        assertThat(copy(first, 0, -1)).isEmpty();
    }

    /** Of a capture that was closed and the next one, as segments equal, whose bytes are not the same. */
    @Test
    void copiesFromMemoryWhereOtherMemoryWasBefore() {
        boolean isSamePlace = false;
        for (int i = 0; i < 1000 && !isSamePlace; i++) {
            MemorySegment gone;
            try (Arena arena = Arena.ofConfined()) {
                gone = arena.allocate(5000).copyFrom(Native.text("of old"));
                assertThat(copy(gone, 0, 6)).isEqualTo("of old");
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment next = arena.allocate(5000).copyFrom(Native.text("anew"));
                isSamePlace = next.equals(gone);
                assertThat(copy(next, 0, 4)).isEqualTo("anew");
            }
        }
        assumeTrue(isSamePlace, "memory was never given out again");
    }

    @Test
    void keepsItsArrayWhileItIsLongEnough() {
        MemorySegment segment = Native.bytes(new byte[1000]);
        text.copy(segment, 0, 100);
        byte[] octets = text.octets();

        text.copy(segment, 500, 99);
        assertThat(text.octets()).isSameAs(octets).hasSize(100);
        text.copy(segment, 0, 101);
        assertThat(text.octets()).isNotSameAs(octets).hasSize(200);
        text.copy(segment, 0, 1000);
        assertThat(text.octets()).hasSize(1000);
    }

    @Test
    void copiesNoMoreThanItsLimit() {
        MemorySegment segment = Native.bytes(new byte[SipText.LIMIT + 1]);
        text.copy(segment, 0, SipText.LIMIT - 1);

        text.copy(segment, 0, SipText.LIMIT + 1);
        assertThat(text.length()).isEqualTo(SipText.LIMIT);
        assertThat(text.octets()).hasSize(SipText.LIMIT);
    }

    @Test
    void throwsForBytesThatTheSegmentHasNot() {
        MemorySegment segment = Native.text("four");

        assertThatThrownBy(() -> text.copy(segment, 0, 5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> text.copy(segment, 4, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> text.copy(segment, -1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> text.copy(segment, 1L << 32, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(copy(segment, 0, 4)).isEqualTo("four");
    }

    /** The file has a few blocks only; a buffer cannot reach over all of the map. */
    @Test
    void reachesAllOfALargeFile(@TempDir Path folder) throws IOException {
        long size = 5L << 30;
        long[] places = {
            0, (1L << 30) - 3, (1L << 30) + SipText.LIMIT, (1L << 31) - 7, 1L << 31, (1L << 32) - 1, size - 5
        };
        try (Arena arena = Arena.ofConfined();
                FileChannel file = FileChannel.open(
                        folder.resolve("large"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE)) {
            for (long place : places) {
                file.write(ByteBuffer.wrap(Native.octets(word(place))), place);
            }
            MemorySegment map = file.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
            for (long place : places) {
                assertThat(copy(map, place, 5)).isEqualTo(word(place));
            }
            assertThat(copy(map, places[1], 5)).isEqualTo(word(places[1]));
            assertThatThrownBy(() -> text.copy(map, size - 4, 5)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> text.copy(map, size + (1L << 31), 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    private static String word(long place) {
        return String.format("%05d", place % 99_991);
    }

    private String copy(MemorySegment segment, long offset, int length) {
        text.copy(segment, offset, length);
        return new String(text.octets(), 0, text.length(), StandardCharsets.UTF_8);
    }
}
