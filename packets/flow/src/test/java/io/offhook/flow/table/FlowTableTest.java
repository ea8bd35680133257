package io.offhook.flow.table;

import static io.offhook.flow.FlowWire.ACK;
import static io.offhook.flow.FlowWire.CLIENT;
import static io.offhook.flow.FlowWire.FIN;
import static io.offhook.flow.FlowWire.MS;
import static io.offhook.flow.FlowWire.RST;
import static io.offhook.flow.FlowWire.SERVER;
import static io.offhook.flow.FlowWire.SYN;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.FlowHash;
import io.offhook.flow.FlowWire;
import io.offhook.flow.tcp.TcpFlow;
import io.offhook.flow.tcp.TcpState;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows: what belongs together, what is counted, when they end. */
class FlowTableTest {
    private static final Endpoint A6 = CommunityIdTest.endpoint("2001:db8::1", 1000);
    private static final Endpoint B6 = CommunityIdTest.endpoint("2001:db8::2", 2000);
    private final FlowWire wire = new FlowWire();

    private List<Flow> flows() {
        wire.table.flush();
        return wire.ended.stream().map(FlowWire.Ended::flow).toList();
    }

    private Flow only() {
        List<Flow> flows = flows();
        assertThat(flows).hasSize(1);
        return flows.getFirst();
    }

    @Test
    void countsBothDirectionsOfOneFlow() {
        wire.udp(CLIENT, SERVER, 100);
        wire.udp(SERVER, CLIENT, 50);
        wire.udp(CLIENT, SERVER, 10);
        Flow flow = only();
        assertThat(flow.key().toString()).isEqualTo("UDP 10.0.0.1:40000 > 10.0.0.2:5060");
        assertThat(flow.forwardPackets()).isEqualTo(2);
        assertThat(flow.reversePackets()).isEqualTo(1);
        assertThat(flow.forwardBytes()).isEqualTo(2 * 42 + 110);
        assertThat(flow.reverseBytes()).isEqualTo(42 + 50);
        assertThat(flow.packets()).isEqualTo(3);
        assertThat(flow.bytes()).isEqualTo(3 * 42 + 160);
        assertThat(flow.firstFrameNumber()).isEqualTo(1);
        assertThat(flow.lastFrameNumber()).isEqualTo(3);
        assertThat(flow.earliestNs()).isEqualTo(FlowWire.START_NS);
        assertThat(flow.latestNs()).isEqualTo(FlowWire.START_NS + 2 * MS);
        assertThat(flow.tcp()).isNull();
    }

    @Test
    void knowsBothFamiliesAndAFlowToOneself() {
        wire.udp(A6, B6, 1);
        wire.udp(B6, A6, 1);
        wire.udp(CLIENT, CLIENT, 1);
        wire.udp(CLIENT, CLIENT, 1);
        // an IPv6 address that looks like an IPv4 one is not that one
        wire.udp(CLIENT.withPort(7), SERVER.withPort(8), 1);
        assertThat(flows().stream().map(flow -> flow.key() + " " + flow.forwardPackets() + " " + flow.reversePackets()))
                .containsExactlyInAnyOrder(
                        "UDP [2001:db8::1]:1000 > [2001:db8::2]:2000 1 1",
                        "UDP 10.0.0.1:40000 > 10.0.0.1:40000 2 0",
                        "UDP 10.0.0.1:7 > 10.0.0.2:8 1 0");
    }

    @Test
    void keepsProtocolsAndPortsApart() {
        wire.udp(CLIENT, SERVER, 1);
        wire.client(1, ACK, 1, 0);
        wire.udp(CLIENT.withPort(40_001), SERVER, 1);
        wire.other(CLIENT, SERVER, 89);
        wire.other(SERVER, CLIENT, 89);
        assertThat(flows().stream().map(flow -> flow.key().toString()))
                .containsExactlyInAnyOrder(
                        "UDP 10.0.0.1:40000 > 10.0.0.2:5060",
                        "TCP 10.0.0.1:40000 > 10.0.0.2:5060",
                        "UDP 10.0.0.1:40001 > 10.0.0.2:5060",
                        "OSPF 10.0.0.1 > 10.0.0.2");
    }

