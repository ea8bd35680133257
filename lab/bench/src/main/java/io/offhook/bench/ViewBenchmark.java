package io.offhook.bench;

import io.offhook.packet.WrapStatus;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpView;
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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of wrapping a view around a header, and of reading one field, in the first-level cache. There are 64 headers in
 * turn, so that the compiler does not know the position. jNetPcap 2 promises 5 to 10 ns and 25 ns for the two.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ViewBenchmark {
    private static final int HEADERS = 64;
    private static final int SIZE = 128;

    private final MemorySegment ipv4Udp = Arena.ofAuto().allocate((long) HEADERS * SIZE, 64);
    private final MemorySegment ipv6Tcp = Arena.ofAuto().allocate((long) HEADERS * SIZE, 64);
    private final Ipv4View ipv4 = new Ipv4View();
    private final Ipv6View ipv6 = new Ipv6View();
    private final UdpView udp = new UdpView();
    private final TcpView tcp = new TcpView();
    private int at;

    /** Created by JMH. */
    public ViewBenchmark() {}

    @Setup
    public void setUp() {
        PacketWriter writer = new PacketWriter();
        for (int i = 0; i < HEADERS; i++) {
            writer.begin(ipv4Udp, (long) i * SIZE)
                    .ipv4(i, 2)
                    .udp(5060, i)
                    .zeros(20)
                    .finish();
            writer.begin(ipv6Tcp, (long) i * SIZE)
                    .ipv6(1, i, 3, 4)
                    .tcp(5060, i, 3, 4, 0)
                    .finish();
        }
        wrapIpv4();
        wrapIpv6();
        wrapUdp();
        wrapTcp();
    }

    private long next() {
        at = at + SIZE & HEADERS * SIZE - 1;
        return at;
    }

    /** The cost of moving from header to header, which is part of every wrap below. */
    @Benchmark
    public long step() {
        return next();
    }

    @Benchmark
    public WrapStatus wrapIpv4() {
        return ipv4.wrap(ipv4Udp, next(), 48);
    }

    @Benchmark
    public WrapStatus wrapUdp() {
        return udp.wrap(ipv4Udp, next() + 20, 28);
    }

    @Benchmark
    public WrapStatus wrapIpv6() {
        return ipv6.wrap(ipv6Tcp, next(), 60);
    }

    @Benchmark
    public WrapStatus wrapTcp() {
        return tcp.wrap(ipv6Tcp, next() + 40, 20);
    }

    @Benchmark
    public int getTtl() {
        return ipv4.ttl();
    }

    @Benchmark
    public int getSourcePort() {
        return udp.sourcePort();
    }

    @Benchmark
    public long getSequenceNumber() {
        return tcp.sequenceNumber();
    }

    @Benchmark
    public long getSourceLow() {
        return ipv6.sourceLow();
    }

    @Benchmark
    public TcpView setSequenceNumber() {
        return tcp.sequenceNumber(at);
    }

    /** Typical use: a wrap, and four fields. */
    @Benchmark
    public long wrapAndReadFourFields() {
        return wrapTcp() == WrapStatus.OK
                ? tcp.sourcePort() + tcp.destinationPort() + tcp.sequenceNumber() + tcp.flags()
                : 0;
    }
}
