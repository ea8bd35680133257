package io.offhook.packet.checksum;

import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import io.offhook.packet.network.IgmpView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.network.MobilityView;
import io.offhook.packet.network.OspfView;
import io.offhook.packet.network.PimView;
import io.offhook.packet.network.VrrpView;
import io.offhook.packet.transport.DccpView;
import io.offhook.packet.transport.SctpView;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpLiteView;
import io.offhook.packet.transport.UdpView;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/** The places of checksums in a walked packet, and the bytes that they cover. */
public final class ChecksumField {
    private static final int NONE = -1;
    private static final int PIM_REGISTER = 1;

    private ChecksumField() {}

    /**
     * The offset of the checksum of layer {@code i} in its header, in bytes; -1 if it has none, or it was not captured.
     */
    public static int at(PacketWalker walker, int i) {
        MemorySegment segment = walker.segment();
        long header = walker.layerOffset(i);
        int at = switch (walker.layerType(i)) {
            case IPV4 -> Ipv4View.CHECKSUM;
            case TCP -> TcpView.CHECKSUM;
            case UDP -> UdpView.CHECKSUM;
            case UDP_LITE -> UdpLiteView.CHECKSUM;
            case DCCP -> DccpView.CHECKSUM;
            case VRRP -> VrrpView.CHECKSUM;
            case ICMP -> IcmpView.CHECKSUM;
            case ICMPV6 -> Icmpv6View.CHECKSUM;
            case IGMP -> IgmpView.CHECKSUM;
            case PIM -> PimView.CHECKSUM;
            case SCTP -> SctpView.CHECKSUM;
            case MOBILITY -> MobilityView.CHECKSUM;
            case OSPF -> // version 2 leaves its authentication out
                NetworkOrder.u8(segment, header + OspfView.VERSION) == 3 ? OspfView.CHECKSUM : NONE;
            case GRE ->
                (NetworkOrder.u16(segment, header + GreView.FLAGS) & GreView.CHECKSUM) != 0 ? GreView.MIN_LENGTH : NONE;
            default -> NONE;
        };
        int bytes = walker.layerType(i) == LayerType.SCTP ? 4 : 2;
        return at < 0 || walker.layerLength(i) < at + bytes ? NONE : at;
    }

    /** Whether 0 in the field says that the sender made none, and one that comes out as 0 is written as ones. */
    public static boolean isZeroNone(LayerType type) {
        return type == LayerType.UDP || type == LayerType.UDP_LITE; // which may not leave it out (RFC 3828, 3.1)
    }

    /** The number that the pseudo header has for layer {@code i}; -1 if its checksum covers no pseudo header. */
    private static int protocol(PacketWalker walker, int i) {
        return switch (walker.layerType(i)) {
            case TCP -> IpProtocol.TCP;
            case UDP -> IpProtocol.UDP;
            case DCCP -> IpProtocol.DCCP;
            case UDP_LITE -> IpProtocol.UDP_LITE;
            case ICMPV6 -> IpProtocol.ICMPV6;
            case MOBILITY -> IpProtocol.MOBILITY;
            case OSPF -> IpProtocol.OSPF;
            case PIM -> isOverIpv6(walker, i) ? IpProtocol.PIM : NONE;
            case VRRP ->
                NetworkOrder.u8(walker.segment(), walker.layerOffset(i) + VrrpView.VERSION) >>> 4 == 3
                        ? IpProtocol.VRRP
                        : NONE;
            default -> NONE;
        };
    }

    private static boolean isOverIpv6(PacketWalker walker, int i) {
        int carrier = carrier(walker, i);
        return carrier >= 0 && walker.layerType(carrier) == LayerType.IPV6;
    }

    /** The IP layer whose addresses the checksum of layer {@code i} covers as well; -1 if it covers none. */
    public static int network(PacketWalker walker, int i) {
        return protocol(walker, i) < 0 ? -1 : carrier(walker, i);
    }

    /** The IP layer that carries layer {@code i}, or -1. */
    private static int carrier(PacketWalker walker, int i) {
        for (int below = i - 1; below >= 0; below--) {
            LayerType type = walker.layerType(below);
            if (type == LayerType.IPV4 || type == LayerType.IPV6) {
                return below;
            }
        }
        return -1;
    }

    /** The number of bytes that the checksum of layer {@code i} covers from its header, captured or not. */
    public static int coverage(PacketWalker walker, int i) {
        MemorySegment segment = walker.segment();
        long header = walker.layerOffset(i);
        int whole = wireLength(walker, i);
        return switch (walker.layerType(i)) {
            case IPV4 -> (NetworkOrder.u8(segment, header + Ipv4View.VERSION_WORDS) & 15) << 2;
            case UDP_LITE -> { // RFC 3828, 3.1
                int coverage = NetworkOrder.u16(segment, header + UdpLiteView.CHECKSUM_COVERAGE);
                yield coverage == 0 ? whole : Math.min(coverage, whole);
            }
            case DCCP -> { // RFC 4340, 9.2: the header, and so many words less one
                int words = NetworkOrder.u8(segment, header + DccpView.CONGESTION_CONTROL) & 15;
                int headerLength = NetworkOrder.u8(segment, header + DccpView.DATA_OFFSET) << 2;
                yield words == 0 ? whole : Math.min(headerLength + 4 * (words - 1), whole);
            }
            case MOBILITY -> NetworkOrder.u8(segment, header + MobilityView.HEADER_EXTENSION_LENGTH) + 1 << 3;
            case PIM -> isRegister(segment, header) ? PimView.REGISTER_LENGTH : whole; // RFC 7761, 4.9
            default -> whole;
        };
    }

