package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * One line about a walked packet, of its innermost layers: "192.0.2.1:5060 -> 192.0.2.2:5060 UDP 512 bytes". For output:
 * it makes strings. Not thread-safe.
 */
public final class PacketSummary {
    private static final String[] TCP_FLAGS = {"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"};

    private final ArpView arp = new ArpView();
    private final EthernetView ethernet = new EthernetView();

    /** Ready for any packet. */
    public PacketSummary() {}

    /** The line, without an end of line. */
    public String of(PacketWalker walker) {
        StringBuilder line = new StringBuilder(96);
        if (walker.network() >= 0 && walker.lastIndexOf(LayerType.ARP) < walker.network()) {
            network(walker, line);
        } else {
            link(walker, line);
        }
        stop(walker, line);
        return line.toString();
    }

    private void network(PacketWalker walker, StringBuilder line) {
        boolean hasPorts = hasPorts(walker);
        Endpoint source = new Endpoint(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort());
        Endpoint destination =
                new Endpoint(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort());
        line.append(hasPorts ? source.toString() : source.addressText());
        line.append(" -> ");
        line.append(hasPorts ? destination.toString() : destination.addressText());
        if (walker.transport() < 0) {
            line.append(walker.isFragment() ? " fragment of " : " ").append(protocolName(walker.protocol()));
        } else {
            transport(walker, line);
        }
        if (walker.isFragment() && walker.transport() >= 0) {
            line.append(" first fragment");
        }
        line.append(' ').append(walker.payloadWireLength()).append(" bytes");
    }

    private static boolean hasPorts(PacketWalker walker) {
        if (walker.transport() < 0) {
            return false;
        }
        LayerType type = walker.layerType(walker.transport());
        return type == LayerType.UDP || type == LayerType.TCP || type == LayerType.SCTP;
    }

    private static void transport(PacketWalker walker, StringBuilder line) {
        MemorySegment segment = walker.segment();
        long header = walker.layerOffset(walker.transport());
        switch (walker.layerType(walker.transport())) {
            case TCP -> tcp(segment, header, line);
            case UDP -> line.append(" UDP");
            case SCTP -> line.append(" SCTP");
            case ICMP -> line.append(" ICMP ").append(icmpText(segment, header));
            case ICMPV6 -> line.append(" ICMPv6 ").append(icmpv6Text(segment, header));
            default -> throw new AssertionError(walker.transport());
        }
    }

    private static void tcp(MemorySegment segment, long header, StringBuilder line) {
        line.append(" TCP");
        int flags = NetworkOrder.u8(segment, header + 13);
        for (int i = 0; i < TCP_FLAGS.length; i++) {
            if ((flags & 1 << i) != 0) {
                line.append(' ').append(TCP_FLAGS[i]);
            }
        }
        line.append(" seq ").append(NetworkOrder.u32(segment, header + 4));
        if ((flags & TcpView.ACK) != 0) {
            line.append(" ack ").append(NetworkOrder.u32(segment, header + 8));
        }
    }

    private static String icmpText(MemorySegment segment, long header) {
        int type = NetworkOrder.u8(segment, header);
        int code = NetworkOrder.u8(segment, header + 1);
        return switch (type) {
            case IcmpView.ECHO_REPLY -> "echo reply";
            case IcmpView.ECHO_REQUEST -> "echo request";
            case IcmpView.DESTINATION_UNREACHABLE -> "destination unreachable code " + code;
            case IcmpView.REDIRECT -> "redirect";
            case IcmpView.TIME_EXCEEDED -> "time exceeded";
            default -> "type " + type + " code " + code;
        };
    }

    private static String icmpv6Text(MemorySegment segment, long header) {
        int type = NetworkOrder.u8(segment, header);
        int code = NetworkOrder.u8(segment, header + 1);
        return switch (type) {
            case Icmpv6View.DESTINATION_UNREACHABLE -> "destination unreachable code " + code;
            case Icmpv6View.PACKET_TOO_BIG -> "packet too big";
            case Icmpv6View.TIME_EXCEEDED -> "time exceeded";
            case Icmpv6View.ECHO_REQUEST -> "echo request";
            case Icmpv6View.ECHO_REPLY -> "echo reply";
            case Icmpv6View.NEIGHBOR_SOLICITATION -> "neighbor solicitation";
            case Icmpv6View.NEIGHBOR_ADVERTISEMENT -> "neighbor advertisement";
            default -> "type " + type + " code " + code;
        };
    }

