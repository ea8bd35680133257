package io.offhook.packet.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.walk.GoldenFrame;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A composite buffer says of every byte what a plain copy of its stretches says. */
class CompositeBufferTest {
    private static final int ROUNDS = 300;

    /** A composite and the same bytes in one piece, at the same positions less {@code start}. */
    private record Pair(CompositeBuffer composite, MemorySegment plain, long start, int length) {
        static Pair draw(Random random, int maxStretch) {
            MemorySegment[] memory = {randomSegment(random, 400), randomSegment(random, 300)};
            CompositeBuffer composite = new CompositeBuffer(100);
            long start = random.nextBoolean() ? 0 : random.nextLong(1L << 60);
            composite.clear(start);
            MemorySegment plain = Arena.ofAuto().allocate(20_000);
            int length = 0;
            int stretches = random.nextInt(30);
            for (int i = 0; i < stretches; i++) {
                MemorySegment from = memory[random.nextInt(2)];
                int part = random.nextInt(maxStretch);
                int offset = random.nextInt((int) from.byteSize() - part);
                assertThat(composite.append(from, offset, part, 1000 + i)).isTrue();
                MemorySegment.copy(from, offset, plain, length, part);
                length += part;
            }
            return new Pair(composite, plain.asSlice(0, length), start, length);
        }

        byte[] bytes(int from, int length) {
            return plain.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static MemorySegment randomSegment(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return GoldenFrame.segment(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 40})
    void readsNumbersOfEverySizeAsAPlainCopyDoes(int maxStretch) {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Pair pair = Pair.draw(new Random(seed), maxStretch);
            for (int i = 0; i < pair.length(); i++) {
                compareAt(pair, i, "seed " + seed + " at " + i);
            }
            for (int i = pair.length() - 1; i >= 0; i -= 3) { // backwards too: the stretch read last lies behind
                compareAt(pair, i, "seed " + seed + " back at " + i);
            }
        }
    }

    private static void compareAt(Pair pair, int i, String what) {
        CompositeBuffer composite = pair.composite();
        MemorySegment plain = pair.plain();
        long at = pair.start() + i;
        int left = pair.length() - i;
        assertThat(composite.u8(at)).as(what).isEqualTo(NetworkOrder.u8(plain, i));
        if (left >= 2) {
            assertThat(composite.u16(at)).as(what).isEqualTo(NetworkOrder.u16(plain, i));
            assertThat(composite.u16LittleEndian(at))
                    .as(what)
                    .isEqualTo(Integer.reverseBytes(NetworkOrder.u16(plain, i)) >>> 16);
        }
        if (left >= 3) {
            assertThat(composite.u24(at)).as(what).isEqualTo(NetworkOrder.u24(plain, i));
            assertThat(composite.u24LittleEndian(at))
                    .as(what)
                    .isEqualTo(composite.u8(at + 2) << 16 | composite.u8(at + 1) << 8 | composite.u8(at));
        }
        if (left >= 4) {
            assertThat(composite.u32(at)).as(what).isEqualTo(NetworkOrder.u32(plain, i));
            assertThat(composite.bits32(at)).as(what).isEqualTo(NetworkOrder.bits32(plain, i));
            assertThat(composite.u32LittleEndian(at))
                    .as(what)
                    .isEqualTo(Integer.toUnsignedLong(Integer.reverseBytes(NetworkOrder.bits32(plain, i))));
        }
        if (left >= 6) {
            assertThat(composite.u48(at)).as(what).isEqualTo(NetworkOrder.u48(plain, i));
        }
        if (left >= 8) {
            assertThat(composite.bits64(at)).as(what).isEqualTo(NetworkOrder.bits64(plain, i));
            assertThat(composite.bits64LittleEndian(at))
                    .as(what)
                    .isEqualTo(Long.reverseBytes(NetworkOrder.bits64(plain, i)));
        }
    }

