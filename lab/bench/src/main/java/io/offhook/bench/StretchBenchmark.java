package io.offhook.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@link WalkBenchmark#find} without the library's reader, and at several places of the file at once: whether less waiting
 * for memory makes it faster than C. One operation is the whole file, which is mapped again each time, as there.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class StretchBenchmark {
    /** A classic little-endian pcap file of Ethernet, larger than the caches. */
    @Param("")
    public String file = "";

    /** The number of places walked at once. */
    @Param({"1", "2", "4", "8"})
    public int stretches = 1;

    /** Created by JMH. */
    public StretchBenchmark() {}

    /** Finds TCP or UDP in all packets; the same sum as {@link WalkBenchmark#find}. */
    @Benchmark
    public long find() throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(Path.of(file))) {
            Stretches walk = new Stretches(channel.map(MapMode.READ_ONLY, 0, channel.size(), arena), stretches);
            walk.walk();
            return walk.sum();
        }
    }
}
