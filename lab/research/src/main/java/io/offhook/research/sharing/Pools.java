package io.offhook.research.sharing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * Where the packets lie: {@value #PLACES} places of {@value #SLOTS} packets, which are visited in turn, a packet of each. 64
 * KiB in all, which the second cache holds. What is in them is the same whatever kind of memory they are.
 */
final class Pools {
    static final int PLACES = 4;
    static final int SLOTS = 256;
    static final int STRIDE = 64;
    static final int PLACE_BYTES = SLOTS * STRIDE;

    private static final long SEED = 0x5ea_4ed;
    private static final ValueLayout.OfShort U16 = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    final MemorySegment[] segments = new MemorySegment[PLACES];

    /** A kind of memory. */
    enum Kind {
        NATIVE,
        MAPPED,
        HEAP
    }

    /** @param kinds of the places */
    Pools(Kind... kinds) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < PLACES; i++) {
            segments[i] = switch (kinds[i]) {
                case NATIVE -> Arena.global().allocate(PLACE_BYTES, STRIDE);
                case MAPPED -> mapped();
                case HEAP -> MemorySegment.ofArray(new byte[PLACE_BYTES]);
            };
            fill(segments[i], random);
        }
    }

    /** Native memory only. */
    static Pools inNativeMemory() {
        return new Pools(Kind.NATIVE, Kind.NATIVE, Kind.NATIVE, Kind.NATIVE);
    }

    /** Arrays only, which native code does not see where they lie. */
    static Pools inTheHeap() {
        return new Pools(Kind.HEAP, Kind.HEAP, Kind.HEAP, Kind.HEAP);
    }

    /** Those of a process that read and wrote a heap segment in the beginning, and never again. */
    static Pools afterHeap(Kind... kinds) {
        fill(MemorySegment.ofArray(new byte[PLACE_BYTES]), new SplittableRandom(SEED));
        return new Pools(kinds);
    }

    /** Byte by byte: a copy from an array would make heap segments, and spoil the profile for those who have none. */
    private static void fill(MemorySegment segment, SplittableRandom random) {
        for (int at = 0; at < PLACE_BYTES; at += STRIDE) {
            for (int i = 0; i < STRIDE; i++) {
                segment.set(JAVA_BYTE, at + i, (byte) random.nextInt());
            }
            segment.set(JAVA_BYTE, at, (byte) 0x45);
            segment.set(U16, at + 2, (short) STRIDE);
            segment.set(U16, at + Header.UDP + 4, (short) (STRIDE - Header.UDP));
        }
    }

    private static MemorySegment mapped() {
        try {
            Path file = Files.createTempFile("offhook-research", ".packets");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, PLACE_BYTES, Arena.global());
            } finally {
                file.toFile().deleteOnExit();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For those who go by addresses. */
    long[] addresses() {
        long[] addresses = new long[PLACES];
        for (int i = 0; i < PLACES; i++) {
            addresses[i] = segments[i].address();
        }
        return addresses;
    }

    /** A buffer over each place: direct ones, or those of arrays. Big-endian, as buffers are by default. */
    ByteBuffer[] buffers() {
        ByteBuffer[] buffers = new ByteBuffer[PLACES];
        for (int i = 0; i < PLACES; i++) {
            MemorySegment segment = segments[i];
            buffers[i] = segment.heapBase()
                    .map(array -> ByteBuffer.wrap((byte[]) array))
                    .orElseGet(segment::asByteBuffer);
        }
        return buffers;
    }

    /** Where the packets of a step of the round lie in their places. */
    static long offset(int step) {
        return (long) (step & SLOTS - 1) * STRIDE;
    }

    long digest() {
        long hash = 0;
        for (MemorySegment segment : segments) {
            for (byte b : segment.toArray(JAVA_BYTE)) {
                hash = 31 * hash + b;
            }
        }
        return hash;
    }
}
