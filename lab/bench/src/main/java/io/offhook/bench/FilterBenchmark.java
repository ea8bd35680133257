package io.offhook.bench;

import io.offhook.filter.BpfInterpreter;
import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A filter over all frames of a mapped capture, which were located before. {@code src/main/c/filter.c} does the same
 * with libpcap's bpf_filter over the same file and must get the same count. One operation is the whole file: divide by
 * its packets.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class FilterBenchmark {
    private static final int BATCH_FRAMES = 4096;

    /** A classic pcap file of Ethernet, larger than the caches. */
    @Param("")
    public String file = "";

    /** The filter expression. */
    @Param({
        "ip",
        "udp port 5060",
        "host 10.0.0.1 and not tcp",
        "tcp[tcpflags] & (tcp-syn|tcp-fin) != 0",
        "udp portrange 10000-20000 and net 10.0.0.0/8 and not (vlan 7 or ip6)"
    })
    public String expression = "";

    private final List<FrameBatch> batches = new ArrayList<>();
    private @Nullable PacketSource source;
    private PacketFilter compiled = (_, _, _, _) -> 0;
    private PacketFilter interpreter = (_, _, _, _) -> 0;

    /** Created by JMH. */
    public FilterBenchmark() {}

    /** Finds the frames. */
    @Setup(Level.Trial)
    public void open() {
        BpfProgram program = FilterCompiler.compile(expression, LinkType.ETHERNET, 262_144);
        compiled = PacketFilter.of(program);
        interpreter = new BpfInterpreter(program);
        PacketSource opened = CaptureFiles.open(file);
        source = opened;
        FrameBatch batch = new FrameBatch(BATCH_FRAMES);
        while (opened.next(batch)) {
            batches.add(batch);
            batch = new FrameBatch(BATCH_FRAMES);
        }
    }

    /** Unmaps the file. */
    @TearDown(Level.Trial)
    public void close() {
        batches.clear();
        if (source != null) {
            source.close();
        }
    }

    /** Frames that match; the filter is JVM bytecode. */
    @Benchmark
    public long compiled() {
        return matched(compiled);
    }

    /** Frames that match; the filter is interpreted. */
    @Benchmark
    public long interpreted() {
        return matched(interpreter);
    }

    private long matched(PacketFilter filter) {
        long matched = 0;
        for (FrameBatch batch : batches) {
            int count = batch.count();
            for (int i = 0; i < count; i++) {
                int result =
                        filter.match(batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), batch.wireLength(i));
                matched += result == 0 ? 0 : 1;
            }
        }
        return matched;
    }
}
