package io.offhook.research.layout;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** What docs/NATIVE-NUMBERS.md says of Java. */
class NativeNumbersTest {
    @Test
    void widensByMasks() {
        assertThat((byte) 128 & 0xff).isEqualTo(128);
        assertThat((short) 32_768 & 0xffff).isEqualTo(32_768);
        int bits = Integer.parseUnsignedInt("2147483648");
        assertThat(bits & 0xffff_ffffL).isEqualTo(2_147_483_648L);
        assertThat(bits & 0xffffffff).isEqualTo(bits);
    }

    @Test
    void multipliesIntsOfUnsignedShortsToANegativeNumber() {
        int port = (short) 65_535 & 0xffff;
        assertThat(port * port).isEqualTo(-131_071);
        assertThat((long) port * port).isEqualTo(4_294_836_225L);
        long largest = 0xffff_ffffL;
        assertThat(largest * largest).isNegative();
        assertThat(Long.toUnsignedString(largest * largest)).isEqualTo("18446744065119617025");
    }

    @Test
    void shiftsTheSignOfAByteIntoIt() {
        byte bits = (byte) 0x80;
        assertThat(bits >>> 4).isEqualTo(0x0fff_fff8);
        assertThat((bits & 0xff) >>> 4).isEqualTo(8);
    }

    @Test
    void shiftsByTheDistanceModuloTheWidth() {
        int distance = 35;
        assertThat(1 << distance).isEqualTo(8);
        assertThat(1L << distance).isEqualTo(34_359_738_368L);
    }

    @Test
    void reportsTheDifferenceOfSequenceNumbersAcrossTheirEnd() {
        int after = 3;
        int before = 65_534;
        assertThat((short) (after - before)).isEqualTo((short) 5);
    }

    @Test
    void takesLongsAsUnsignedByTheirMethods() {
        long above = 1L << 63;
        assertThat(above).isNegative();
        assertThat(Long.compareUnsigned(above, 1)).isPositive();
        assertThat(Long.divideUnsigned(above, 2)).isEqualTo(1L << 62);
        assertThat(Long.parseUnsignedLong("9223372036854775808")).isEqualTo(above);
        assertThat(new BigDecimal(Long.toUnsignedString(above)).doubleValue()).isEqualTo(0x1p63);
    }

    @Test
    void readsInTheOrderThatEachWayHasByItself() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(8, 8);
            segment.set(JAVA_INT, 0, 1);
            boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
            assertThat(segment.asByteBuffer().getInt(0)).isEqualTo(little ? 1 << 24 : 1);
            ByteBuffer buffer = segment.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
            assertThat(buffer.slice().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
            assertThat(buffer.duplicate().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        }
    }

    @Test
    void refusesWhatIsNotAligned() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16, 8);
            assertThatThrownBy(() -> segment.get(JAVA_INT, 1)).isInstanceOf(IllegalArgumentException.class);
            MemorySegment heap = MemorySegment.ofArray(new byte[16]);
            assertThatThrownBy(() -> heap.get(JAVA_INT, 0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> JAVA_LONG_UNALIGNED.varHandle().getVolatile(segment, 0L))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }
}
