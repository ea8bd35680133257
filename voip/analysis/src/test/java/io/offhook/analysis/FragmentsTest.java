package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.StreamReport;
import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Encapsulation;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.IpFragments;
import io.offhook.testkit.traffic.Link;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RTP in IP fragments, inside and outside of tunnels. */
class FragmentsTest {
    private static final int PACKETS = 40;
    private static final Endpoint NEAR = Endpoint.ofIpv4(0x0a63_0001, 0);
    private static final Endpoint FAR = Endpoint.ofIpv4(0x0a63_0002, 0);

    private static AnalysisResult analyse(List<Frame> frames, int lanes) {
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(lanes).withRtpHeuristic(true);
        return Analysis.run(new MemorySource(frames, 7), options);
    }

    private static void assertWholeStream(AnalysisResult result) {
        assertThat(result.streams()).hasSize(1);
        StreamReport stream = result.streams().getFirst();
        assertThat(stream.statistics().packets()).isEqualTo(PACKETS);
        assertThat(stream.statistics().lost()).isZero();
        assertThat(stream.statistics().reordered()).isZero();
        assertThat(stream.statistics().duplicates()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"IN_ORDER, false", "REVERSED, false", "IN_ORDER, true", "REVERSED, true"})
    void keepTheirOrderAmongWholePackets(IpFragments.Style style, boolean ipv6) {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            int number = i;
            frames.addAll(Frames.rtp(i, number % 3 == 0 ? 1600 : 160, ipv6, tap -> tap.fragmented(1280, style)));
        }
        assertThat(frames.size()).isEqualTo(PACKETS + 14);
        assertWholeStream(analyse(frames, 1));
        assertWholeStream(analyse(frames, 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gre", "ipInIp", "vxlan", "geneve", "gtpU"})
    void ofATunnelsOuterPacketAreReadOnceTheyArePutTogether(String name) {
        Encapsulation tunnel = switch (name) {
            case "gre" -> Encapsulation.gre(NEAR, FAR, -1);
            case "ipInIp" -> Encapsulation.ipInIp(NEAR, FAR);
            case "vxlan" -> Encapsulation.vxlan(NEAR, FAR, 12);
            case "geneve" -> Encapsulation.geneve(NEAR, FAR, 12);
            default -> Encapsulation.gtpU(NEAR, FAR, 9, false);
        };
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            frames.addAll(Frames.outerFragments(i, i % 2 == 0 ? 1480 : 160, tunnel, 1400));
        }
        assertThat(frames).hasSizeGreaterThan(PACKETS);
        AnalysisResult result = analyse(frames, 2);
        assertWholeStream(result);
        assertThat(result.streams().getFirst().source()).isEqualTo(Frames.SOURCE);
        assertThat(result.streams().getFirst().destination()).isEqualTo(Frames.DESTINATION);
    }

    @Test
    void insideFragmentsOfATunnelArePutTogetherToo() {
        Encapsulation tunnel = Encapsulation.gre(NEAR, FAR, 5);
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            byte[] inner = Frames.udp(Frames.SOURCE, Frames.DESTINATION, i, Frames.rtp(i, 1480));
            for (byte[] piece : IpFragments.split(inner, 1000, 100 + i)) {
                for (byte[] outer : IpFragments.split(tunnel.wrap(piece, true), 600, 1000 + frames.size())) {
                    byte[] frame = Link.ethernet().frame(outer, true);
                    frames.add(new Frame(Frames.timeNs(i), Link.ethernet().linkType(), frame, frame.length));
                }
            }
        }
        assertThat(frames).hasSizeGreaterThanOrEqualTo(PACKETS * 3);
        assertWholeStream(analyse(frames, 2));
    }

    /** Half of each datagram comes in a frame, half in fragments of the tunnel; all in one VLAN, or none. */
    @ParameterizedTest
    @ValueSource(ints = {0, 7})
    void ofATunnelBelongToTheVlanThatTheyCameIn(int vlan) {
        Encapsulation tunnel = Encapsulation.gre(NEAR, FAR, 5);
        Link link = vlan == 0 ? Link.ethernet() : Link.ethernet().vlan(vlan);
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            byte[] inner = Frames.udp(Frames.SOURCE, Frames.DESTINATION, i, Frames.rtp(i, 1480));
            List<byte[]> pieces = IpFragments.split(inner, 1000, 100 + i);
            for (int piece = 0; piece < pieces.size(); piece++) {
                int mtu = (i + piece) % 2 == 0 ? 1500 : 300;
                for (byte[] outer :
                        IpFragments.split(tunnel.wrap(pieces.get(piece), true), mtu, 1000 + frames.size())) {
                    byte[] frame = link.frame(outer, true);
                    frames.add(new Frame(Frames.timeNs(i), link.linkType(), frame, frame.length));
                }
            }
        }
        assertThat(frames).hasSizeGreaterThanOrEqualTo(PACKETS * 3);
        assertWholeStream(analyse(frames, 2));
    }

    @Test
    void thatStayIncompleteAreCountedWithTheirPlace() {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            frames.addAll(Frames.rtp(i, 160, false, tap -> {}));
        }
        frames.addAll(Frames.rtp(5, 1600, false, tap -> tap.fragmented(1280, IpFragments.Style.LAST_MISSING)));
        AnalysisResult result = analyse(frames, 1);
        assertThat(result.streams().getFirst().statistics().packets()).isEqualTo(5);
        assertThat(result.capture().counters()).anySatisfy(counter -> {
            assertThat(counter.name()).isEqualTo("fragmentDatagramsUnfinished");
            assertThat(counter.count()).isEqualTo(1);
            assertThat(counter.firstFrame()).isEqualTo(6);
        });
    }
}
