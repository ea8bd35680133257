package io.offhook.research.threads;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/** Two threads with a counter each, in one cache line or 256 bytes apart. One operation is one increment. */
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class SharingBenchmark {
    private static final VarHandle CELL = ValueLayout.JAVA_LONG.varHandle();
    private static final long FIRST = 128;
    private static final long BESIDE = FIRST + 8;
    private static final long APART = FIRST + 256;

    /** Native memory, because an array may begin anywhere in a cache line. */
    private final MemorySegment cells = Arena.ofAuto().allocate(512, 128);

    /** Created by JMH. */
    public SharingBenchmark() {}

    /** The placement of a thread. */
    @State(Scope.Thread)
    public static class Pinned {
        /** As returned by {@link Placement#argument}. */
        @Param("free:-1:-1")
        public String placement = "";

        /** Created by JMH. */
        public Pinned() {}

        /** Before each iteration, because threads come from a pool and may change roles. */
        @Setup(Level.Iteration)
        public void pin(ThreadParams thread) {
            Placement.of(placement).pin(thread.getSubgroupIndex());
        }
    }

    private void count(long cell) {
        CELL.setOpaque(cells, cell, (long) CELL.getOpaque(cells, cell) + 1);
    }

    @Benchmark
    @Group("oneLine")
    public void oneLineFirst(Pinned pinned) {
        count(FIRST);
    }

    @Benchmark
    @Group("oneLine")
    public void oneLineSecond(Pinned pinned) {
        count(BESIDE);
    }

    @Benchmark
    @Group("linesOfTheirOwn")
    public void linesOfTheirOwnFirst(Pinned pinned) {
        count(FIRST);
    }

    @Benchmark
    @Group("linesOfTheirOwn")
    public void linesOfTheirOwnSecond(Pinned pinned) {
        count(APART);
    }
}
