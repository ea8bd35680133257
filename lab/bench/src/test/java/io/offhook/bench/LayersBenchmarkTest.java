package io.offhook.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.annotations.Param;

/** Each benchmark of layers does all of its work, of each kind of packet. */
class LayersBenchmarkTest {
    private static final int PACKETS = LayersBenchmark.PACKETS;

    private static LayersBenchmark benchmark(String kind) {
        LayersBenchmark benchmark = new LayersBenchmark();
        benchmark.kind = kind;
        benchmark.captures = "../../samples";
        benchmark.layOut();
        return benchmark;
    }

    /** TTL 64 an IPv4 header, length 20 a plain UDP header, window 65,535 of TCP are what handlers add up. */
    @ParameterizedTest
    @CsvSource({
        "udp,            4, 10122, 5060,  2, 84",
        "tcp,            4, 45060, 40000, 2, 65599",
        "vlan,           5, 10122, 5060,  2, 84",
        "ipv6Extensions, 6, 10122, 5060,  1, 20",
        "gre,            6, 10122, 5060,  3, 148",
        "vxlan,          8, 54789, 50000, 4, 218",
        "gtpu,           7, 4304,  2152,  4, 204"
    })
    void doesAllOfItsWork(String kind, int layers, int ports, int sourcePort, int reported, int fields) {
        LayersBenchmark benchmark = benchmark(kind);
        assertThat(benchmark.findTcpOrUdp()).isEqualTo((long) ports * PACKETS);
        assertThat(benchmark.allLayers()).isEqualTo((long) layers * PACKETS);
        assertThat(benchmark.allLayersAndViews()).isEqualTo((long) sourcePort * PACKETS);
        assertThat(benchmark.handlers()).isEqualTo((long) (reported + fields) * PACKETS);
        benchmark.close();
    }

    @Test
    void takesOneOfEachKindInTurn() {
        LayersBenchmark benchmark = benchmark(SamplePackets.MIXED);
        int[] layers = {4, 4, 5, 6, 6, 8, 7};
        long expected = 0;
        for (int i = 0; i < PACKETS; i++) {
            expected += layers[i % layers.length];
        }
        assertThat(benchmark.allLayers()).isEqualTo(expected);
        benchmark.close();
    }

    @Test
    void findsInPacketsOfCapturesWhatIsThere() {
        List<byte[]> packets = SamplePackets.of(SamplePackets.CORPUS, PACKETS, Path.of("../../samples"));
        assertThat(packets.stream().map(Arrays::hashCode).distinct().count()).isGreaterThan(PACKETS / 2);
        PacketWalker walker = new PacketWalker();
        long layers = 0;
        long ports = 0;
        try (Arena arena = Arena.ofConfined()) {
            for (byte[] bytes : packets) {
                MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
                walker.walk(segment, 0, bytes.length, bytes.length, LinkType.ETHERNET);
                layers += walker.layerCount();
                int at = Math.max(walker.indexOf(LayerType.UDP), walker.indexOf(LayerType.TCP));
                if (at >= 0) {
                    long header = walker.layerOffset(at);
                    ports += Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort((int) header))
                            + Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort((int) header + 2));
                }
            }
        }
        LayersBenchmark benchmark = benchmark(SamplePackets.CORPUS);
        assertThat(benchmark.allLayers()).isEqualTo(layers).isGreaterThan(3L * PACKETS);
        assertThat(benchmark.findTcpOrUdp()).isEqualTo(ports).isGreaterThan(0);
        benchmark.close();
    }

    @Test
    void runsEveryKindThereIs() throws NoSuchFieldException {
        Param kinds = LayersBenchmark.class.getField("kind").getAnnotation(Param.class);
        assertThat(kinds.value()).containsAll(SamplePackets.KINDS).contains(SamplePackets.MIXED, SamplePackets.CORPUS);
        assertThatThrownBy(() -> SamplePackets.of("token ring", 1, Path.of(".")))
                .hasMessageContaining("no packet");
    }
}