    @Test
    void keepsVlansApart() {
        wire.udp(CLIENT, SERVER, 1);
        wire.vlans = List.of(7);
        wire.udp(CLIENT, SERVER, 1);
        wire.vlans = List.of(7, 9);
        wire.udp(CLIENT, SERVER, 1);
        wire.vlans = List.of(9, 7);
        wire.udp(CLIENT, SERVER, 1);
        wire.vlans = List.of(0); // a tag for priority only
        wire.udp(SERVER, CLIENT, 1);
        wire.vlans = List.of(7);
        wire.udp(SERVER, CLIENT, 1);
        List<Flow> flows = flows();
        assertThat(flows.stream().map(flow -> flow.key().path() + ":" + flow.packets()))
                .containsExactlyInAnyOrder(":2", "vlan 7:2", "vlan 7, vlan 9:1", "vlan 9, vlan 7:1");
    }

    @Test
    void reportsTunnelsByTheirNetworkOrTheirEnds() {
        wire.outerSource = 1;
        wire.outerDestination = 2;
        wire.udp(CLIENT, SERVER, 1);
        wire.outerSource = 2;
        wire.outerDestination = 1;
        wire.udp(SERVER, CLIENT, 1);
        wire.outerDestination = 3;
        wire.udp(SERVER, CLIENT, 1);
        wire.vni = 42;
        wire.udp(CLIENT, SERVER, 1);
        wire.outerSource = 9;
        wire.udp(SERVER, CLIENT, 1); // from another end of the same network
        wire.vni = 43;
        wire.udp(SERVER, CLIENT, 1);
        assertThat(flows().stream().map(flow -> flow.key().path() + ":" + flow.packets()))
                .containsExactlyInAnyOrder(
                        "ip 192.0.2.1-192.0.2.2:2", "ip 192.0.2.2-192.0.2.3:1", "vxlan 42:2", "vxlan 43:1");
    }

    @Test
    void takesAnEchoAndItsReplyForOneFlow() {
        wire.icmp(CLIENT, SERVER, 8, 0);
        wire.icmp(SERVER, CLIENT, 0, 0);
        wire.icmp(SERVER, CLIENT, 8, 0); // asked the other way round: the same pair of types, from the other end
        wire.icmp(CLIENT, SERVER, 3, 1);
        wire.icmp(CLIENT, SERVER, 3, 1);
        wire.icmp(CLIENT, SERVER, 3, 3);
        wire.icmp(SERVER, CLIENT, 3, 3);
        assertThat(flows().stream().map(flow -> flow.forwardPackets() + "/" + flow.reversePackets()))
                .containsExactly("1/1", "1/0", "2/0", "1/0", "1/0");
    }

    @Test
    void countsWhatHasNoIp() {
        assertThat(wire.arp()).isNull();
        wire.udp(CLIENT, SERVER, 1);
        assertThat(wire.table.count(FlowCounter.PACKETS)).isEqualTo(2);
        assertThat(wire.table.count(FlowCounter.NOT_IP)).isEqualTo(1);
        assertThat(wire.table.placed(FlowCounter.NOT_IP).firstFrame()).isEqualTo(1);
        assertThat(wire.table.count(FlowCounter.FLOWS)).isEqualTo(1);
    }

    @Test
    void givesLaterFragmentsToTheFlowOfTheFirst() {
        wire.identification = 77;
        wire.isMore = true;
        Flow flow = Objects.requireNonNull(wire.udp(CLIENT, SERVER, 64));
        wire.fragmentOffset = 72;
        wire.isMore = false;
        assertThat(wire.udp(CLIENT, SERVER, 64)).isSameAs(flow);
        wire.identification = 78; // of another datagram, whose first fragment is not there
        Flow other = Objects.requireNonNull(wire.udp(CLIENT, SERVER, 64));
        assertThat(other).isNotSameAs(flow);
        assertThat(other.key().hasPorts()).isFalse();
        assertThat(wire.table.count(FlowCounter.FRAGMENTS_WITHOUT_PORTS)).isEqualTo(1);
        assertThat(flow.packets()).isEqualTo(2);
        assertThat(flow.fragments()).isEqualTo(2);
        assertThat(flow.forwardPackets()).isEqualTo(2);
    }

    @Test
    void neverChangesAFlowThatEnded() {
        FlowWire small = new FlowWire(new FlowLimits(1, 1000 * MS, Long.MAX_VALUE));
        small.identification = 5;
        small.isMore = true;
        Flow flow = Objects.requireNonNull(small.udp(CLIENT, SERVER, 64));
        small.identification = 6;
        small.udp(CLIENT.withPort(1), SERVER, 64);
        small.identification = 5;
        small.fragmentOffset = 72;
        assertThat(small.udp(CLIENT, SERVER, 64)).isNotSameAs(flow);
        assertThat(flow.packets()).isEqualTo(1);
    }

