package io.offhook.research.layout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** All fields of consecutive structures with and without padding. Methods are {@code group_technique_language}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PaddingBenchmark.BLOCK)
@Fork(3)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PaddingBenchmark implements LayoutState {
    /** Structures per invocation, which takes the next block of them. */
    static final int BLOCK = 4096;

    static final String IN_CACHE = "in the cache";
    static final String IN_MEMORY = "in memory";
    /** 60 to 96 MB, more than a cache has. */
    private static final int BLOCKS_IN_MEMORY = 1024;

    private static final VarHandle PADDED_KIND = Layouts.handle(Layouts.PADDED, "kind");
    private static final VarHandle PADDED_LENGTH = Layouts.handle(Layouts.PADDED, "length");
    private static final VarHandle PADDED_PORT = Layouts.handle(Layouts.PADDED, "port");
    private static final VarHandle PADDED_TIMESTAMP = Layouts.handle(Layouts.PADDED, "timestamp");
    private static final VarHandle PACKED_KIND = Layouts.handle(Layouts.PACKED, "kind");
    private static final VarHandle PACKED_LENGTH = Layouts.handle(Layouts.PACKED, "length");
    private static final VarHandle PACKED_PORT = Layouts.handle(Layouts.PACKED, "port");
    private static final VarHandle PACKED_TIMESTAMP = Layouts.handle(Layouts.PACKED, "timestamp");
    private static final VarHandle SORTED_KIND = Layouts.handle(Layouts.SORTED, "kind");
    private static final VarHandle SORTED_LENGTH = Layouts.handle(Layouts.SORTED, "length");
    private static final VarHandle SORTED_PORT = Layouts.handle(Layouts.SORTED, "port");
    private static final VarHandle SORTED_TIMESTAMP = Layouts.handle(Layouts.SORTED, "timestamp");

    /** Whether they fit a cache. */
    @Param({IN_CACHE, IN_MEMORY})
    public String where = IN_CACHE;

    private MemorySegment padded = MemorySegment.NULL;
    private MemorySegment packed = MemorySegment.NULL;
    private MemorySegment sorted = MemorySegment.NULL;
    private int blocks;
    private int block;

    /** Created by JMH. */
    public PaddingBenchmark() {}

    @Setup
    @Override
    public void setUp() {
        blocks = where.equals(IN_MEMORY) ? BLOCKS_IN_MEMORY : 1;
        padded = allocate(Layouts.PADDED);
        packed = allocate(Layouts.PACKED);
        sorted = allocate(Layouts.SORTED);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < BLOCK; i++) {
            fill(i, (byte) random.nextInt(), random.nextInt(), (short) random.nextInt(), random.nextLong());
        }
        for (MemorySegment all : new MemorySegment[] {padded, packed, sorted}) {
            long bytes = all.byteSize() / blocks;
            for (int i = 1; i < blocks; i++) {
                MemorySegment.copy(all, 0, all, i * bytes, bytes);
            }
        }
    }

    private MemorySegment allocate(StructLayout layout) {
        return Arena.ofAuto().allocate(layout.byteSize() * BLOCK * blocks, 64);
    }

    private void fill(int index, byte kind, int length, short port, long timestamp) {
        long at = index * Layouts.PADDED.byteSize();
        PADDED_KIND.set(padded, at, kind);
        PADDED_LENGTH.set(padded, at, length);
        PADDED_PORT.set(padded, at, port);
        PADDED_TIMESTAMP.set(padded, at, timestamp);
        at = index * Layouts.PACKED.byteSize();
        PACKED_KIND.set(packed, at, kind);
        PACKED_LENGTH.set(packed, at, length);
        PACKED_PORT.set(packed, at, port);
        PACKED_TIMESTAMP.set(packed, at, timestamp);
        at = index * Layouts.SORTED.byteSize();
        SORTED_KIND.set(sorted, at, kind);
        SORTED_LENGTH.set(sorted, at, length);
        SORTED_PORT.set(sorted, at, port);
        SORTED_TIMESTAMP.set(sorted, at, timestamp);
    }

    /** Returns the position of the next block of structures of a size. */
    private long next(long size) {
        block = block + 1 == blocks ? 0 : block + 1;
        return (long) block * BLOCK * size;
    }

    @Benchmark
    public long padding_padded_Java() {
        long size = Layouts.PADDED.byteSize();
        long start = next(size);
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            long at = start + i * size;
            sum += ((byte) PADDED_KIND.get(padded, at) & 0xff)
                    + ((int) PADDED_LENGTH.get(padded, at) & 0xffff_ffffL)
                    + ((short) PADDED_PORT.get(padded, at) & 0xffff)
                    + (long) PADDED_TIMESTAMP.get(padded, at);
        }
        return sum;
    }

    @Benchmark
    public long padding_packed_Java() {
        long size = Layouts.PACKED.byteSize();
        long start = next(size);
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            long at = start + i * size;
            sum += ((byte) PACKED_KIND.get(packed, at) & 0xff)
                    + ((int) PACKED_LENGTH.get(packed, at) & 0xffff_ffffL)
                    + ((short) PACKED_PORT.get(packed, at) & 0xffff)
                    + (long) PACKED_TIMESTAMP.get(packed, at);
        }
        return sum;
    }

    @Benchmark
    public long padding_sortedBySize_Java() {
        long size = Layouts.SORTED.byteSize();
        long start = next(size);
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            long at = start + i * size;
            sum += ((byte) SORTED_KIND.get(sorted, at) & 0xff)
                    + ((int) SORTED_LENGTH.get(sorted, at) & 0xffff_ffffL)
                    + ((short) SORTED_PORT.get(sorted, at) & 0xffff)
                    + (long) SORTED_TIMESTAMP.get(sorted, at);
        }
        return sum;
    }

    @Benchmark
    public long padding_padded_C() {
        return LayoutNatives.call(LayoutNatives.PADDED, padded.asSlice(next(Layouts.PADDED.byteSize())), BLOCK);
    }

    @Benchmark
    public long padding_packed_C() {
        return LayoutNatives.call(LayoutNatives.PACKED, packed.asSlice(next(Layouts.PACKED.byteSize())), BLOCK);
    }

    @Benchmark
    public long padding_sortedBySize_C() {
        return LayoutNatives.call(LayoutNatives.SORTED, sorted.asSlice(next(Layouts.SORTED.byteSize())), BLOCK);
    }
}
