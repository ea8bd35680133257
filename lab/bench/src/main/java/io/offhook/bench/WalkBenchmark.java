package io.offhook.bench;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerSet;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.util.List;
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
 * Decoding alone: all packets of a mapped capture, from record to transport header. {@code src/main/c/walk.c} does the
 * same over the same file and prints the same sums. One operation is the whole file: divide by its packets.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class WalkBenchmark {
    /** A classic pcap file, larger than the caches. */
    @Param("")
    public String file = "";

    /** Created by JMH. */
    public WalkBenchmark() {}

    /** Moves from record to record and decodes the layers of each packet. */
    @Benchmark
    public long walk() {
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(4096);
        long sum = 0;
        try (PacketSource source = CaptureFiles.open(List.of(file))) {
            while (source.next(batch)) {
                sum += walk(walker, batch);
            }
        }
        return sum;
    }

    /** Moves from record to record and finds TCP or UDP, but no later layer. */
    @Benchmark
    public long find() {
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(4096);
        long sum = 0;
        try (PacketSource source = CaptureFiles.open(List.of(file))) {
            while (source.next(batch)) {
                sum += find(walker, batch);
            }
        }
        return sum;
    }

    /** Only moves from record to record: the cost of finding records. */
    @Benchmark
    public long hop() {
        FrameBatch batch = new FrameBatch(4096);
        long sum = 0;
        try (PacketSource source = CaptureFiles.open(List.of(file))) {
            while (source.next(batch)) {
                sum += batch.count();
            }
        }
        return sum;
    }

    private static long walk(PacketWalker walker, FrameBatch batch) {
        long sum = 0;
        for (int i = 0; i < batch.count(); i++) {
            walker.walk(
                    batch.segmentOf(i),
                    batch.offset(i),
                    batch.capturedLength(i),
                    batch.wireLength(i),
                    batch.linkType(i));
            if (walker.transport() >= 0) {
                sum += walker.sourcePort() + walker.destinationPort() + walker.payloadLength();
            }
        }
        return sum;
    }

    private static long find(PacketWalker walker, FrameBatch batch) {
        long sum = 0;
        for (int i = 0; i < batch.count(); i++) {
            walker.walk(
                    batch.segmentOf(i),
                    batch.offset(i),
                    batch.capturedLength(i),
                    batch.wireLength(i),
                    batch.linkType(i),
                    LayerSet.TCP_OR_UDP);
            if (walker.transport() >= 0) {
                sum += walker.sourcePort() + walker.destinationPort() + walker.payloadLength();
            }
        }
        return sum;
    }
}
