package io.offhook.research.layout;

import static io.offhook.research.TheUnsafe.UNSAFE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

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
 * Unsigned numbers of each width, in the machine's order, one in every eight bytes. Reads widen to the next Java type; or
 * return the type of the same width, with a check of the sign; or widen without bounds checks, by Unsafe. Writes truncate,
 * or check that the number fits. No check ever fails here, because only its cost is measured.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(UnsignedBenchmark.COUNT)
@Fork(3)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@SuppressWarnings("removal")
public class UnsignedBenchmark implements LayoutState {
    static final int COUNT = 256;

    private static final long SIZE = 8;
    private static final VarHandle U8 = JAVA_BYTE.varHandle();
    private static final VarHandle U16 = JAVA_SHORT_UNALIGNED.varHandle();
    private static final VarHandle U32 = JAVA_INT_UNALIGNED.varHandle();
    private static final VarHandle U64 = JAVA_LONG_UNALIGNED.varHandle();

    private final MemorySegment numbers = Arena.ofAuto().allocate(COUNT * SIZE, 64);
    private final MemorySegment target = Arena.ofAuto().allocate(COUNT * SIZE, 64);
    private final long address = numbers.address();
    private final long[] values = new long[COUNT];

    /** Created by JMH. */
    public UnsignedBenchmark() {}

    @Setup
    @Override
    public void setUp() {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < COUNT; i++) {
            // without the sign bit of its width, so that all of them fit both types
            values[i] = random.nextLong() & 0x7f;
            U64.set(numbers, i * SIZE, random.nextLong() & 0x7f7f_7f7f_7f7f_7f7fL);
        }
    }

    @Override
    public long digest() {
        long hash = 0;
        for (int i = 0; i < COUNT; i++) {
            hash = 31 * hash + (long) U64.get(target, i * SIZE);
        }
        return hash;
    }

    @Benchmark
    public long read_u8Widened() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += (byte) U8.get(numbers, i * SIZE) & 0xff;
        }
        return sum;
    }

    @Benchmark
    public long read_u8Checked() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += Unsigned.byteExact((byte) U8.get(numbers, i * SIZE));
        }
        return sum;
    }

    @Benchmark
    public long read_u8WidenedByUnsafe() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += UNSAFE.getByte(address + i * SIZE) & 0xff;
        }
        return sum;
    }

    @Benchmark
    public long read_u16Widened() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += (short) U16.get(numbers, i * SIZE) & 0xffff;
        }
        return sum;
    }

    @Benchmark
    public long read_u16Checked() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += Unsigned.shortExact((short) U16.get(numbers, i * SIZE));
        }
        return sum;
    }

    @Benchmark
    public long read_u16WidenedByUnsafe() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += UNSAFE.getShort(address + i * SIZE) & 0xffff;
        }
        return sum;
    }

    @Benchmark
    public long read_u32Widened() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += (int) U32.get(numbers, i * SIZE) & 0xffff_ffffL;
        }
        return sum;
    }

    @Benchmark
    public long read_u32Checked() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += Unsigned.intExact((int) U32.get(numbers, i * SIZE));
        }
        return sum;
    }

    @Benchmark
    public long read_u32WidenedByUnsafe() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += UNSAFE.getInt(address + i * SIZE) & 0xffff_ffffL;
        }
        return sum;
    }

    @Benchmark
    public long read_u64Widened() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += (long) U64.get(numbers, i * SIZE);
        }
        return sum;
    }

    @Benchmark
    public long read_u64Checked() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += Unsigned.longExact((long) U64.get(numbers, i * SIZE));
        }
        return sum;
    }

    @Benchmark
    public long read_u64WidenedByUnsafe() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += UNSAFE.getLong(address + i * SIZE);
        }
        return sum;
    }

    @Benchmark
    public void write_u8CutOff() {
        for (int i = 0; i < COUNT; i++) {
            U8.set(target, i * SIZE, (byte) values[i]);
        }
    }

    @Benchmark
    public void write_u8Checked() {
        for (int i = 0; i < COUNT; i++) {
            U8.set(target, i * SIZE, (byte) Unsigned.u8(values[i]));
        }
    }

    @Benchmark
    public void write_u16CutOff() {
        for (int i = 0; i < COUNT; i++) {
            U16.set(target, i * SIZE, (short) values[i]);
        }
    }

    @Benchmark
    public void write_u16Checked() {
        for (int i = 0; i < COUNT; i++) {
            U16.set(target, i * SIZE, (short) Unsigned.u16(values[i]));
        }
    }

    @Benchmark
    public void write_u32CutOff() {
        for (int i = 0; i < COUNT; i++) {
            U32.set(target, i * SIZE, (int) values[i]);
        }
    }

    @Benchmark
    public void write_u32Checked() {
        for (int i = 0; i < COUNT; i++) {
            U32.set(target, i * SIZE, (int) Unsigned.u32(values[i]));
        }
    }

    @Benchmark
    public void write_u64CutOff() {
        for (int i = 0; i < COUNT; i++) {
            U64.set(target, i * SIZE, values[i]);
        }
    }

    @Benchmark
    public void write_u64Checked() {
        for (int i = 0; i < COUNT; i++) {
            U64.set(target, i * SIZE, Unsigned.u64(values[i]));
        }
    }
}