    @Test
    void endsAFlowThatIsIdle() {
        FlowWire slow = new FlowWire(new FlowLimits(10, 100 * MS, Long.MAX_VALUE));
        slow.udp(CLIENT, SERVER, 1);
        slow.nowNs += 99 * MS;
        slow.udp(SERVER, CLIENT, 1);
        slow.nowNs += 100 * MS;
        slow.udp(CLIENT, SERVER, 1);
        assertThat(slow.ended).hasSize(1);
        assertThat(slow.ended.getFirst().reason()).isEqualTo(FlowHandler.End.IDLE);
        assertThat(slow.ended.getFirst().flow().packets()).isEqualTo(2);
        // packets of others end it after twice the time only: it is its own packets that count
        slow.nowNs += 150 * MS;
        slow.udp(CLIENT.withPort(9), SERVER, 1);
        assertThat(slow.ended).hasSize(1);
        slow.nowNs += 60 * MS;
        slow.udp(CLIENT.withPort(9), SERVER, 1);
        assertThat(slow.ended).hasSize(2);
        assertThat(slow.table.count(FlowCounter.IDLE)).isEqualTo(2);
        assertThat(slow.table.size()).isEqualTo(1);
    }

    @Test
    void reportsALongFlowInParts() {
        FlowWire hard = new FlowWire(new FlowLimits(10, 1000 * MS, 100 * MS));
        for (int i = 0; i < 250; i++) {
            hard.udp(CLIENT, SERVER, 1);
        }
        assertThat(hard.ended.stream().map(FlowWire.Ended::reason))
                .containsExactly(FlowHandler.End.HARD_TIMEOUT, FlowHandler.End.HARD_TIMEOUT);
        assertThat(hard.ended.getFirst().flow().packets()).isEqualTo(101);
        hard.table.flush();
        assertThat(hard.ended.stream().mapToLong(one -> one.flow().packets()).sum())
                .isEqualTo(250);
    }

    @Test
    void letsTheFlowGoThatIsLongestWithoutAPacket() {
        FlowWire small = new FlowWire(new FlowLimits(3, 1_000_000 * MS, Long.MAX_VALUE));
        for (int port = 1; port <= 3; port++) {
            small.udp(CLIENT.withPort(port), SERVER, 1);
        }
        small.nowNs += 1100 * MS;
        small.udp(CLIENT.withPort(1), SERVER, 1);
        small.udp(CLIENT.withPort(4), SERVER, 1);
        small.udp(CLIENT.withPort(5), SERVER, 1);
        assertThat(small.ended.stream()
                        .map(one -> one.reason() + " " + one.flow().source().port()))
                .containsExactly("EVICTED 2", "EVICTED 3");
        assertThat(small.table.size()).isEqualTo(3);
        assertThat(small.table.placed(FlowCounter.EVICTED).firstFrame()).isEqualTo(2);
    }

    @Test
    void followsAConnectionFromSynToBothFins() {
        TcpFlow tcp = Objects.requireNonNull(
                Objects.requireNonNull(wire.client(1000, SYN, 0, 0)).tcp());
        assertThat(tcp.state()).isEqualTo(TcpState.SYN_SENT);
        wire.nowNs += 9 * MS;
        wire.server(5000, SYN | ACK, 1001, 0);
        assertThat(tcp.state()).isEqualTo(TcpState.SYN_RECEIVED);
        wire.nowNs += 4 * MS;
        wire.client(1001, ACK, 5001, 0);
        assertThat(tcp.state()).isEqualTo(TcpState.ESTABLISHED);
        assertThat(tcp.handshakeRoundTripNs()).isEqualTo(15 * MS);
        assertThat(tcp.roundTripToDestination().lastNs()).isEqualTo(10 * MS);
        assertThat(tcp.roundTripToSource().lastNs()).isEqualTo(5 * MS);
        wire.client(1001, ACK, 5001, 100);
        wire.server(5001, ACK | FIN, 1101, 20);
        assertThat(tcp.state()).isEqualTo(TcpState.HALF_CLOSED);
        wire.client(1101, ACK | FIN, 5022, 0);
        assertThat(tcp.state()).isEqualTo(TcpState.CLOSING);
        wire.server(5022, ACK, 1102, 0);
        assertThat(tcp.state()).isEqualTo(TcpState.CLOSED);
        wire.client(1102, RST, 0, 0);
        assertThat(tcp.state()).isEqualTo(TcpState.CLOSED);
        Flow flow = only();
        assertThat(flow.packets()).isEqualTo(8);
        assertThat(tcp.payloadBytes(true)).isEqualTo(100);
        assertThat(tcp.payloadBytes(false)).isEqualTo(20);
        assertThat(tcp.flags(true)).isEqualTo(SYN | ACK | FIN | RST);
    }