    @Test
    void refusesEveryReadOutside() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Pair pair = Pair.draw(random, 6);
            CompositeBuffer composite = pair.composite();
            if (pair.length() > 0) {
                composite.u8(pair.start() + random.nextInt(pair.length())); // some stretch is the current one
            }
            long end = composite.end();
            for (long at : new long[] {pair.start() - 1, end, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertOutside(() -> composite.u8(at));
            }
            assertOutside(() -> composite.u16(end - 1));
            assertOutside(() -> composite.u24(end - 2));
            assertOutside(() -> composite.bits32(end - 3));
            assertOutside(() -> composite.u48(end - 5));
            assertOutside(() -> composite.bits64(end - 7));
            assertOutside(() -> composite.bits64(pair.start() - 1));
            assertOutside(() -> composite.stretchAt(end));
            assertOutside(() -> composite.copyTo(pair.start(), new byte[9_999], 0, pair.length() + 1));
            assertOutside(() -> composite.indexOf(0, pair.start(), pair.length() + 1));
            assertOutside(() -> composite.asInputStream(end + 1, 0));
            assertOutside(() -> composite.release(end + 1));
            assertOutside(() -> InternetChecksum.sum(composite, pair.start(), -1, 0));
        }
    }

    private static void assertOutside(org.assertj.core.api.ThrowableAssert.ThrowingCallable read) {
        assertThatThrownBy(read).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void copiesAndSlicesAnyRange() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Pair pair = Pair.draw(random, 30);
            CompositeBuffer slice = new CompositeBuffer(100);
            for (int i = 0; i < 20; i++) {
                int from = random.nextInt(pair.length() + 1);
                int length = random.nextInt(pair.length() - from + 1);
                byte[] wanted = pair.bytes(from, length);
                byte[] array = new byte[length + 2];
                pair.composite().copyTo(pair.start() + from, array, 1, length);
                assertThat(Arrays.copyOfRange(array, 1, length + 1)).isEqualTo(wanted);
                MemorySegment segment = Arena.ofAuto().allocate(length + 2);
                pair.composite().copyTo(pair.start() + from, segment, 1, length);
                assertThat(segment.asSlice(1, length).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(wanted);
                assertThat(pair.composite().slice(pair.start() + from, length, slice))
                        .isTrue();
                assertThat(slice.start()).isZero();
                assertThat(slice.length()).isEqualTo(length);
                byte[] sliced = new byte[length];
                slice.copyTo(0, sliced, 0, length);
                assertThat(sliced).as("seed %d", seed).isEqualTo(wanted);
            }
        }
    }

