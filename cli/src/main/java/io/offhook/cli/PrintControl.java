package io.offhook.cli;

import io.offhook.packet.ArpView;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IcmpError;
import io.offhook.packet.IcmpView;
import io.offhook.packet.Icmpv6View;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.MacAddress;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/** Lines about what keeps the network running: ICMP, ICMPv6 and ARP, and chunks of SCTP. */
final class PrintControl {
    private final IcmpError error = new IcmpError();
    private final PacketWalker quoted = new PacketWalker();
    private final ArpView arp = new ArpView();

    /** An ICMP or ICMPv6 message, and the packet that an error is about. */
    void icmp(PacketWalker walker, StringBuilder to) {
        MemorySegment segment = walker.segment();
        int transport = walker.transport();
        long header = walker.layerOffset(transport);
        boolean isIpv4 = walker.layerType(transport) == LayerType.ICMP;
        int type = NetworkOrder.u8(segment, header);
        int code = NetworkOrder.u8(segment, header + 1);
        to.append(isIpv4 ? icmpName(type, code) : icmpv6Name(type, code));
        boolean isEcho = isIpv4
                ? type == IcmpView.ECHO_REQUEST || type == IcmpView.ECHO_REPLY
                : type == Icmpv6View.ECHO_REQUEST || type == Icmpv6View.ECHO_REPLY;
        if (isEcho && walker.layerLength(transport) >= IcmpView.LENGTH) {
            to.append(" id=").append(NetworkOrder.u16(segment, header + 4));
            to.append(" seq=").append(NetworkOrder.u16(segment, header + 6));
        } else if (error.find(walker)) {
            quoted.walk(error.segment(), error.offset(), error.length(), error.wireLength(), LinkType.RAW);
            quoted(to);
        }
    }

    private void quoted(StringBuilder to) {
        if (quoted.network() < 0) {
            return;
        }
        int transport = quoted.transport();
        to.append(" (");
        if (transport >= 0) {
            to.append(quoted.layerType(transport).label()).append(' ');
        }
        to.append(address(quoted.sourceHigh(), quoted.sourceLow(), quoted.sourcePort()));
        to.append(" -> ");
        to.append(address(quoted.destinationHigh(), quoted.destinationLow(), quoted.destinationPort()));
        to.append(')');
    }

    /** Address and port, or the address alone where the port is 0. */
    static String address(long high, long low, int port) {
        Endpoint endpoint = new Endpoint(high, low, port);
        return port == 0 ? endpoint.addressText() : endpoint.toString();
    }

    void arp(PacketWalker walker, int layer, StringBuilder to) {
        WrapStatus status = arp.wrap(walker.segment(), walker.layerOffset(layer), walker.layerLength(layer));
        if (status != WrapStatus.OK || !arp.isEthernetIpv4()) {
            to.append("operation ");
            to.append(status == WrapStatus.OK ? Integer.toString(arp.operation()) : "cut");
            return;
        }
        String sender = Endpoint.ofIpv4((int) arp.senderProtocol(), 0).addressText();
        String target = Endpoint.ofIpv4((int) arp.targetProtocol(), 0).addressText();
        switch (arp.operation()) {
            case ArpView.REQUEST ->
                to.append("who has ").append(target).append("? tell ").append(sender);
            case ArpView.REPLY -> to.append(sender).append(" is at ").append(MacAddress.text(arp.senderHardware()));
            case ArpView.REVERSE_REQUEST ->
                to.append("who is ")
                        .append(MacAddress.text(arp.targetHardware()))
                        .append('?');
            case ArpView.REVERSE_REPLY ->
                to.append(MacAddress.text(arp.targetHardware())).append(" is ").append(target);
            default -> to.append("operation ").append(arp.operation());
        }
    }

