package io.offhook.packet.write;

import io.offhook.packet.LinkType;
import io.offhook.packet.link.ArpView;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.tunnel.GreView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A packet that {@link PacketWriter} made, and what a reader should find in it.
 *
 * @param written the writer's layers
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record WrittenSample(String name, int linkType, String layers, byte[] bytes, String written) {
    static final long MAC_A = 0x02_00_00_00_00_01L;
    static final long MAC_B = 0x02_00_00_00_00_02L;
    static final long A = 0xc000_0201L;
    static final long B = 0xc633_6402L;
    static final long A6 = 0x2001_0db8_0000_0000L;
    static final long B6 = 0x2001_0db8_0000_0001L;
    private static final byte[] ROUTER_ALERT = hex("05 02 0000");
    private static final byte[] PAYLOAD =
            "Some bytes, an odd number of them".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    @Override
    public String toString() {
        return name;
    }

    static WrittenSample of(String name, int linkType, String layers, UnaryOperator<PacketWriter> packet) {
        MemorySegment segment = Arena.ofAuto().allocate(2_000).fill((byte) 0xee);
        PacketWriter writer = packet.apply(new PacketWriter().begin(segment, 0));
        String written = writer.toString();
        int length = writer.finish();
        byte[] bytes = segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        return new WrittenSample(name, linkType, layers, bytes, written.substring(written.indexOf(':') + 2));
    }

    private static WrittenSample ethernet(String layers, UnaryOperator<PacketWriter> packet) {
        return of(layers, LinkType.ETHERNET, layers, w -> packet.apply(w.ethernet(MAC_A, MAC_B)));
    }

    private static PacketWriter udp(PacketWriter writer) {
        return writer.udp(5060, 50_001).payload(PAYLOAD);
    }

    private static PacketWriter ipv4(PacketWriter writer) {
        return writer.ipv4(A, B);
    }

    private static PacketWriter ipv6(PacketWriter writer) {
        return writer.ipv6(A6, 1, B6, 2);
    }

    /** The same packet with other bytes. */
    WrittenSample with(byte[] otherBytes) {
        return new WrittenSample(name, linkType, layers, otherBytes, written);
    }

    /** One packet of each kind. */
    public static List<WrittenSample> all() {
        List<WrittenSample> samples = new ArrayList<>();
        network(samples);
        links(samples);
        tunnels(samples);
        transports(samples);
        return samples;
    }

    private static void network(List<WrittenSample> samples) {
        samples.add(ethernet(
                "ethernet,ipv4,udp,payload",
                w -> udp(w.ipv4(A, B, ip -> ip.ttl(3).dscp(46).ecn(1)))));
        samples.add(ethernet(
                "ethernet,ipv6,udp,payload",
                w -> udp(w.ipv6(A6, 1, B6, 2, ip -> ip.hopLimit(9).flowLabel(5)))));
        samples.add(ethernet("ethernet,arp", w -> w.arp(ArpView.REQUEST, MAC_A, A, 0, B)));
        samples.add(ethernet("ethernet,ipv4,udp,payload", w -> udp(ipv4(w).ipv4Options(hex("94 04 00 00 01")))));
        samples.add(ethernet("ethernet,ipv6,ipv6.hopByHop,udp,payload", w -> udp(ipv6(w).hopByHop(ROUTER_ALERT))));
        samples.add(ethernet(
                "ethernet,ipv6,ipv6.destinationOptions,udp,payload",
                w -> udp(ipv6(w).destinationOptions(new byte[0]))));
        byte[] segments = hex("01 00 0000 20010db8000000010000000000000009 20010db8000000010000000000000002");
        samples.add(ethernet("ethernet,ipv6,ipv6.routing,udp,payload", w -> udp(ipv6(w).routing(4, 1, segments))));
        samples.add(ethernet(
                "ethernet,ipv6,ipv6.routing,tcp,payload",
                w -> ipv6(w).routing(4, 0, segments)
                        .tcp(50_000, 50_001, 1, 2, TcpView.ACK)
                        .payload(PAYLOAD)));
        samples.add(ethernet("ethernet,ipv6,ipv6.fragment,udp,payload", w -> udp(ipv6(w).fragment(0, false, 7))));
        samples.add(ethernet("ethernet,ipv4,ah,udp,payload", w -> udp(ipv4(w).authentication(9, 1, new byte[12]))));
        samples.add(ethernet("ethernet,ipv4,esp,payload", w -> ipv4(w).esp(5, 6).payload(new byte[32])));
        // what is summed up is where a source route ends, and the home of a mobile node
        samples.add(ethernet(
                "ethernet,ipv4,udp,payload", w -> udp(ipv4(w).ipv4Options(hex("83 0b 04 0a000009 0a00000a 00")))));
        samples.add(ethernet(
                "ethernet,ipv4,tcp,payload",
                w -> ipv4(w).ipv4Options(hex("89 07 08 0a000009 00"))
                        .tcp(50_000, 50_001, 1, 2, TcpView.ACK)
                        .payload(PAYLOAD)));
        samples.add(ethernet(
                "ethernet,ipv6,ipv6.destinationOptions,udp,payload",
                w -> udp(ipv6(w).destinationOptions(hex("01 02 0000 c9 10 20010db8000000070000000000000077")))));
        samples.add(ethernet(
                "ethernet,ipv6,ipv6.routing,icmpv6,payload",
                w -> ipv6(w).routing(2, 1, hex("00000000 20010db8000000010000000000000077"))
                        .icmpv6(Icmpv6View.ECHO_REQUEST, 0, 1)
                        .payload(PAYLOAD)));
    }

    private static void links(List<WrittenSample> samples) {
        samples.add(ethernet("ethernet,vlan,ipv4,udp,payload", w -> udp(ipv4(w.vlan(100, tag -> tag.priority(5))))));
        samples.add(ethernet(
                "ethernet,serviceVlan,vlan,ipv6,udp,payload",
                w -> udp(ipv6(w.serviceVlan(4094).vlan(1)))));
        samples.add(ethernet(
                "ethernet,mpls,mpls,ipv4,udp,payload",
                w -> udp(ipv4(w.mpls(16, 0, 64).mpls(1_048_575, 7, 1)))));
        samples.add(ethernet("ethernet,pppoe,ppp,ipv4,udp,payload", w -> udp(ipv4(w.pppoeSession(0x1234)))));
        samples.add(ethernet(
                "ethernet,pppoe,payload", w -> w.pppoeDiscovery(9, 0).payload(hex("0101 0000 0103 0004 01020304"))));
        samples.add(of(
                "snap",
                LinkType.ETHERNET,
                "ethernet,llc,ipv4,udp,payload",
                w -> udp(ipv4(w.ieee8023(MAC_A, MAC_B).snap()))));
        samples.add(of(
                "spanning tree",
                LinkType.ETHERNET,
                "ethernet,llc,stp",
                w -> w.ieee8023(MAC_A, 0x0180_c200_0000L)
                        .llc(0x42, 0x42, 3)
                        .payload(hex(
                                "0000 00 00 00 8000020000000001 00000000 8000020000000001 8001 0000 1400 0200 0f00"))));
        samples.add(of("ppp", LinkType.PPP, "ppp,ipv6,udp,payload", w -> udp(ipv6(w.ppp()))));
        samples.add(of("sll", LinkType.LINUX_SLL, "sll,ipv4,udp,payload", w -> udp(ipv4(w.sll(4, MAC_A)))));
        samples.add(of("sll2", LinkType.LINUX_SLL2, "sll2,ipv6,udp,payload", w -> udp(ipv6(w.sll2(0, 3, MAC_A)))));
        samples.add(of("null4", LinkType.NULL, "null,ipv4,udp,payload", w -> udp(ipv4(w.nullLoopback()))));
        samples.add(of("null6", LinkType.NULL, "null,ipv6,udp,payload", w -> udp(ipv6(w.nullLoopback()))));
        samples.add(of("raw4", LinkType.RAW, "ipv4,udp,payload", w -> udp(ipv4(w))));
        samples.add(of("raw6", LinkType.RAW, "ipv6,udp,payload", w -> udp(ipv6(w))));
    }

    private static void tunnels(List<WrittenSample> samples) {
        samples.add(ethernet("ethernet,ipv4,ipv4,udp,payload", w -> udp(ipv4(ipv4(w)))));
        samples.add(ethernet("ethernet,ipv4,ipv6,udp,payload", w -> udp(ipv6(ipv4(w)))));
        samples.add(ethernet("ethernet,ipv6,ipv4,udp,payload", w -> udp(ipv4(ipv6(w)))));
        samples.add(ethernet("ethernet,ipv4,gre,ipv4,udp,payload", w -> udp(ipv4(ipv4(w).gre()))));
        samples.add(ethernet(
                "ethernet,ipv4,gre,ipv6,udp,payload",
                w -> udp(ipv6(ipv4(w).gre(GreView.CHECKSUM | GreView.KEY | GreView.SEQUENCE, 42, 7)))));
        samples.add(ethernet(
                "ethernet,ipv4,gre,ethernet,ipv4,udp,payload",
                w -> udp(ipv4(ipv4(w).gre(GreView.KEY, 0x1234_5601L, 0).ethernet(MAC_B, MAC_A)))));
        samples.add(ethernet(
                "ethernet,ipv4,udp,vxlan,ethernet,ipv4,udp,payload",
                w -> udp(ipv4(ipv4(w).udp(50_000, PacketWriter.VXLAN_PORT)
                        .vxlan(0xabcdef)
                        .ethernet(MAC_B, MAC_A)))));
        samples.add(ethernet(
                "ethernet,ipv6,udp,vxlan,ipv6,tcp,payload",
                w -> ipv6(ipv6(w).udp(50_000, PacketWriter.VXLAN_GPE_PORT).vxlanGpe(1))
                        .tcp(50_000, 50_001, 1, 2, TcpView.ACK)
                        .payload(PAYLOAD)));
        samples.add(ethernet(
                "ethernet,ipv4,udp,geneve,ethernet,vlan,ipv4,udp,payload",
                w -> udp(ipv4(ipv4(w).udp(50_000, PacketWriter.GENEVE_PORT)
                        .checksum(0)
                        .geneve(10, hex("0102 03 01 deadbeef"))
                        .ethernet(MAC_B, MAC_A)
                        .vlan(7)))));
        samples.add(ethernet(
                "ethernet,ipv6,udp,vxlan,mpls,ipv4,udp,payload",
                w -> udp(ipv4(ipv6(w).udp(50_000, PacketWriter.VXLAN_GPE_PORT)
                        .vxlanGpe(2)
                        .mpls(17, 0, 9)))));
        samples.add(ethernet(
                "ethernet,ipv6,gre,mpls,ipv4,udp,payload",
                w -> udp(ipv4(ipv6(w).gre(GreView.CHECKSUM, 0, 0).mpls(18, 1, 3)))));
        samples.add(ethernet(
                "ethernet,ipv4,udp,gtpu,ipv4,udp,payload",
                w -> udp(ipv4(ipv4(w).udp(50_000, PacketWriter.GTP_U_PORT).gtpU(0x8000_0001L)))));
        samples.add(ethernet(
                "ethernet,ipv4,udp,gtpu,ipv6,udp,payload",
                w -> udp(ipv6(ipv4(w).udp(50_000, PacketWriter.GTP_U_PORT).gtpU(17, 65_535)))));
    }

    private static void transports(List<WrittenSample> samples) {
        samples.add(ethernet(
                "ethernet,ipv4,tcp",
                w -> ipv4(w).tcp(40_000, 50_001, 7, 0, TcpView.SYN)
                        .options()
                        .fastOpen(hex("0102030405060708"))
                        .userTimeout(120_000)
                        .multipath(0, 1, hex("81"))
                        .end()));
        samples.add(ethernet(
                "ethernet,ipv6,tcp,payload",
                w -> ipv6(w).tcp(40_000, 50_001, 7, 8, TcpView.ACK)
                        .options()
                        .md5Signature(new byte[16])
                        .authentication(1, 2, new byte[12])
                        .end()
                        .payload(PAYLOAD)));
        samples.add(ethernet(
                "ethernet,ipv4,tcp",
                w -> ipv4(w).tcp(40_000, 50_001, 0xffff_fff0L, 0, TcpView.SYN)
                        .options()
                        .maximumSegmentSize(1460)
                        .sackPermitted()
                        .timestamps(1, 0)
                        .noOperation()
                        .windowScale(7)
                        .end()));
        samples.add(ethernet(
                "ethernet,ipv6,tcp,payload",
                w -> ipv6(w).tcp(40_000, 50_001, 1, 2, TcpView.ACK | TcpView.PSH, tcp -> tcp.window(7))
                        .options()
                        .noOperation()
                        .noOperation()
                        .sack(10, 20)
                        .sack(30, 40)
                        .option(254, hex("0102 03"))
                        .end()
                        .payload(PAYLOAD)));
        samples.add(ethernet(
                "ethernet,ipv4,sctp,payload",
                w -> ipv4(w).sctp(5060, 50_001, 0xdead_beefL)
                        .sctpData(1, 2, 3, 0)
                        .payload(hex("41 42 43"))
                        .sctpData(2, 2, 4, 0)
                        .text("an even number")));
        samples.add(ethernet(
                "ethernet,ipv6,sctp,payload",
                w -> ipv6(w).sctp(5060, 50_001, 1).sctpChunk(4, 0).payload(hex("0001 000c 0102030405060708"))));
        samples.add(ethernet(
                "ethernet,ipv4,icmp,payload",
                w -> ipv4(w).icmp(IcmpView.ECHO_REQUEST, 0, 0x0001_0002).payload(PAYLOAD)));
        samples.add(ethernet(
                "ethernet,ipv6,icmpv6,payload",
                w -> ipv6(w).icmpv6(Icmpv6View.ECHO_REQUEST, 0, 0x0001_0002).payload(PAYLOAD)));
        samples.add(ethernet(
                "ethernet,ipv6,icmpv6,payload",
                w -> w.ipv6(A6, 1, 0xff02_0000_0000_0000L, 0x0000_0001_ff00_0002L, ip -> ip.hopLimit(255))
                        .icmpv6(Icmpv6View.NEIGHBOR_SOLICITATION, 0, 0)
                        .payload(hex("20010db8000000010000000000000002 0101 020000000001"))));
        samples.add(ethernet(
                "ethernet,ipv4,icmp,payload", w -> udp(ipv4(ipv4(w).icmp(IcmpView.DESTINATION_UNREACHABLE, 3, 0)))));
    }

    /** What {@code frames.tsv} has from another writer, made anew: the same bytes must come out. */
    static Map<String, UnaryOperator<PacketWriter>> golden() {
        byte[] hello = "hello world!".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        UnaryOperator<PacketWriter> ip4 =
                w -> w.ipv4(A, B, ip -> ip.identification(0x1234).dontFragment(false));
        UnaryOperator<PacketWriter> ip6 = w -> w.ipv6(
                A6, 1, A6, 2, ip -> ip.hopLimit(63).flowLabel(0x12345).dscp(46).ecn(0));
        UnaryOperator<PacketWriter> udp = w -> w.udp(5060, 5062).payload(hello);
        UnaryOperator<PacketWriter> link = w -> w.ethernet(MAC_A, MAC_B);
        return Map.ofEntries(
                Map.entry("udp", w -> udp.apply(ip4.apply(link.apply(w)))),
                Map.entry("vlanUdp6", w -> udp.apply(ip6.apply(link.apply(w).vlan(100, tag -> tag.priority(5))))),
                Map.entry(
                        "serviceVlan",
                        w -> udp.apply(ip4.apply(link.apply(w).serviceVlan(30).vlan(100)))),
                Map.entry("ipInIp", w -> udp.apply(ip4.apply(outer(link.apply(w))))),
                Map.entry("6in4", w -> udp.apply(ip6.apply(outer(link.apply(w))))),
                Map.entry("gre", w -> udp.apply(ip4.apply(outer(link.apply(w)).gre()))),
                Map.entry(
                        "greBridging",
                        w -> udp.apply(ip4.apply(link.apply(outer(link.apply(w)).gre())))),
                Map.entry(
                        "vxlan",
                        w -> udp.apply(ip4.apply(link.apply(outer(link.apply(w))
                                .udp(50_000, 4789)
                                .checksum(0)
                                .vxlan(42))))),
                Map.entry(
                        "vxlanGpe",
                        w -> udp.apply(ip4.apply(outer(link.apply(w))
                                .udp(50_000, 4790)
                                .checksum(0)
                                .vxlanGpe(42)))),
                Map.entry(
                        "gtpuPlain",
                        w -> udp.apply(ip6.apply(outer(link.apply(w))
                                .udp(50_000, 2152)
                                .checksum(0)
                                .gtpU(17)))),
                Map.entry(
                        "icmpEcho",
                        w -> ip4.apply(link.apply(w)).icmp(8, 0, 0x0001_0002).payload(hello)),
                Map.entry(
                        "tcp6",
                        w -> ip6.apply(link.apply(w))
                                .tcp(40_000, 5060, 1, 2, TcpView.ACK | TcpView.FIN, tcp -> tcp.window(0x2000))
                                .payload(hello)),
                Map.entry(
                        "tcpSyn",
                        w -> ip4.apply(link.apply(w))
                                .tcp(40_000, 5060, 0xffff_fff0L, 0, TcpView.SYN, tcp -> tcp.window(0x2000))
                                .options()
                                .maximumSegmentSize(1460)
                                .sackPermitted()
                                .timestamps(1, 2)
                                .noOperation()
                                .windowScale(7)
                                .end()),
                Map.entry(
                        "tcpSack",
                        w -> ip4.apply(link.apply(w))
                                .tcp(40_000, 5060, 1, 2, TcpView.ACK | TcpView.PSH, tcp -> tcp.window(0x2000))
                                .options()
                                .noOperation()
                                .noOperation()
                                .sack(10, 20)
                                .sack(30, 40)
                                .end()
                                .payload(hello)),
                Map.entry("sll", w -> udp.apply(ip4.apply(w.sll(0, MAC_A)))),
                Map.entry("sll2", w -> udp.apply(ip6.apply(w.sll2(4, 3, MAC_A)))),
                Map.entry("raw6", w -> udp.apply(ip6.apply(w))),
                Map.entry("ppp", w -> udp.apply(ip4.apply(w.ppp()))),
                Map.entry("nullBig", w -> udp.apply(ip6.apply(w.nullLoopback()))));
    }

    private static PacketWriter outer(PacketWriter writer) {
        return writer.ipv4(
                0x0a00_0001L, 0x0a00_0002L, ip -> ip.identification(0x1234).dontFragment(false));
    }
}