    private static String protocolName(int protocol) {
        return switch (protocol) {
            case IpProtocols.ICMP -> "ICMP";
            case 2 -> "IGMP";
            case CommonPath.PROTOCOL_TCP -> "TCP";
            case CommonPath.PROTOCOL_UDP -> "UDP";
            case IpProtocols.GRE -> "GRE";
            case IpProtocols.ESP -> "ESP";
            case IpProtocols.ICMPV6 -> "ICMPv6";
            case IpProtocols.NO_NEXT -> "no next header";
            case 88 -> "EIGRP";
            case 89 -> "OSPF";
            case 103 -> "PIM";
            case 112 -> "VRRP";
            case IpProtocols.SCTP -> "SCTP";
            default -> "protocol " + protocol;
        };
    }

    private void link(PacketWalker walker, StringBuilder line) {
        int arpLayer = walker.lastIndexOf(LayerType.ARP);
        if (arpLayer >= 0 && arp(walker, arpLayer, line)) {
            return;
        }
        int etherLayer = walker.lastIndexOf(LayerType.ETHERNET);
        if (etherLayer >= 0) {
            ethernet.wrap(walker.segment(), walker.layerOffset(etherLayer), walker.layerLength(etherLayer));
            line.append(MacAddress.text(ethernet.source()))
                    .append(" -> ")
                    .append(MacAddress.text(ethernet.destination()));
            line.append(' ');
        }
        int last = lastHeader(walker);
        if (last < 0) {
            line.append(walker.payloadWireLength()).append(" bytes");
            return;
        }
        line.append(walker.layerType(last).label());
        int type = lastEtherType(walker, last);
        if (type > EthernetView.MAX_LENGTH_FIELD) {
            line.append(String.format(Locale.ROOT, " type 0x%04x", type));
        }
        line.append(' ').append(walker.payloadWireLength()).append(" bytes");
    }

    private static int lastHeader(PacketWalker walker) {
        int last = walker.layerCount() - 1;
        return last >= 0 && walker.layerType(last) == LayerType.PAYLOAD ? last - 1 : last;
    }

    private static int lastEtherType(PacketWalker walker, int layer) {
        MemorySegment segment = walker.segment();
        long header = walker.layerOffset(layer);
        return switch (walker.layerType(layer)) {
            case ETHERNET -> NetworkOrder.u16(segment, header + 12);
            case VLAN, SERVICE_VLAN -> NetworkOrder.u16(segment, header + 2);
            case LINUX_SLL -> NetworkOrder.u16(segment, header + 14);
            case LINUX_SLL2 -> NetworkOrder.u16(segment, header);
            default -> 0;
        };
    }

    private boolean arp(PacketWalker walker, int layer, StringBuilder line) {
        WrapStatus status = arp.wrap(walker.segment(), walker.layerOffset(layer), walker.layerLength(layer));
        if (status != WrapStatus.OK || !arp.isEthernetIpv4()) {
            return false;
        }
        String sender = Endpoint.ofIpv4((int) arp.senderProtocol(), 0).addressText();
        String target = Endpoint.ofIpv4((int) arp.targetProtocol(), 0).addressText();
        switch (arp.operation()) {
            case ArpView.REQUEST ->
                line.append("ARP who has ").append(target).append("? tell ").append(sender);
            case ArpView.REPLY ->
                line.append("ARP ").append(sender).append(" is at ").append(MacAddress.text(arp.senderHardware()));
            case ArpView.REVERSE_REQUEST ->
                line.append("RARP who is ")
                        .append(MacAddress.text(arp.targetHardware()))
                        .append('?');
            case ArpView.REVERSE_REPLY ->
                line.append("RARP ")
                        .append(MacAddress.text(arp.targetHardware()))
                        .append(" is ")
                        .append(target);
            default -> line.append("ARP operation ").append(arp.operation());
        }
        return true;
    }

    private static void stop(PacketWalker walker, StringBuilder line) {
        switch (walker.stop()) {
            case COMPLETE, UNSUPPORTED -> {}
            case TRUNCATED ->
                line.append(" [")
                        .append(walker.stopLayer().label())
                        .append(" cut off: ")
                        .append(walker.had())
                        .append(" of ")
                        .append(walker.needed())
                        .append(" bytes]");
            case MALFORMED ->
                line.append(" [").append(walker.stopLayer().label()).append(" malformed]");
            case TOO_DEEP ->
                line.append(" [more than ").append(walker.layerCount()).append(" layers]");
        }
        if (walker.isSnapped() && walker.stop() == PacketWalker.Stop.COMPLETE) {
            line.append(" [").append(walker.payloadLength()).append(" captured]");
        }
    }
}
