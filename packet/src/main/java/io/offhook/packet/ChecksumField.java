package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** Where the layers of a walked packet have their checksums, and what those cover. */
final class ChecksumField {
    private ChecksumField() {}

    /** Where the checksum of layer {@code i} is, in bytes from its header; -1 when it has none, or that is not there. */
    static int at(PacketWalker walker, int i) {
        int at = switch (walker.layerType(i)) {
            case IPV4 -> 10;
            case TCP -> 16;
            case UDP -> 6;
            case ICMP, ICMPV6 -> 2;
            case SCTP -> 8;
            case GRE ->
                (NetworkOrder.u16(walker.segment(), walker.layerOffset(i)) & GreView.CHECKSUM) != 0
                        ? GreView.MIN_LENGTH
                        : -1;
            default -> -1;
        };
        int bytes = walker.layerType(i) == LayerType.SCTP ? 4 : 2;
        return at < 0 || walker.layerLength(i) < at + bytes ? -1 : at;
    }

    private static boolean hasPseudoHeader(LayerType type) {
        return type == LayerType.TCP || type == LayerType.UDP || type == LayerType.ICMPV6;
    }

    /** The IP layer whose addresses the checksum of layer {@code i} covers as well; -1 when it covers none. */
    static int network(PacketWalker walker, int i) {
        return hasPseudoHeader(walker.layerType(i)) ? carrier(walker, i) : -1;
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

    /** Where the destination that layer {@code i} sums up stands, in the segment; -1 when that cannot be told. */
    static long destination(PacketWalker walker, int network, int i) {
        long header = walker.layerOffset(network);
        if (walker.layerType(network) == LayerType.IPV4) {
            return header + 16;
        }
        for (int between = i - 1; between > network; between--) {
            long routing = walker.layerOffset(between);
            if (walker.layerType(between) == LayerType.ROUTING
                    && PseudoHeader.hasSegmentsLeft(walker.segment(), routing)) {
                return PseudoHeader.finalDestination(walker.segment(), routing, walker.layerHeaderLength(between));
            }
        }
        return PseudoHeader.destination(header);
    }

    /** The sum of the pseudo header of layer {@code i}: 0 when it has none, -1 when it cannot be told. */
    static int pseudoHeader(PacketWalker walker, int i) {
        LayerType type = walker.layerType(i);
        if (!hasPseudoHeader(type)) {
            return 0;
        }
        int network = carrier(walker, i);
        if (network < 0) {
            return -1;
        }
        int protocol = type == LayerType.TCP ? 6 : type == LayerType.UDP ? 17 : 58;
        int length = walker.layerLength(i);
        MemorySegment segment = walker.segment();
        if (walker.layerType(network) == LayerType.IPV4) {
            return PseudoHeader.ofIpv4(segment, walker.layerOffset(network), protocol, length);
        }
        long destination = destination(walker, network, i);
        return destination < 0
                ? -1
                : PseudoHeader.ofIpv6(segment, walker.layerOffset(network), destination, protocol, length);
    }

    /** Whether all that the checksum of layer {@code i} covers is there: no fragment, nothing cut off. */
    static boolean isWhole(PacketWalker walker, int i) {
        int fragment = walker.outermostFragment();
        if (fragment >= 0 && fragment < i || isBroken(walker, i)) {
            return false;
        }
        if (walker.layerType(i) == LayerType.UDP
                && NetworkOrder.u16(walker.segment(), walker.layerOffset(i) + 4) > walker.layerLength(i)) {
            return false;
        }
        return isInnermost(walker, i) ? !walker.isSnapped() : !isSnapped(walker, carrier(walker, i));
    }

    private static boolean isInnermost(PacketWalker walker, int i) {
        return i == walker.transport();
    }

    /** By the length in the IP header; one of 0 is offload's. */
    private static boolean isSnapped(PacketWalker walker, int network) {
        if (network < 0) {
            return walker.isSnapped();
        }
        long header = walker.layerOffset(network);
        int length = walker.layerType(network) == LayerType.IPV4
                ? NetworkOrder.u16(walker.segment(), header + 2)
                : NetworkOrder.u16(walker.segment(), header + 4) + Ipv6View.LENGTH;
        return length > walker.layerLength(network);
    }

    private static boolean isBroken(PacketWalker walker, int i) {
        return switch (walker.stop()) {
            case TRUNCATED, MALFORMED -> walker.frameOffset() + walker.stopOffset() == walker.layerOffset(i);
            case COMPLETE, UNSUPPORTED, TOO_DEEP, REACHED -> false;
        };
    }
}
