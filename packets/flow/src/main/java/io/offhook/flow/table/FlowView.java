package io.offhook.flow.table;

import io.offhook.flow.FlowHash;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6FragmentView;
import io.offhook.packet.transport.UdpView;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/**
 * The flow of a packet by its headers: the addresses of the innermost IP packet, its protocol, and the ports of TCP,
 * UDP and SCTP. ICMP and ICMPv6 use the type of the message as source port and the type of its counterpart (echo and
 * echo reply) as destination port, so that both directions are one flow. A message without a counterpart uses type and
 * code, and its flow is {@linkplain #isOneWay one-way}. A later fragment, and a header cut before its ports, have no
 * ports.
 *
 * <p>{@link #wrap} copies all values, so the view stays valid until the next call, independently of the packet. Reused
 * and single-threaded; to keep a flow, use {@link #key()}.
 */
public final class FlowView {
    private boolean isIpv6;
    private int protocol;
    private long sourceHigh;
    private long sourceLow;
    private int sourcePort;
    private long destinationHigh;
    private long destinationLow;
    private int destinationPort;
    private boolean hasPorts;
    private boolean isOneWay;

    /** Creates an empty view; call {@link #wrap} before any accessor. */
    public FlowView() {}

    /** Reads the packet walked last. UNSUPPORTED if it has no IP layer. */
    public WrapStatus wrap(PacketWalker walker) {
        int network = walker.network();
        if (network < 0) {
            return WrapStatus.UNSUPPORTED;
        }
        isIpv6 = walker.layerType(network) == LayerType.IPV6;
        protocol = walker.protocol();
        sourceHigh = walker.sourceHigh();
        sourceLow = walker.sourceLow();
        destinationHigh = walker.destinationHigh();
        destinationLow = walker.destinationLow();
        isOneWay = false;
        int transport = walker.transport();
        hasPorts = transport >= 0;
        if (!hasPorts) {
            cutHeader(walker, network);
        } else if (protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6) {
            message(walker.segment(), walker.layerOffset(transport));
        } else {
            sourcePort = walker.sourcePort();
            destinationPort = walker.destinationPort();
        }
        return WrapStatus.OK;
    }

    /** Reads the ports of a truncated transport header if they were captured: they come first. */
    private void cutHeader(PacketWalker walker, int network) {
        hasPorts = (protocol == IpProtocol.TCP || protocol == IpProtocol.UDP || protocol == IpProtocol.SCTP)
                && walker.networkPayloadLength() >= 4
                && !isLaterFragment(walker, network);
        long at = walker.networkPayloadOffset();
        sourcePort = hasPorts ? NetworkOrder.u16(walker.segment(), at + UdpView.SOURCE_PORT) : 0;
        destinationPort = hasPorts ? NetworkOrder.u16(walker.segment(), at + UdpView.DESTINATION_PORT) : 0;
    }

    private static boolean isLaterFragment(PacketWalker walker, int network) {
        if (!walker.isFragment()) {
            return false;
        }
        if (walker.layerType(network) == LayerType.IPV4) {
            long flags = walker.layerOffset(network) + Ipv4View.FLAGS_OFFSET;
            return (NetworkOrder.u16(walker.segment(), flags) & 0x1fff) != 0;
        }
        int header = walker.lastIndexOf(LayerType.IPV6_FRAGMENT);
        if (header < 0) {
            return true;
        }
        long flags = walker.layerOffset(header) + Ipv6FragmentView.OFFSET_FLAGS;
        return (NetworkOrder.u16(walker.segment(), flags) & 0xfff8) != 0;
    }

    private void message(MemorySegment segment, long offset) {
        int type = NetworkOrder.u8(segment, offset + IcmpView.TYPE);
        int answer = protocol == IpProtocol.ICMP ? icmpCounterpart(type) : icmpv6Counterpart(type);
        sourcePort = type;
        isOneWay = answer < 0;
        destinationPort = isOneWay ? NetworkOrder.u8(segment, offset + IcmpView.CODE) : answer;
    }

    /** The ICMP type that answers a message, or that it answers (RFC 792, RFC 950, RFC 1256); -1 if there is none. */
    static int icmpCounterpart(int type) {
        return switch (type) {
            case 0 -> 8;
            case 8 -> 0;
            case 9 -> 10;
            case 10 -> 9;
            case 13, 15, 17 -> type + 1;
            case 14, 16, 18 -> type - 1;
            default -> -1;
        };
    }

    /**
     * The ICMPv6 type that answers a message, or that it answers (RFC 4443, RFC 4861, RFC 2710, RFC 4620, RFC 6275); -1
     * if there is none.
     */
    static int icmpv6Counterpart(int type) {
        return switch (type) {
            case 128, 130, 133, 135, 139, 144 -> type + 1;
            case 129, 131, 134, 136, 140, 145 -> type - 1;
            default -> -1;
        };
    }

    /** The IP version of the innermost IP packet, 4 or 6. */
    public int version() {
        return isIpv6 ? 6 : 4;
    }

    /** The IP protocol number (IANA) after any IPv6 extension headers, 0 to 255. */
    public int protocol() {
        return protocol;
    }

    /** The first 64 bits of the source address, as in {@link Endpoint}. */
    public long sourceHigh() {
        return sourceHigh;
    }

    /** The last 64 bits of the source address. */
    public long sourceLow() {
        return sourceLow;
    }

    /** The source port, 0 to 65535; the type for ICMP, 0 to 255; 0 if there are no ports. */
    public int sourcePort() {
        return sourcePort;
    }

    /** The first 64 bits of the destination address, as in {@link Endpoint}. */
    public long destinationHigh() {
        return destinationHigh;
    }

    /** The last 64 bits of the destination address. */
    public long destinationLow() {
        return destinationLow;
    }

    /** The destination port, 0 to 65535; for ICMP the type of the counterpart, or the code; 0 if there are no ports. */
    public int destinationPort() {
        return destinationPort;
    }

    /** Whether the packet has ports, or ICMP values in their place. */
    public boolean hasPorts() {
        return hasPorts;
    }

    /** Whether this is an ICMP message that no other type answers: its flow has one direction. */
    public boolean isOneWay() {
        return isOneWay;
    }

    /**
     * The {@link FlowHash} of the flow: equal for both directions, in every run. VLANs and tunnels are not part of it.
     */
    public long hash() {
        return FlowHash.of(
                sourceHigh, sourceLow, sourcePort, destinationHigh, destinationLow, destinationPort, protocol);
    }

    /** An owned copy, to keep. Its path is empty: only {@link FlowTable} knows VLANs and tunnels. */
    public FlowKey key() {
        return key(FlowPath.NONE);
    }

    FlowKey key(FlowPath path) {
        return new FlowKey(
                version(),
                protocol,
                new Endpoint(sourceHigh, sourceLow, sourcePort),
                new Endpoint(destinationHigh, destinationLow, destinationPort),
                hasPorts,
                isOneWay,
                path);
    }

    /** Whether the source is the lower of the two endpoints; always true for a one-way flow. */
    boolean isUpward() {
        if (isOneWay || sourceLow != destinationLow) {
            return isOneWay || sourceLow < destinationLow;
        }
        if (sourceHigh != destinationHigh) {
            return sourceHigh < destinationHigh;
        }
        return sourcePort <= destinationPort;
    }

    @Override
    public String toString() {
        return key().toString();
    }
}
