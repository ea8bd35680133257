package io.offhook.bench;

import io.offhook.packet.Ipv4View;
import io.offhook.packet.LayerHandlers;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LinkType;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.TcpView;
import io.offhook.packet.UdpView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
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
 * What asking for layers costs, by kind of packet: TCP or UDP alone, all layers, a view put on one, handlers told of all.
 * The packets lie one behind the other, in the caches.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx256m")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LayersBenchmark {
    private static final int PACKETS = 256;
    private static final String MACS = "020000000002020000000001";
    private static final String UDP = "13c413c600145a1568656c6c6f20776f726c6421";
    private static final String IPV4_UDP = "450000281234000040117c5ac0000201c6336402" + UDP;
    private static final String IPV6_UDP =
            "6000000000141140" + "20010db8000000000000000000000001" + "20010db8000000000000000000000002" + UDP;
    private static final String TCP = "9c4013c4000003e800000000" + "5018ffff00000000" + "68656c6c6f20776f726c6421";

    /** The kind of packet; "mixed" is one of each in turn. */
    @Param({"udp", "tcp", "vlanUdp6", "vxlan", "mixed"})
    public String kind = "udp";

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

    /** JMH makes it. */
    public LayersBenchmark() {}

    /** Lays the packets out. */
    @Setup
    public void layOut() {
        String[] kinds = {"udp", "tcp", "vlanUdp6", "vxlan"};
        segment = arena.allocate(PACKETS * 256L);
        long at = 0;
        for (int i = 0; i < PACKETS; i++) {
            byte[] bytes = packet(kind.equals("mixed") ? kinds[i % kinds.length] : kind);
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, at, bytes.length);
            offsets[i] = at;
            lengths[i] = bytes.length;
            at += bytes.length;
        }
    }

    private static byte[] packet(String kind) {
        String hex = switch (kind) {
            case "udp" -> MACS + "0800" + IPV4_UDP;
            case "tcp" -> MACS + "0800" + "450000341234000040060000c0000201c6336402" + TCP;
            case "vlanUdp6" -> MACS + "8100006486dd" + IPV6_UDP;
            case "vxlan" ->
                MACS + "0800" + "4500005a12340000401100000a0000010a000002" + "c35012b500460000" + "0800000000002a00"
                        + MACS + "0800" + IPV4_UDP;
            default -> throw new IllegalArgumentException("no packet " + kind);
        };
        return HexFormat.of().parseHex(hex);
    }

    /** Gives the memory back. */
    @TearDown
    public void close() {
        arena.close();
    }

    /** Ports of the outermost TCP or UDP header, and no more. */
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

    /** All layers, and a lambda told of each IPv4, UDP and TCP header. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long handlers() {
        long told = 0;
        for (int i = 0; i < PACKETS; i++) {
            walker.walk(segment, offsets[i], lengths[i], lengths[i], LinkType.ETHERNET);
            told += handlers.dispatch(walker);
        }
        return told + sum[0];
    }
}
