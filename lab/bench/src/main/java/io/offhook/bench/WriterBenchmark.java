package io.offhook.bench;

import io.offhook.packet.LinkType;
import io.offhook.packet.edit.PacketEditor;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.write.PacketWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Writing a packet, lengths and checksums included, and editing one; one operation is one packet. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class WriterBenchmark {
    private final MemorySegment segment = Arena.ofAuto().allocate(2_048, 64);
    private final MemorySegment edited = Arena.ofAuto().allocate(2_048, 64);
    private final MemorySegment payload = Arena.ofAuto().allocate(1_460, 64);
    private final PacketWriter writer = new PacketWriter();
    private final PacketWalker walker = new PacketWalker();
    private final PacketEditor editor = new PacketEditor();
    private int count;

    /** Created by JMH. */
    public WriterBenchmark() {
        int length = writer.begin(edited, 0)
                .ethernet(1, 2)
                .ipv4(3, 4)
                .udp(5060, 5061)
                .payload(payload, 0, 1_200)
                .finish();
        walker.walk(edited, 0, length, length, LinkType.ETHERNET);
    }

    /** A packet of speech: 172 bytes of RTP. */
    @Benchmark
    public int udp() {
        return writer.begin(segment, 0)
                .ethernet(1, 2)
                .ipv4(3, count++ & 0x7fff_ffff)
                .udp(5060, 5061)
                .payload(payload, 0, 172)
                .finish();
    }

    /** A full TCP segment with timestamps. */
    @Benchmark
    public int tcp() {
        return writer.begin(segment, 0)
                .ethernet(1, 2)
                .ipv4(3, 4)
                .tcp(5060, 5061, count++ & 0x7fff_ffff, 7, TcpView.ACK)
                .options()
                .noOperation()
                .noOperation()
                .timestamps(1, 2)
                .end()
                .payload(payload, 0, 1_448)
                .finish();
    }

    /** The same packet of speech in VXLAN. */
    @Benchmark
    public int vxlan() {
        return writer.begin(segment, 0)
                .ethernet(1, 2)
                .ipv4(3, 4)
                .udp(50_000, PacketWriter.VXLAN_PORT)
                .vxlan(5)
                .ethernet(3, 4)
                .ipv4(5, count++ & 0x7fff_ffff)
                .udp(5060, 5061)
                .payload(payload, 0, 172)
                .finish();
    }

    /** A NAT's work on a walked packet: address and port, with incremental checksum updates. */
    @Benchmark
    public boolean translate() {
        editor.edit(walker);
        return editor.sourceAddress(0, 0xffff_0a00_0000L | count & 0xffff) && editor.sourcePort(count++ & 0xffff);
    }

    /** The checksums of the same packet computed in full, over 1,200 bytes. */
    @Benchmark
    public int recompute() {
        editor.edit(walker);
        return editor.recompute();
    }
}