    private static boolean isRegister(MemorySegment segment, long header) {
        return (NetworkOrder.u8(segment, header + PimView.VERSION) & 15) == PIM_REGISTER;
    }

    /** Bytes of layer {@code i}, by the lengths in the headers. */
    private static int wireLength(PacketWalker walker, int i) {
        if (walker.layerType(i) == LayerType.UDP) {
            int length = NetworkOrder.u16(walker.segment(), walker.layerOffset(i) + UdpView.DATAGRAM_LENGTH);
            return length >= UdpView.LENGTH ? length : walker.layerLength(i);
        }
        if (i != walker.transport()) {
            return walker.layerLength(i);
        }
        return (int) (walker.payloadOffset() - walker.layerOffset(i)) + walker.payloadWireLength();
    }

    /** The sum of the pseudo header of layer {@code i}: 0 if it has none, -1 if it is unknown. */
    public static int pseudoHeader(PacketWalker walker, int i) {
        int protocol = protocol(walker, i);
        if (protocol < 0) {
            return 0;
        }
        int network = carrier(walker, i);
        long destination = network < 0 ? -1 : PseudoHeader.destination(walker, network, i);
        if (destination < 0) {
            return -1;
        }
        boolean isShort = walker.layerType(i) == LayerType.PIM || walker.layerType(i) == LayerType.MOBILITY;
        int length = isShort ? coverage(walker, i) : wireLength(walker, i);
        MemorySegment segment = walker.segment();
        return walker.layerType(network) == LayerType.IPV4
                ? PseudoHeader.ofIpv4(segment, walker.layerOffset(network), destination, protocol, length)
                : PseudoHeader.ofIpv6(segment, PseudoHeader.source(walker, network, i), destination, protocol, length);
    }

    /**
     * Whether what stands in the field is not the checksum of layer {@code i}, but what a sender leaves to its network
     * card to complete: the sum of the pseudo header, of SCTP 0. Of a packet that is not all there it is taken to be
     * so, but for fragments: a sender completes it before it makes any.
     */
    public static boolean isPartial(PacketWalker walker, int i) {
        LayerType type = walker.layerType(i);
        int at = at(walker, i);
        if (at < 0) {
            return false;
        }
        long field = walker.layerOffset(i) + at;
        boolean isLeft = switch (type) {
            case SCTP -> NetworkOrder.bits32(walker.segment(), field) == 0;
            case TCP, UDP -> {
                int value = NetworkOrder.u16(walker.segment(), field);
                yield value != 0 && value == pseudoHeader(walker, i);
            }
            default -> false;
        };
        return isLeft
                && !isInFragment(walker, i)
                && (!isWhole(walker, i) || InternetChecksum.of(walker, i) == InternetChecksum.Verdict.PARTIAL);
    }

    private static boolean isInFragment(PacketWalker walker, int i) {
        int fragment = walker.outermostFragment();
        return fragment >= 0 && fragment < i;
    }

    /** Whether all that the checksum of layer {@code i} covers is there: no fragment, nothing cut off. */
    public static boolean isWhole(PacketWalker walker, int i) {
        if (isInFragment(walker, i) || isBroken(walker, i) || coverage(walker, i) > walker.layerLength(i)) {
            return false;
        }
        return isPart(walker, i)
                || !(i == walker.transport() ? walker.isSnapped() : isSnapped(walker, carrier(walker, i)));
    }

    /** Whether less than the whole layer is covered, so that it may be cut off behind that. */
    private static boolean isPart(PacketWalker walker, int i) {
        return switch (walker.layerType(i)) {
            case UDP_LITE, DCCP, PIM, MOBILITY -> coverage(walker, i) < wireLength(walker, i);
            default -> false;
        };
    }

    /** By the length in the IP header; one of 0 is offload's. */
    private static boolean isSnapped(PacketWalker walker, int network) {
        if (network < 0) {
            return walker.isSnapped();
        }
        long header = walker.layerOffset(network);
        int length = walker.layerType(network) == LayerType.IPV4
                ? NetworkOrder.u16(walker.segment(), header + Ipv4View.TOTAL_LENGTH)
                : NetworkOrder.u16(walker.segment(), header + Ipv6View.PAYLOAD_LENGTH) + Ipv6View.LENGTH;
        return length > walker.layerLength(network);
    }

    private static boolean isBroken(PacketWalker walker, int i) {
        return switch (walker.stop()) {
            case TRUNCATED, MALFORMED -> walker.frameOffset() + walker.stopOffset() == walker.layerOffset(i);
            case COMPLETE, UNSUPPORTED, TOO_DEEP, REACHED -> false;
        };
    }
}
