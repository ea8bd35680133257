package io.offhook.packet.checksum;

import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6ExtensionView;
import io.offhook.packet.network.Ipv6RoutingView;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/**
 * What transport checksums cover besides the transport: addresses, protocol and length (RFC 9293, 3.1; RFC 8200, 8.1).
 * The addresses are those of the packet's two ends, which the IP header does not have while it is source-routed, nor of
 * a mobile node.
 */
public final class PseudoHeader {
    private static final int LOOSE_SOURCE_ROUTE = 131;
    private static final int STRICT_SOURCE_ROUTE = 137;
    private static final int HOME_ADDRESS = 0xc9;

    private PseudoHeader() {}

    /**
     * The sum of IPv4's pseudo header, folded to 16 bits and not complemented.
     *
     * @param destination where the last destination stands, see {@link #ipv4Destination}
     */
    public static int ofIpv4(MemorySegment segment, long header, long destination, int protocol, int length) {
        int addresses = InternetChecksum.sum(segment, header + Ipv4View.SOURCE, 4, 0);
        addresses = InternetChecksum.sum(segment, destination, 4, addresses);
        return InternetChecksum.fold((long) addresses + protocol + (length >>> 16) + (length & 0xffff));
    }

    /**
     * The sum of IPv6's pseudo header, folded to 16 bits and not complemented.
     *
     * @param source where the addresses of the two ends stand: in the IPv6 header, or in those that extend it
     */
    public static int ofIpv6(MemorySegment segment, long source, long destination, int protocol, int length) {
        int addresses = InternetChecksum.sum(segment, source, 16, 0);
        addresses = InternetChecksum.sum(segment, destination, 16, addresses);
        return InternetChecksum.fold((long) addresses + protocol + (length >>> 16) + (length & 0xffff));
    }

    /** Where the source of an IPv6 header stands. */
    public static long source(long header) {
        return header + Ipv6View.SOURCE;
    }

    /** Where the destination of an IPv6 header stands. */
    public static long destination(long header) {
        return header + Ipv6View.DESTINATION;
    }

    /**
     * Where the last destination of an IPv4 header stands: while a source route is not at its end, in that (RFC 1122,
     * 3.2.1.8).
     *
     * @param length bytes of the header that are there, at least 20
     */
    public static long ipv4Destination(MemorySegment segment, long header, int length) {
        long option = header + Ipv4View.MIN_LENGTH;
        long end = header + length;
        while (end - option >= 3) {
            int type = NetworkOrder.u8(segment, option);
            int size = type <= 1 ? 1 : NetworkOrder.u8(segment, option + 1);
            if (type == 0 || size < 1 || size > end - option) {
                break;
            }
            boolean isRoute = type == LOOSE_SOURCE_ROUTE || type == STRICT_SOURCE_ROUTE;
            if (isRoute && size >= 7 && NetworkOrder.u8(segment, option + 2) <= size - 3) {
                return option + size - 4;
            }
            option += size;
        }
        return header + Ipv4View.DESTINATION;
    }

    /**
     * Where a routing header that has segments left keeps the last destination: of type 0 (RFC 5095) behind all others,
     * of type 2 (RFC 6275, 6.4) alone, of type 4 (RFC 8754, 2) before all others.
     *
     * @param length bytes of the header that are there
     * @return -1 if it is of another type, or too short for an address
     */
    public static long finalDestination(MemorySegment segment, long routing, int length) {
        int type = NetworkOrder.u8(segment, routing + Ipv6RoutingView.ROUTING_TYPE);
        int whole = (NetworkOrder.u8(segment, routing + Ipv6RoutingView.HEADER_EXTENSION_LENGTH) + 1) << 3;
        if (whole < 24 || length < whole) {
            return -1;
        }
        return switch (type) {
            case 0 -> routing + Ipv6RoutingView.MIN_LENGTH + 16L * ((whole - Ipv6RoutingView.MIN_LENGTH) / 16 - 1);
            case 2, 4 -> routing + Ipv6RoutingView.MIN_LENGTH;
            default -> -1;
        };
    }

    /** Whether the IPv6 routing header at {@code routing} has segments left: its last destination is yet to come. */
    public static boolean hasSegmentsLeft(MemorySegment segment, long routing) {
        return NetworkOrder.u8(segment, routing + Ipv6RoutingView.SEGMENTS_LEFT) != 0;
    }

    /**
     * Where a destination options header has the home address of a mobile node (RFC 6275, 6.3), which is the source
     * that counts (11.3.1); -1 without one. Receivers read 16 bytes, whatever the option's length says.
     *
     * @param length bytes of the header that are there
     */
    public static long homeAddress(MemorySegment segment, long header, int length) {
        long option = header + Ipv6ExtensionView.OPTIONS;
        long end = header + length;
        while (end - option >= 2) {
            int type = NetworkOrder.u8(segment, option);
            if (type == HOME_ADDRESS && end - option >= 18) {
                return option + 2;
            }
            option += type == 0 ? 1 : NetworkOrder.u8(segment, option + 1) + 2L;
        }
        return -1;
    }

    /** Where the source that layer {@code i} sums up stands, in the segment; {@code network} carries it. */
    public static long source(PacketWalker walker, int network, int i) {
        long header = walker.layerOffset(network);
        if (walker.layerType(network) == LayerType.IPV4) {
            return header + Ipv4View.SOURCE;
        }
        for (int between = network + 1; between < i; between++) {
            if (walker.layerType(between) == LayerType.DESTINATION_OPTIONS) {
                int length = walker.layerHeaderLength(between);
                long home = homeAddress(walker.segment(), walker.layerOffset(between), length);
                if (home >= 0) {
                    return home;
                }
            }
        }
        return header + Ipv6View.SOURCE;
    }

    /** Where the destination that layer {@code i} sums up stands, in the segment; -1 if it is unknown. */
    public static long destination(PacketWalker walker, int network, int i) {
        long header = walker.layerOffset(network);
        MemorySegment segment = walker.segment();
        if (walker.layerType(network) == LayerType.IPV4) {
            return ipv4Destination(segment, header, walker.layerHeaderLength(network));
        }
        for (int between = i - 1; between > network; between--) {
            long routing = walker.layerOffset(between);
            if (walker.layerType(between) == LayerType.ROUTING && hasSegmentsLeft(segment, routing)) {
                return finalDestination(segment, routing, walker.layerHeaderLength(between));
            }
        }
        return header + Ipv6View.DESTINATION;
    }
}
