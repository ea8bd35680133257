package io.offhook.flow;

import io.offhook.packet.Endpoint;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The flow that a packet belongs to, as its headers tell it: the addresses of the innermost IP packet, its protocol, and
 * the ports of TCP, UDP and SCTP. ICMP and ICMPv6 have instead the type of the message and, where another type answers it
 * (echo and echo reply), that one, so that both directions are one flow; else type and code, and the flow is {@linkplain
 * #isOneWay one-way}. A later fragment, and a header cut before its ports,
 * has none.
 *
 * <p>Filled by {@link #wrap}, with copies of what it needs: it stays as it is until the next one, whatever becomes of the
 * packet. Reused and single-threaded; {@link #key()} is to be kept.
 */
public final class FlowView {
    static final int ICMP = 1;
    static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SCTP = 132;
    static final int ICMPV6 = 58;

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

    /** A view on nothing yet: {@link #wrap} first. */
    public FlowView() {}

    /** Reads the packet that was walked last; UNSUPPORTED when there is no IP in it. */
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
        } else if (protocol == ICMP || protocol == ICMPV6) {
            message(walker.segment(), walker.layerOffset(transport));
        } else {
            sourcePort = walker.sourcePort();
            destinationPort = walker.destinationPort();
        }
        return WrapStatus.OK;
    }

    /** Of a transport header that was cut, the ports count where they are there: they come first. */
    private void cutHeader(PacketWalker walker, int network) {
        hasPorts = (protocol == TCP || protocol == UDP || protocol == SCTP)
                && walker.networkPayloadLength() >= 4
                && !isLaterFragment(walker, network);
        long at = walker.networkPayloadOffset();
        sourcePort = hasPorts ? NetworkOrder.u16(walker.segment(), at) : 0;
        destinationPort = hasPorts ? NetworkOrder.u16(walker.segment(), at + 2) : 0;
    }

    private static boolean isLaterFragment(PacketWalker walker, int network) {
        if (!walker.isFragment()) {
            return false;
        }
        if (walker.layerType(network) == LayerType.IPV4) {
            return (NetworkOrder.u16(walker.segment(), walker.layerOffset(network) + 6) & 0x1fff) != 0;
        }
        int header = walker.lastIndexOf(LayerType.IPV6_FRAGMENT);
        return header < 0 || (NetworkOrder.u16(walker.segment(), walker.layerOffset(header) + 2) & 0xfff8) != 0;
    }

    private void message(MemorySegment segment, long offset) {
        int type = NetworkOrder.u8(segment, offset);
        int answer = protocol == ICMP ? icmpCounterpart(type) : icmpv6Counterpart(type);
        sourcePort = type;
        isOneWay = answer < 0;
        destinationPort = isOneWay ? NetworkOrder.u8(segment, offset + 1) : answer;
    }

    /** The type that a message is answered by, or answers (RFC 792, RFC 950, RFC 1256); -1 where there is none. */
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

    /** The same of ICMPv6 (RFC 4443, RFC 4861, RFC 2710, RFC 4620, RFC 6275). */
    static int icmpv6Counterpart(int type) {
        return switch (type) {
            case 128, 130, 133, 135, 139, 144 -> type + 1;
            case 129, 131, 134, 136, 140, 145 -> type - 1;
            default -> -1;
        };
    }

    /** 4 or 6: of the innermost IP packet. */
    public int version() {
        return isIpv6 ? 6 : 4;
    }

    /** The IP protocol number (IANA), behind IPv6 extension headers; 0 to 255. */
    public int protocol() {
        return protocol;
    }

    /** The first 64 bits of the address, as in {@link Endpoint}. */
    public long sourceHigh() {
        return sourceHigh;
    }

    /** Second half of the source address. */
    public long sourceLow() {
        return sourceLow;
    }

    /** 0 to 65535; of ICMP the type, 0 to 255; 0 where there are none. */
    public int sourcePort() {
        return sourcePort;
    }

    /** First half of the destination address, IPv4 as IPv4-mapped IPv6. */
    public long destinationHigh() {
        return destinationHigh;
    }

    /** Second half of the destination address. */
    public long destinationLow() {
        return destinationLow;
    }

    /** 0 to 65535; of ICMP the type that goes with it, or the code; 0 where there are none. */
    public int destinationPort() {
        return destinationPort;
    }

    /** Whether the packet has ports, or what stands for them. */
    public boolean hasPorts() {
        return hasPorts;
    }

    /** An ICMP message that no other type answers: its flow has one direction. */
    public boolean isOneWay() {
        return isOneWay;
    }

    /** {@link FlowHash} of it: the same for both directions, in every run. VLANs and tunnels are not part of it. */
    public long hash() {
        return FlowHash.of(
                sourceHigh, sourceLow, sourcePort, destinationHigh, destinationLow, destinationPort, protocol);
    }

    /** An owned copy, to keep; in no VLAN and no tunnel, which only {@link FlowTable} knows. */
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

    /** Whether the source is the lower of the two endpoints; of a one-way flow always. */
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
