package io.offhook.bench;

import io.offhook.linux.lanes.LaneBoard;
import io.offhook.linux.lanes.LaneMeter;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs a lane, for each batch, that other processes can see what it does; and what a source asks for where nothing is
 * published. The clock is read by the source for each batch anyway, and is not part of it. Linux with a folder in memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class LaneMeterBenchmark {
    private @Nullable LaneBoard board;
    private @Nullable LaneMeter meter;
    private long nowNs;

    /** Created by JMH. */
    public LaneMeterBenchmark() {}

    @Setup
    public void setUp() {
        board = Objects.requireNonNull(LaneBoard.open("bench", null), "no folder in memory");
        meter = board.lane("bench", -1);
        nowNs = System.nanoTime();
    }

    @TearDown
    public void tearDown() {
        Objects.requireNonNull(board).close();
        Objects.requireNonNull(meter).end(nowNs);
    }

    /** A batch, with the depth of the queue and the drops. */
    @Benchmark
    public @Nullable LaneMeter batch() {
        LaneMeter current = LaneMeter.current();
        if (current != null) {
            current.depth(nowNs & 63);
            current.drops(0);
            current.polled(nowNs += 1000, 64);
        }
        return current;
    }

    /** What remains of it where nothing is published. */
    @Benchmark
    public @Nullable LaneMeter question() {
        return LaneMeter.current();
    }

    /** The clock, for comparison. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }
}
