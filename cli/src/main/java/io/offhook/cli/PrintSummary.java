package io.offhook.cli;

import io.offhook.packet.EthernetView;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.MacAddress;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PacketWalker;
import io.offhook.rtp.RtpView;
import java.util.Locale;

/**
 * One packet in a few words: who, to whom, the innermost protocol, and what it says. Addresses are those of the innermost
 * IP header, else of the link.
 *
 * <p>Packets are given in the order of the capture: what is RTP is learned from those before. Single-threaded.
 */
final class PrintSummary {
    private final PrintSip sip = new PrintSip();
    private final PrintUdp udp = new PrintUdp(sip);
    private final PrintTcp tcp = new PrintTcp(sip);
    private final PrintControl control = new PrintControl();
    private final PrintNeighbors neighbors = new PrintNeighbors();
    private final StringBuilder info = new StringBuilder(256);

    private String source = "";
    private String destination = "";
    private String protocol = "";

    /** Looks at a packet that was walked. */
    void describe(PacketWalker walker, int linkType) {
        info.setLength(0);
        if (walker.network() >= 0) {
            source = PrintControl.address(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort());
            destination =
                    PrintControl.address(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort());
            protocol = network(walker);
        } else {
            linkAddresses(walker);
            protocol = link(walker, linkType);
        }
        broken(walker);
    }

    private String network(PacketWalker walker) {
        int transport = walker.transport();
        if (walker.isFragment()) {
            return fragment(walker);
        }
        return transport < 0 ? other(walker) : transport(walker);
    }

    private String transport(PacketWalker walker) {
        LayerType type = walker.layerType(walker.transport());
        return switch (type) {
            case UDP -> udp.describe(walker, info);
            case TCP -> tcp.describe(walker, info);
            case SCTP -> {
                control.sctp(walker, info);
                yield "SCTP";
            }
            case ICMP, ICMPV6 -> {
                control.icmp(walker, info);
                yield type == LayerType.ICMP ? "ICMP" : "ICMPv6";
            }
            default -> type.label().toUpperCase(Locale.ROOT);
        };
    }

    /** The first fragment says what is in the datagram, the others where they belong. */
    private String fragment(PacketWalker walker) {
        String name;
        if (walker.transport() >= 0) {
            name = transport(walker);
            info.append(info.isEmpty() ? "" : ", ");
        } else {
            name = walker.layerType(walker.network()) == LayerType.IPV4 ? "IPv4" : "IPv6";
        }
        long header = walker.layerOffset(walker.network());
        long identification = NetworkOrder.u16(walker.segment(), header + 4);
        int position = NetworkOrder.u16(walker.segment(), header + 6);
        boolean isMore = (position & 0x2000) != 0;
        int offset = (position & 0x1fff) * 8;
        int extension = walker.lastIndexOf(LayerType.IPV6_FRAGMENT);
        if (extension > walker.network()) {
            long at = walker.layerOffset(extension);
            position = NetworkOrder.u16(walker.segment(), at + 2);
            isMore = (position & 1) != 0;
            offset = position & ~7;
            identification = NetworkOrder.u32(walker.segment(), at + 4);
        }
        info.append(isMore ? "fragment 0x" : "last fragment 0x");
        PrintText.appendHex(info, identification, extension > walker.network() ? 8 : 4);
        info.append(" at ").append(offset).append(", ");
        info.append(walker.networkPayloadLength()).append(" bytes");
        return name;
    }

