package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpView;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayerHandlersTest {
    private final List<String> reported = new ArrayList<>();

    @Test
    void tellsEachHandlerOfItsLayersFromTheOutside() {
        LayerHandlers handlers = new LayerHandlers()
                .on(
                        new UdpView(),
                        (udp, walker, layer) -> reported.add("udp " + udp.destinationPort() + " at " + layer))
                .on(new Ipv4View(), (ip, walker, layer) -> reported.add("ip " + ip.protocol()))
                .on(
                        LayerType.VXLAN,
                        (segment, offset, length, walker) -> reported.add("vxlan@" + offset + "+" + length));
        PacketWalker walker = GoldenFrame.of("vxlan").walk();

        assertThat(handlers.dispatch(walker)).isEqualTo(5);
        assertThat(reported)
                .containsExactly(
                        "ip 17", "udp 4789 at 2", "vxlan@42+" + walker.layerLength(3), "ip 17", "udp 5062 at 6");
    }

    @Test
    void reportsAllHandlersOfALayerInTheOrderTheyWereSet() {
        LayerHandlers handlers = new LayerHandlers()
                .on(LayerType.TCP, (segment, offset, length, walker) -> reported.add("first"))
                .on(new TcpView(), (tcp, walker, layer) -> reported.add("second " + tcp.isSyn()));

        assertThat(handlers.dispatch(GoldenFrame.of("tcpSyn").walk())).isEqualTo(2);
        assertThat(reported).containsExactly("first", "second true");
        assertThat(handlers.dispatch(GoldenFrame.of("udp").walk())).isZero();
    }

    @Test
    void countsLayersThatAViewCannotBePutOn() {
        GoldenFrame frame = GoldenFrame.of("tcpSyn");
        PacketWalker walker = new PacketWalker();
        walker.walk(frame.segment(), 0, 14 + 20 + 24, frame.length(), frame.linkType());
        LayerHandlers handlers = new LayerHandlers().on(new TcpView(), (tcp, from, layer) -> reported.add("tcp"));

        assertThat(handlers.dispatch(walker)).isZero();
        assertThat(handlers.unreadable()).isEqualTo(1);
        assertThat(reported).isEmpty();
    }

    @Test
    void putsAViewOnTheLayerAskedFor() {
        PacketWalker walker = GoldenFrame.of("vxlan").walk();
        UdpView udp = new UdpView();

        assertThat(walker.find(udp)).isTrue();
        assertThat(udp.destinationPort()).isEqualTo(4789);
        assertThat(walker.find(udp, 1)).isTrue();
        assertThat(udp.destinationPort()).isEqualTo(5062);
        assertThat(walker.find(udp, 2)).isFalse();
        assertThat(walker.find(udp, -1)).isFalse();
        assertThat(udp.destinationPort()).as("stays where it was").isEqualTo(5062);
        assertThat(walker.find(udp)).isTrue();
        assertThat(walker.findLast(udp)).isTrue();
        assertThat(udp.destinationPort()).isEqualTo(5062);
        assertThat(walker.find(new TcpView())).isFalse();
        assertThat(walker.findLast(new TcpView())).isFalse();
    }

    @Test
    void reportsWhereALayerIsAndTheHowManyth() {
        PacketWalker walker = GoldenFrame.of("vxlan").walk();

        assertThat(walker.has(LayerType.VXLAN)).isTrue();
        assertThat(walker.has(LayerType.GENEVE)).isFalse();
        assertThat(walker.indexOf(LayerType.IPV4, 0)).isEqualTo(walker.indexOf(LayerType.IPV4));
        assertThat(walker.indexOf(LayerType.IPV4, 1)).isEqualTo(walker.lastIndexOf(LayerType.IPV4));
        assertThat(walker.indexOf(LayerType.IPV4, 2)).isEqualTo(-1);
        assertThat(walker.indexOf(LayerType.IPV4, -1)).isEqualTo(-1);
    }

    @Test
    void readsTagsOfCustomersAndProvidersByOneView() {
        PacketWalker walker = GoldenFrame.of("serviceVlan").walk();
        VlanView tag = new VlanView();

        assertThat(walker.find(tag, 1)).isTrue();
        assertThat(walker.count(LayerType.VLAN)).isEqualTo(1);
        assertThat(walker.find(tag, 2)).isFalse();
    }

    @Test
    void knowsWhatIsInASet() {
        LayerSet set = LayerSet.of(LayerType.ETHERNET, LayerType.PAYLOAD, LayerType.UDP);
        for (LayerType type : LayerType.values()) {
            assertThat(set.contains(type))
                    .isEqualTo(type == LayerType.ETHERNET || type == LayerType.PAYLOAD || type == LayerType.UDP);
        }
        assertThat(set).hasToString("ethernet udp payload");
    }

    @Test
    void findsAndReportsWithoutAllocation() {
        MemorySegment[] segments =
                GoldenFrame.all().stream().map(GoldenFrame::segment).toArray(MemorySegment[]::new);
        int[] linkTypes =
                GoldenFrame.all().stream().mapToInt(GoldenFrame::linkType).toArray();
        long[] sum = new long[1];
        LayerHandlers handlers = new LayerHandlers()
                .on(new UdpView(), (udp, walker, layer) -> sum[0] += udp.length())
                .on(new TcpView(), (tcp, walker, layer) -> sum[0] += tcp.window())
                .on(LayerType.IPV6, (segment, offset, length, walker) -> sum[0] += length);
        PacketWalker walker = new PacketWalker();
        UdpView udp = new UdpView();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 30; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int round = 0; round < 100; round++) {
                for (int i = 0; i < segments.length; i++) {
                    int length = (int) segments[i].byteSize();
                    walker.walk(segments[i], 0, length, length, linkTypes[i], LayerSet.TCP_OR_UDP);
                    sum[0] += walker.find(udp) ? udp.sourcePort() : 0;
                    walker.walk(segments[i], 0, length, length, linkTypes[i]);
                    sum[0] += handlers.dispatch(walker);
                }
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }

        assertThat(sum[0]).isNotZero();
        // asking for the figure may itself allocate a little; a hundred rounds of all frames may not add to it
        assertThat(least).isLessThan(1_000);
    }
}
