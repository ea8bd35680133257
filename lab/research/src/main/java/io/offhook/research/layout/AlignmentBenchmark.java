package io.offhook.research.layout;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Records of 16, 32 and 64 bits at their natural addresses and one byte beside them; and 64 bits within a cache line and
 * across two. All in the first cache.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(AlignmentBenchmark.COUNT)
@Fork(3)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class AlignmentBenchmark implements LayoutState {
    static final int COUNT = 256;

    private static final long SIZE = Layouts.RECORD.byteSize();
    private static final long LINE = 64;
    /** Of 64 bits, so that they end with the line; and so that they lie half in the next. */
    private static final long WITHIN = LINE - 8;

    private static final long ACROSS = LINE - 4;

    private static final VarHandle PORT = Layouts.handle(Layouts.RECORD, "port");
    private static final VarHandle LENGTH = Layouts.handle(Layouts.RECORD, "length");
    private static final VarHandle TIMESTAMP = Layouts.handle(Layouts.RECORD, "timestamp");
    private static final VarHandle PORT_ANYWHERE = Layouts.handle(Layouts.RECORD_ANYWHERE, "port");
    private static final VarHandle LENGTH_ANYWHERE = Layouts.handle(Layouts.RECORD_ANYWHERE, "length");
    private static final VarHandle TIMESTAMP_ANYWHERE = Layouts.handle(Layouts.RECORD_ANYWHERE, "timestamp");
    private static final VarHandle U64 = JAVA_LONG_UNALIGNED.varHandle();

    private final MemorySegment aligned = Arena.ofAuto().allocate(COUNT * SIZE, LINE);
    private final MemorySegment misaligned = Arena.ofAuto().allocate(COUNT * SIZE + 1, LINE);
    private final MemorySegment within = Arena.ofAuto().allocate(COUNT * LINE + LINE, LINE);
    private final MemorySegment across = Arena.ofAuto().allocate(COUNT * LINE + LINE, LINE);

    /** Created by JMH. */
    public AlignmentBenchmark() {}

    @Setup
    @Override
    public void setUp() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < COUNT; i++) {
            short port = (short) random.nextInt();
            int length = random.nextInt();
            long timestamp = random.nextLong();
            PORT.set(aligned, i * SIZE, port);
            LENGTH.set(aligned, i * SIZE, length);
            TIMESTAMP.set(aligned, i * SIZE, timestamp);
            PORT_ANYWHERE.set(misaligned, i * SIZE + 1, port);
            LENGTH_ANYWHERE.set(misaligned, i * SIZE + 1, length);
            TIMESTAMP_ANYWHERE.set(misaligned, i * SIZE + 1, timestamp);
            U64.set(within, i * LINE + WITHIN, timestamp);
            U64.set(across, i * LINE + ACROSS, timestamp);
        }
    }

    @Benchmark
    public long alignment_alignedByAlignedLayout_Java() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            long at = i * SIZE;
            sum += ((short) PORT.get(aligned, at) & 0xffff)
                    + ((int) LENGTH.get(aligned, at) & 0xffff_ffffL)
                    + (long) TIMESTAMP.get(aligned, at);
        }
        return sum;
    }

    @Benchmark
    public long alignment_alignedByUnalignedLayout_Java() {
        return sum(aligned, 0);
    }

    @Benchmark
    public long alignment_misaligned_Java() {
        return sum(misaligned, 1);
    }

    private static long sum(MemorySegment records, long start) {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            long at = start + i * SIZE;
            sum += ((short) PORT_ANYWHERE.get(records, at) & 0xffff)
                    + ((int) LENGTH_ANYWHERE.get(records, at) & 0xffff_ffffL)
                    + (long) TIMESTAMP_ANYWHERE.get(records, at);
        }
        return sum;
    }

    @Benchmark
    public long alignment_aligned_C() {
        return LayoutNatives.call(LayoutNatives.ALIGNED, aligned, COUNT);
    }

    @Benchmark
    public long alignment_misaligned_C() {
        return LayoutNatives.call(LayoutNatives.MISALIGNED, misaligned.asSlice(1), COUNT);
    }

    @Benchmark
    public long line_within_Java() {
        return lines(within, WITHIN);
    }

    @Benchmark
    public long line_across_Java() {
        return lines(across, ACROSS);
    }

    private static long lines(MemorySegment lines, long start) {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += (long) U64.get(lines, start + i * LINE);
        }
        return sum;
    }

    @Benchmark
    public long line_within_C() {
        return LayoutNatives.call(LayoutNatives.LINES, within.asSlice(WITHIN), COUNT);
    }

    @Benchmark
    public long line_across_C() {
        return LayoutNatives.call(LayoutNatives.LINES, across.asSlice(ACROSS), COUNT);
    }
}