    /** The chunks of an SCTP packet (RFC 9260, 3.2). */
    void sctp(PacketWalker walker, StringBuilder to) {
        MemorySegment segment = walker.segment();
        long at = walker.payloadOffset();
        long end = at + walker.payloadLength();
        boolean isFirst = true;
        while (end - at >= 4) {
            int length = NetworkOrder.u16(segment, at + 2);
            to.append(isFirst ? "" : ", ").append(chunkName(NetworkOrder.u8(segment, at)));
            isFirst = false;
            if (length < 4) {
                return;
            }
            at += length + 3 & ~3;
        }
    }

    private static String chunkName(int type) {
        return switch (type) {
            case 0 -> "DATA";
            case 1 -> "INIT";
            case 2 -> "INIT_ACK";
            case 3 -> "SACK";
            case 4 -> "HEARTBEAT";
            case 5 -> "HEARTBEAT_ACK";
            case 6 -> "ABORT";
            case 7 -> "SHUTDOWN";
            case 8 -> "SHUTDOWN_ACK";
            case 9 -> "ERROR";
            case 10 -> "COOKIE_ECHO";
            case 11 -> "COOKIE_ACK";
            case 14 -> "SHUTDOWN_COMPLETE";
            case 64 -> "I_DATA";
            case 128 -> "ASCONF_ACK";
            case 193 -> "ASCONF";
            default -> "chunk " + type;
        };
    }

    private static String icmpName(int type, int code) {
        return switch (type) {
            case IcmpView.ECHO_REPLY -> "echo reply";
            case IcmpView.ECHO_REQUEST -> "echo request";
            case IcmpView.DESTINATION_UNREACHABLE -> unreachableName(code);
            case IcmpView.SOURCE_QUENCH -> "source quench";
            case IcmpView.REDIRECT -> "redirect";
            case IcmpView.TIME_EXCEEDED -> code == 1 ? "reassembly time exceeded" : "time exceeded";
            case IcmpView.PARAMETER_PROBLEM -> "parameter problem";
            case 9 -> "router advertisement";
            case 10 -> "router solicitation";
            case 13 -> "timestamp request";
            case 14 -> "timestamp reply";
            default -> "type " + type + " code " + code;
        };
    }

    private static String unreachableName(int code) {
        return switch (code) {
            case 0 -> "network unreachable";
            case 1 -> "host unreachable";
            case 2 -> "protocol unreachable";
            case 3 -> "port unreachable";
            case 4 -> "fragmentation needed";
            case 5 -> "source route failed";
            case 6 -> "network unknown";
            case 7 -> "host unknown";
            case 9, 10, 13 -> "administratively prohibited";
            default -> "unreachable, code " + code;
        };
    }

    private static String icmpv6Name(int type, int code) {
        return switch (type) {
            case Icmpv6View.DESTINATION_UNREACHABLE ->
                switch (code) {
                    case 0 -> "no route";
                    case 1 -> "administratively prohibited";
                    case 3 -> "address unreachable";
                    case 4 -> "port unreachable";
                    default -> "unreachable, code " + code;
                };
            case Icmpv6View.PACKET_TOO_BIG -> "packet too big";
            case Icmpv6View.TIME_EXCEEDED -> code == 1 ? "reassembly time exceeded" : "hop limit exceeded";
            case Icmpv6View.PARAMETER_PROBLEM -> "parameter problem";
            case Icmpv6View.ECHO_REQUEST -> "echo request";
            case Icmpv6View.ECHO_REPLY -> "echo reply";
            case 130 -> "multicast listener query";
            case 131, 143 -> "multicast listener report";
            case 132 -> "multicast listener done";
            case 133 -> "router solicitation";
            case 134 -> "router advertisement";
            case Icmpv6View.NEIGHBOR_SOLICITATION -> "neighbor solicitation";
            case Icmpv6View.NEIGHBOR_ADVERTISEMENT -> "neighbor advertisement";
            case 137 -> "redirect";
            default -> "type " + type + " code " + code;
        };
    }
}