    /** IP that carries nothing with ports. */
    private String other(PacketWalker walker) {
        for (int i = walker.layerCount() - 1; i > walker.network(); i--) {
            LayerType type = walker.layerType(i);
            if (type == LayerType.ESP) {
                info.append("SPI=0x");
                PrintText.appendHex(info, NetworkOrder.u32(walker.segment(), walker.layerOffset(i)), 8);
                info.append(" Seq=").append(NetworkOrder.u32(walker.segment(), walker.layerOffset(i) + 4));
                return "ESP";
            }
            String name = neighbors.describe(walker, i, info);
            if (name != null) {
                return name;
            }
            if (type == LayerType.GRE || type == LayerType.AUTHENTICATION || type == LayerType.GTP_U) {
                info.append(walker.payloadWireLength()).append(" bytes");
                return type.label().toUpperCase(Locale.ROOT);
            }
        }
        info.append("protocol ").append(walker.protocol());
        info.append(", ").append(walker.payloadWireLength()).append(" bytes");
        return walker.layerType(walker.network()) == LayerType.IPV4 ? "IPv4" : "IPv6";
    }

    private void linkAddresses(PacketWalker walker) {
        int ethernet = walker.lastIndexOf(LayerType.ETHERNET);
        source = "";
        destination = "";
        if (ethernet >= 0 && walker.layerHeaderLength(ethernet) >= EthernetView.LENGTH) {
            long header = walker.layerOffset(ethernet);
            destination = MacAddress.text(NetworkOrder.u48(walker.segment(), header));
            source = MacAddress.text(NetworkOrder.u48(walker.segment(), header + 6));
        }
    }

    private String link(PacketWalker walker, int linkType) {
        int arp = walker.lastIndexOf(LayerType.ARP);
        if (arp >= 0) {
            control.arp(walker, arp, info);
            return "ARP";
        }
        int innermost = walker.layerCount() - 1;
        while (innermost >= 0 && walker.layerType(innermost) == LayerType.PAYLOAD) {
            innermost--;
        }
        if (innermost < 0) {
            info.append("link type ").append(LinkType.name(linkType));
            return "data";
        }
        String name = neighbors.describe(walker, innermost, info);
        if (name != null) {
            return name;
        }
        info.append(walker.payloadWireLength()).append(" bytes");
        return switch (walker.layerType(innermost)) {
            case ETHERNET -> etherType(walker, innermost, 12);
            case VLAN -> etherType(walker, innermost, 2);
            case LINUX_SLL -> etherType(walker, innermost, 14);
            case LINUX_SLL2 -> etherType(walker, innermost, 0);
            case WLAN -> "802.11";
            default -> walker.layerType(innermost).label().toUpperCase(Locale.ROOT);
        };
    }

    private static String etherType(PacketWalker walker, int layer, int at) {
        if (walker.layerHeaderLength(layer) < at + 2) {
            return walker.layerType(layer).label();
        }
        int type = NetworkOrder.u16(walker.segment(), walker.layerOffset(layer) + at);
        return switch (type) {
            case 0x0806 -> "ARP";
            case 0x0800 -> "IPv4";
            case 0x86dd -> "IPv6";
            case 0x888e -> "EAPOL";
            case 0x88cc -> "LLDP";
            case 0x8809 -> "LACP";
            case 0x88f7 -> "PTP";
            case 0x9000 -> "LOOP";
            default -> type <= EthernetView.MAX_LENGTH_FIELD ? "802.3" : String.format(Locale.ROOT, "0x%04x", type);
        };
    }

    /** Says where a packet ends too early or has what cannot be. */
    private void broken(PacketWalker walker) {
        switch (walker.stop()) {
            case TRUNCATED -> stop(walker, " cut");
            case MALFORMED -> stop(walker, " malformed");
            case TOO_DEEP -> stop(walker, ": too many layers");
            case COMPLETE, UNSUPPORTED, REACHED -> {}
        }
    }

    private void stop(PacketWalker walker, String what) {
        info.append(info.isEmpty() ? "[" : " [")
                .append(walker.stopLayer().label())
                .append(what)
                .append(']');
    }

    String source() {
        return source;
    }

    String destination() {
        return destination;
    }

    /** "SIP", "RTP", "TCP"...: the innermost that is known. */
    String protocol() {
        return protocol;
    }

    /** What it says; valid until the next packet. Safe to show. */
    CharSequence info() {
        return info;
    }

    /** The RTP header, if the {@link #protocol()} is RTP. */
    RtpView rtp() {
        return udp.rtp();
    }
}
