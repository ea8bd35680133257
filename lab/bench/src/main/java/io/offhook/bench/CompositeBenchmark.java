package io.offhook.bench;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.buffer.CompositeBuffer;
import io.offhook.packet.checksum.InternetChecksum;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

/**
 * Reads of 32 bits from a composite buffer, sequential and random, compared with a plain segment. One operation is one read.
 * With stretches of 1,460 bytes, as in TCP segments, hardly any read crosses a seam; with stretches of 7 bytes, every second
 * one does.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(CompositeBenchmark.READS)
@Fork(3)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CompositeBenchmark {
    static final int READS = 4096;
    private static final int LENGTH = 4 * READS;

    /** Bytes per stretch. */
    @Param({"16384", "1460", "7"})
    public int stretch;

    private final MemorySegment plain = Arena.ofAuto().allocate(LENGTH, 64);
    private final MemorySegment pattern = Arena.ofAuto().allocate(4);
    private final CompositeBuffer composite = new CompositeBuffer(LENGTH);
    private final int[] places = new int[READS];

    /** Created by JMH. */
    public CompositeBenchmark() {}

    @Setup
    public void setUp() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < LENGTH; i++) {
            NetworkOrder.putU8(plain, i, random.nextInt(0x80));
        }
        NetworkOrder.putU32(pattern, 0, 0x0d0a_fffeL);
        composite.clear();
        for (int at = 0; at < LENGTH; at += stretch) {
            composite.append(plain, at, Math.min(stretch, LENGTH - at));
        }
        for (int i = 0; i < READS; i++) {
            places[i] = random.nextInt(LENGTH - 3);
        }
    }

    @Benchmark
    public long plainInOrder() {
        long sum = 0;
        for (int at = 0; at < LENGTH; at += 4) {
            sum += NetworkOrder.u32(plain, at);
        }
        return sum;
    }

    @Benchmark
    public long inOrder() {
        long sum = 0;
        for (int at = 0; at < LENGTH; at += 4) {
            sum += composite.u32(at);
        }
        return sum;
    }

    @Benchmark
    public long plainAnywhere() {
        long sum = 0;
        for (int at : places) {
            sum += NetworkOrder.u32(plain, at);
        }
        return sum;
    }

    @Benchmark
    public long anywhere() {
        long sum = 0;
        for (int at : places) {
            sum += composite.u32(at);
        }
        return sum;
    }

    /** A search without a match; per four bytes. */
    @Benchmark
    public long search() {
        return composite.indexOf(pattern, 0, LENGTH);
    }

    /** The checksum; per four bytes. */
    @Benchmark
    public int sum() {
        return InternetChecksum.sum(composite, 0, LENGTH, 0);
    }
}