    @Test
    void findsBytesAndPatternsAsAPlainSearchDoes() {
        int found = 0;
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Pair pair = Pair.draw(random, 30);
            for (int i = 0; i < 20; i++) {
                int from = random.nextInt(pair.length() + 1);
                int length = random.nextInt(pair.length() - from + 1);
                byte[] area = pair.bytes(from, length);
                int at = random.nextInt(Math.max(1, length));
                byte[] pattern = Arrays.copyOfRange(area, at, Math.min(length, at + random.nextInt(12)));
                if (pattern.length > 1 && random.nextInt(4) == 0) {
                    pattern[pattern.length - 1] ^= 1;
                }
                long wanted = plainIndexOf(area, pattern);
                assertThat(pair.composite().indexOf(GoldenFrame.segment(pattern), pair.start() + from, length))
                        .as("seed %d", seed)
                        .isEqualTo(wanted < 0 ? -1 : pair.start() + from + wanted);
                found += wanted > 0 ? 1 : 0;
                int value = random.nextInt(256);
                long single = plainIndexOf(area, new byte[] {(byte) value});
                assertThat(pair.composite().indexOf(value, pair.start() + from, length))
                        .as("seed %d", seed)
                        .isEqualTo(single < 0 ? -1 : pair.start() + from + single);
            }
        }
        assertThat(found).isGreaterThan(1_000);
    }

    private static long plainIndexOf(byte[] area, byte[] pattern) {
        for (int at = 0; at + pattern.length <= area.length; at++) {
            if (Arrays.equals(area, at, at + pattern.length, pattern, 0, pattern.length)) {
                return at;
            }
        }
        return -1;
    }

    @Test
    void sumsUpWhateverTheSeams() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Pair pair = Pair.draw(random, 1 + random.nextInt(60));
            for (int i = 0; i < 20; i++) {
                int from = random.nextInt(pair.length() + 1);
                int length = random.nextInt(pair.length() - from + 1);
                int before = random.nextInt(0x10000);
                assertThat(InternetChecksum.sum(pair.composite(), pair.start() + from, length, before))
                        .as("seed %d from %d length %d", seed, from, length)
                        .isEqualTo(InternetChecksum.sum(pair.plain(), from, length, before));
            }
        }
    }

    @Test
    void streamsItsBytes() throws IOException {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Pair pair = Pair.draw(random, 30);
            int from = random.nextInt(pair.length() + 1);
            int length = random.nextInt(pair.length() - from + 1);
            byte[] wanted = pair.bytes(from, length);
            try (InputStream stream = pair.composite().asInputStream(pair.start() + from, length)) {
                assertThat(stream.available()).isEqualTo(length);
                assertThat(stream.readAllBytes()).isEqualTo(wanted);
                assertThat(stream.read()).isEqualTo(-1);
                assertThat(stream.read(new byte[3], 0, 3)).isEqualTo(-1);
                stream.reset();
                long skipped = stream.skip(random.nextInt(length + 1));
                assertThat(stream.read()).isEqualTo(skipped < length ? Byte.toUnsignedInt(wanted[(int) skipped]) : -1);
                assertThat(stream.skip(Long.MAX_VALUE)).isEqualTo(Math.max(0, length - skipped - 1));
                assertThat(stream.skip(-1)).isZero();
            }
        }
    }

    @Test
    void givesReadOnlyByteBuffersByReference() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Pair pair = Pair.draw(random, 30);
            int from = random.nextInt(pair.length() + 1);
            int length = random.nextInt(pair.length() - from + 1);
            ByteBuffer joined = ByteBuffer.allocate(length);
            for (ByteBuffer view : pair.composite().asByteBuffers(pair.start() + from, length)) {
                assertThat(view.isReadOnly() && view.isDirect()).isTrue();
                joined.put(view);
            }
            assertThat(joined.array()).isEqualTo(pair.bytes(from, length));
            ByteBuffer one = pair.composite().asByteBuffer(pair.start() + from, length);
            assertThat(one).isEqualTo(ByteBuffer.wrap(pair.bytes(from, length)));
            assertThat(one.isReadOnly()).isTrue();
            assertThat(one.isDirect())
                    .isEqualTo(length > 0 && pair.composite().isContiguous(pair.start() + from, length));
        }
    }

    @Test
    void keepsPositionsWhenItsFrontIsReleased() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Pair pair = Pair.draw(random, 20);
            CompositeBuffer composite = pair.composite();
            int released = 0;
            while (released < pair.length()) {
                int before = composite.stretchCount();
                released += 1 + random.nextInt(Math.min(40, pair.length() - released));
                int dropped = composite.release(pair.start() + released);
                assertThat(composite.stretchCount()).isEqualTo(before - dropped);
                assertThat(composite.start()).isEqualTo(pair.start() + released);
                assertOutside(() -> composite.u8(composite.start() - 1));
                for (int i = released; i < pair.length(); i++) {
                    assertThat(composite.u8(pair.start() + i)).isEqualTo(NetworkOrder.u8(pair.plain(), i));
                }
            }
            assertThat(composite.stretchCount()).isZero();
            assertThat(composite.length()).isZero();
        }
    }

    @Test
    void tellsItsStretchesAndWhereTheyCameFrom() {
        MemorySegment segment = GoldenFrame.segment("00 11 22 33 44 55 66 77 88 99");
        CompositeBuffer composite = new CompositeBuffer(3);
        composite.clear(100);
        assertThat(composite.append(segment, 6, 4, 71)).isTrue();
        assertThat(composite.append(segment, 3, 0)).as("nothing to keep").isTrue();
        assertThat(composite.append(segment, 0, 2, 70)).isTrue();
        composite.release(101);

        assertThat(composite.stretchCount()).isEqualTo(2);
        assertThat(composite.stretchAt(103)).isZero();
        assertThat(composite.stretchAt(104)).isEqualTo(1);
        assertThat(composite.stretchStart(0)).isEqualTo(101);
        assertThat(composite.stretchLength(0)).isEqualTo(3);
        assertThat(composite.stretchOffset(0)).isEqualTo(7);
        assertThat(composite.stretchOffset(1)).isZero();
        assertThat(composite.stretchSegment(1)).isSameAs(segment);
        assertThat(composite.originAt(103)).isEqualTo(71);
        assertThat(composite.originAt(104)).isEqualTo(70);
        assertThat(composite.u24(102)).isEqualTo(0x889900);
        assertThat(composite.isContiguous(101, 3)).isTrue();
        assertThat(composite.isContiguous(101, 4)).isFalse();
        assertThat(composite.isContiguous(106, 0)).isTrue();
        assertThat(composite.contiguousLength(102)).isEqualTo(2);
        assertThat(composite.segmentAt(104)).isSameAs(segment);
        assertThat(composite.offsetAt(105)).isEqualTo(1);
        assertThat(composite).hasToString("positions 101 to 106 in 2 stretches");
    }

    @Test
    void refusesMoreStretchesThanItTakesAndCountsThem() {
        MemorySegment segment = GoldenFrame.segment("01 02 03 04");
        CompositeBuffer composite = new CompositeBuffer(2);
        assertThat(composite.append(segment, 0, 1)).isTrue();
        assertThat(composite.append(segment, 1, 1)).isTrue();
        assertThat(composite.append(segment, 2, 1)).isFalse();
        assertThat(composite.refused()).isEqualTo(1);
        assertThat(composite.length()).isEqualTo(2);

        CompositeBuffer small = new CompositeBuffer(1);
        assertThat(composite.slice(0, 2, small)).isFalse();
        assertThat(small.length()).isZero();
        assertThat(composite.slice(1, 1, small)).isTrue();
        assertThat(small.u8(0)).isEqualTo(2);

        composite.clear(Long.MAX_VALUE - 1);
        assertThat(composite.append(segment, 0, 2))
                .as("beyond the last position")
                .isFalse();
        assertThat(composite.append(segment, 0, 1)).isTrue();
        assertThat(composite.u8(Long.MAX_VALUE - 1)).isEqualTo(1);
    }

    @Test
    void refusesMisuseInWords() {
        CompositeBuffer composite = new CompositeBuffer(2);
        MemorySegment segment = GoldenFrame.segment("01 02");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CompositeBuffer(0))
                .withMessage("maxStretches 0 is not in 1 to 16777216");
        assertThatIllegalArgumentException().isThrownBy(() -> composite.clear(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> composite.slice(0, 0, composite));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> composite.indexOf(256, 0, 0))
                .withMessage("value 256 is not in 0 to 255");
        assertOutside(() -> composite.append(segment, 1, 2));
        assertOutside(() -> composite.append(segment, 0, -1));
    }

    /** Reads, slices and searches, over seams and inside them. */
    @Test
    void allocatesNothingOnReads() {
        Pair pair = Pair.draw(new Random(12), 40);
        CompositeBuffer slice = new CompositeBuffer(100);
        MemorySegment copy = Arena.ofAuto().allocate(20_000);
        MemorySegment pattern = GoldenFrame.segment("0d 0a 0d 0a");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long sum = 0;
        for (int round = 0; round < 3_000; round++) {
            sum += readAll(pair, slice, copy, pattern);
        }
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int round = 0; round < 200; round++) {
                sum += readAll(pair, slice, copy, pattern);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(sum).isNotZero();
        assertThat(least).isLessThan(1_000);
    }

    private static long readAll(Pair pair, CompositeBuffer slice, MemorySegment copy, MemorySegment pattern) {
        CompositeBuffer composite = pair.composite();
        long sum = 0;
        for (long at = pair.start(); at < composite.end() - 8; at++) {
            sum += composite.bits64(at) + composite.u48(at) + composite.u24(at) + composite.u16LittleEndian(at);
        }
        composite.slice(pair.start() + 3, pair.length() - 3, slice);
        composite.copyTo(pair.start(), copy, 0, pair.length());
        sum += composite.indexOf(pattern, pair.start(), pair.length());
        return sum + InternetChecksum.sum(slice, 0, slice.length(), 0);
    }
}
