package io.offhook.research.layout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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

/** Records of 16, 32 and 64 bits in both byte orders; one of them is the machine's. All in the first cache. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ByteOrderBenchmark.COUNT)
@Fork(3)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ByteOrderBenchmark implements LayoutState {
    static final int COUNT = 256;

    private static final StructLayout LITTLE = Layouts.record(ByteOrder.LITTLE_ENDIAN);
    private static final StructLayout BIG = Layouts.record(ByteOrder.BIG_ENDIAN);
    private static final long SIZE = LITTLE.byteSize();
    private static final VarHandle LITTLE_PORT = Layouts.handle(LITTLE, "port");
    private static final VarHandle LITTLE_LENGTH = Layouts.handle(LITTLE, "length");
    private static final VarHandle LITTLE_TIMESTAMP = Layouts.handle(LITTLE, "timestamp");
    private static final VarHandle BIG_PORT = Layouts.handle(BIG, "port");
    private static final VarHandle BIG_LENGTH = Layouts.handle(BIG, "length");
    private static final VarHandle BIG_TIMESTAMP = Layouts.handle(BIG, "timestamp");

    private final MemorySegment little = Arena.ofAuto().allocate(COUNT * SIZE, 64);
    private final MemorySegment big = Arena.ofAuto().allocate(COUNT * SIZE, 64);

    /** Created by JMH. */
    public ByteOrderBenchmark() {}

    @Setup
    @Override
    public void setUp() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < COUNT; i++) {
            short port = (short) random.nextInt();
            int length = random.nextInt();
            long timestamp = random.nextLong();
            LITTLE_PORT.set(little, i * SIZE, port);
            LITTLE_LENGTH.set(little, i * SIZE, length);
            LITTLE_TIMESTAMP.set(little, i * SIZE, timestamp);
            BIG_PORT.set(big, i * SIZE, port);
            BIG_LENGTH.set(big, i * SIZE, length);
            BIG_TIMESTAMP.set(big, i * SIZE, timestamp);
        }
    }

    @Benchmark
    public long order_littleEndian_Java() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            long at = i * SIZE;
            sum += ((short) LITTLE_PORT.get(little, at) & 0xffff)
                    + ((int) LITTLE_LENGTH.get(little, at) & 0xffff_ffffL)
                    + (long) LITTLE_TIMESTAMP.get(little, at);
        }
        return sum;
    }

    @Benchmark
    public long order_bigEndian_Java() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            long at = i * SIZE;
            sum += ((short) BIG_PORT.get(big, at) & 0xffff)
                    + ((int) BIG_LENGTH.get(big, at) & 0xffff_ffffL)
                    + (long) BIG_TIMESTAMP.get(big, at);
        }
        return sum;
    }

    @Benchmark
    public long order_littleEndian_C() {
        return LayoutNatives.call(LayoutNatives.LITTLE, little, COUNT);
    }

    @Benchmark
    public long order_bigEndian_C() {
        return LayoutNatives.call(LayoutNatives.BIG, big, COUNT);
    }
}
