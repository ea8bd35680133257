package io.offhook.bench;

import io.offhook.packet.LayerSet;
import io.offhook.packet.LinkType;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpView;
import io.offhook.packet.walk.LayerHandlers;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of finding layers, in ns per packet, by kind of packet: TCP or UDP alone, all layers, a view on one of them,
 * handlers for all. The packets are contiguous, and in the caches.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx256m")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LayersBenchmark {
    static final int PACKETS = 1024;

    /** The kind of packet: {@link SamplePackets#KINDS}, one of each in turn, or drawn from captures. */
    @Param({"udp", "tcp", "vlan", "ipv6Extensions", "gre", "vxlan", "gtpu", "mixed", "corpus"})
    public String kind = "udp";

    /** The folder of captures from which the packets of "corpus" are drawn. */
    @Param("samples")
    public String captures = "samples";

    private final PacketWalker walker = new PacketWalker();
    private final UdpView udp = new UdpView();
    private final TcpView tcp = new TcpView();
    private final long[] sum = new long[1];
    private final LayerHandlers handlers = new LayerHandlers()
            .on(new Ipv4View(), (view, from, layer) -> sum[0] += view.ttl())
            .on(new UdpView(), (view, from, layer) -> sum[0] += view.length())
            .on(new TcpView(), (view, from, layer) -> sum[0] += view.window());
    private final Arena arena = Arena.ofShared();
    private final long[] offsets = new long[PACKETS];
    private final int[] lengths = new int[PACKETS];
    private MemorySegment segment = MemorySegment.NULL;

    /** Created by JMH. */
    public LayersBenchmark() {}

    /** Lays the packets out. */
    @Setup
    public void layOut() {
        List<byte[]> packets = SamplePackets.of(kind, PACKETS, Path.of(captures));
        segment =
                arena.allocate(packets.stream().mapToLong(bytes -> bytes.length).sum());
        long at = 0;
        for (int i = 0; i < PACKETS; i++) {
            byte[] bytes = packets.get(i);
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, at, bytes.length);
            offsets[i] = at;
            lengths[i] = bytes.length;
            at += bytes.length;
        }
    }

    /** Frees the memory. */
    @TearDown
    public void close() {
        arena.close();
    }

    /** Only the ports of the outermost TCP or UDP header. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long findTcpOrUdp() {
        long ports = 0;
        for (int i = 0; i < PACKETS; i++) {
            walker.walk(segment, offsets[i], lengths[i], lengths[i], LinkType.ETHERNET, LayerSet.TCP_OR_UDP);
            ports += walker.sourcePort() + walker.destinationPort();
        }
        return ports;
    }

    /** All layers. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long allLayers() {
        long layers = 0;
        for (int i = 0; i < PACKETS; i++) {
            walker.walk(segment, offsets[i], lengths[i], lengths[i], LinkType.ETHERNET);
            layers += walker.layerCount();
        }
        return layers;
    }

    /** All layers, then "is there UDP or TCP" by views. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long allLayersAndViews() {
        long ports = 0;
        for (int i = 0; i < PACKETS; i++) {
            walker.walk(segment, offsets[i], lengths[i], lengths[i], LinkType.ETHERNET);
            if (walker.find(udp)) {
                ports += udp.sourcePort();
            } else if (walker.find(tcp)) {
                ports += tcp.sourcePort();
            }
        }
        return ports;
    }

    /** All layers, and a lambda called for each IPv4, UDP and TCP header. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long handlers() {
        long reported = 0;
        for (int i = 0; i < PACKETS; i++) {
            walker.walk(segment, offsets[i], lengths[i], lengths[i], LinkType.ETHERNET);
            reported += handlers.dispatch(walker);
        }
        return reported + sum[0];
    }
}