    @Test
    void takesWhoSentTheSynForTheSource() {
        wire.server(5000, SYN | ACK, 1001, 0);
        wire.client(1001, ACK, 5001, 0);
        Flow flow = only();
        assertThat(flow.source()).isEqualTo(CLIENT);
        assertThat(flow.forwardPackets()).isEqualTo(1);
        assertThat(flow.reversePackets()).isEqualTo(1);
        assertThat(Objects.requireNonNull(flow.tcp()).flags(true)).isEqualTo(ACK);
    }

    @Test
    void seesASimultaneousOpen() {
        wire.client(1000, SYN, 0, 0);
        wire.server(5000, SYN, 0, 0);
        wire.client(1000, SYN | ACK, 5001, 0);
        wire.server(5000, SYN | ACK, 1001, 0);
        Flow flow = only();
        assertThat(Objects.requireNonNull(flow.tcp()).state()).isEqualTo(TcpState.ESTABLISHED);
        assertThat(flow.packets()).isEqualTo(4);
    }

    @Test
    void picksUpAConnectionInTheMiddle() {
        wire.client(77, ACK, 99, 10);
        wire.server(99, ACK, 87, 10);
        assertThat(Objects.requireNonNull(only().tcp()).state()).isEqualTo(TcpState.MID_STREAM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"closed", "reset", "quiet"})
    void beginsAnotherFlowWhenPortsAreUsedAgain(String how) {
        wire.handshake();
        switch (how) {
            case "closed" -> {
                wire.client(1001, ACK | FIN, 5001, 0);
                wire.server(5001, ACK | FIN, 1002, 0);
                wire.client(1002, ACK, 5002, 0);
            }
            case "reset" -> wire.server(5001, RST, 0, 0);
            default -> wire.nowNs += 2000 * MS;
        }
        wire.client(900_000, SYN, 0, 0);
        assertThat(wire.ended.stream().map(FlowWire.Ended::reason)).containsExactly(FlowHandler.End.REUSED);
        assertThat(flows()).hasSize(2);
    }

    @Test
    void takesASynAmongDataForPartOfTheFlow() {
        wire.handshake();
        wire.client(1001, ACK, 5001, 100);
        wire.client(1000, SYN, 0, 0); // captured late
        wire.client(4711, SYN, 0, 0); // of whom it may be
        wire.server(5001, ACK, 1101, 0);
        assertThat(flows()).hasSize(1);
        assertThat(wire.ended.getFirst().flow().packets()).isEqualTo(7);
    }

    @Test
    void hashesBothDirectionsAlikeInEveryRun() {
        FlowView view = new FlowView();
        wire.isWithoutTable = true;
        wire.udp(CLIENT, SERVER, 1);
        assertThat(view.wrap(wire.walker)).isEqualTo(WrapStatus.OK);
        long hash = view.hash();
        assertThat(view.key().communityId()).isEqualTo("1:58Mz9qsJYCYOiH26fa+IoFSXpRo=");
        wire.udp(SERVER, CLIENT, 1);
        assertThat(view.wrap(wire.walker)).isEqualTo(WrapStatus.OK);
        assertThat(view.hash()).isEqualTo(hash);
        assertThat(hash).isEqualTo(FlowHash.of(0, CLIENT.low(), 40_000, 0, SERVER.low(), 5060, 17));
        wire.arp();
        assertThat(view.wrap(wire.walker)).isEqualTo(WrapStatus.UNSUPPORTED);
    }

    @Test
    void readsThePortsOfAHeaderInAFragmentThatIsTooSmallForIt() {
        wire.identification = 9;
        wire.isMore = true;
        wire.isWithoutTable = true;
        wire.client(1000, SYN, 0, 4);
        NetworkOrder.putU16(wire.frame, 16, 20 + 8); // of its TCP header the first 8 bytes
        wire.walker.walk(wire.frame, 0, 42, 42, LinkType.ETHERNET);
        Flow first = Objects.requireNonNull(wire.table.add(wire.walker, 42, FlowWire.START_NS, 1));
        assertThat(first.key().toString()).isEqualTo("TCP 10.0.0.1:40000 > 10.0.0.2:5060");
        NetworkOrder.putU16(wire.frame, 20, 1); // the rest of it: bytes that are no ports
        wire.walker.walk(wire.frame, 0, 42, 42, LinkType.ETHERNET);
        assertThat(wire.table.add(wire.walker, 42, FlowWire.START_NS, 2)).isSameAs(first);
        assertThat(wire.table.count(FlowCounter.FLOWS)).isEqualTo(1);
    }
}
