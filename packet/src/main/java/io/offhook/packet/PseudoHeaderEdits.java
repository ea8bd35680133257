package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * What other addresses mean to the pseudo header that a transport checksum covers: those of the IP header, but the final
 * destination while a packet is source-routed, and the home address of a mobile node.
 */
final class PseudoHeaderEdits {
    private static final int ROUTING_TYPE = 2;
    private static final int SEGMENTS_LEFT = 3;
    private static final int IPV4_SOURCE = 12;
    private static final int IPV4_DESTINATION = 16;
    private static final int IPV6_SOURCE = 8;
    private static final int IPV6_DESTINATION = 24;
    private static final int HOME_ADDRESS = 0xc9;

    private final AddressEdits edits;
    private MemorySegment segment = MemorySegment.NULL;
    private long end;

    PseudoHeaderEdits(AddressEdits edits) {
        this.edits = edits;
    }

    /** A packet begins. */
    void start(MemorySegment segment, long end) {
        this.segment = segment;
        this.end = end;
    }

    /** What the pseudo header of a transport layer adds more than it did (RFC 9293, 3.1; RFC 8200, 8.1; RFC 6275, 6.3). */
    long delta(PacketWalker walker, int transport) {
        int network = transport - 1;
        while (network >= 0 && !isNetwork(walker.layerType(network))) {
            network--;
        }
        if (network < 0) {
            return 0;
        }
        long at = walker.layerOffset(network);
        if (walker.layerType(network) == LayerType.IPV4) {
            long destination = finalDestination(at, walker.layerHeaderLength(network));
            return edits.delta(at + IPV4_SOURCE, at + IPV4_SOURCE + 4) + edits.delta(destination, destination + 4);
        }
        long source = at + IPV6_SOURCE;
        long destination = at + IPV6_DESTINATION;
        for (int i = network + 1; i < Math.min(transport, walker.layerCount()); i++) {
            long header = walker.layerOffset(i);
            int length = walker.layerHeaderLength(i);
            if (walker.layerType(i) == LayerType.ROUTING && edits.isWithin(header, length) && length >= 24) {
                destination = finalDestination(header, length, destination);
            } else if (walker.layerType(i) == LayerType.DESTINATION_OPTIONS) {
                long home = homeAddress(header, length);
                source = home < 0 ? source : home;
            }
        }
        return edits.delta(source, source + 16) + edits.delta(destination, destination + 16);
    }

    private static boolean isNetwork(LayerType type) {
        return type == LayerType.IPV4 || type == LayerType.IPV6;
    }

    /** While segments are left, the last address of a routing header; of segment routing, the first in the list. */
    private long finalDestination(long header, int length, long destination) {
        if (NetworkOrder.u8(segment, header + SEGMENTS_LEFT) == 0) {
            return destination;
        }
        return switch (NetworkOrder.u8(segment, header + ROUTING_TYPE)) {
            case 0, 2 -> header + 8 + 16L * ((length - 8) / 16 - 1);
            case 4 -> header + 8;
            default -> destination;
        };
    }

    /** While a source route is not at its end, its last address (RFC 1122, 3.2.1.8). */
    private long finalDestination(long header, int headerLength) {
        long option = header + Ipv4View.MIN_LENGTH;
        long end = Math.min(header + headerLength, this.end);
        while (end - option >= 3) {
            int type = NetworkOrder.u8(segment, option);
            int length = type <= 1 ? 1 : NetworkOrder.u8(segment, option + 1);
            if (type == 0 || length < 1 || length > end - option) {
                break;
            }
            if ((type == 131 || type == 137) && length >= 7 && NetworkOrder.u8(segment, option + 2) <= length - 3) {
                return option + length - 4;
            }
            option += length;
        }
        return header + IPV4_DESTINATION;
    }

    /** Where the home address option of a destination options header has its address; -1 without one. */
    long homeAddress(long at, int headerLength) {
        long option = at + 2;
        long end = Math.min(at + headerLength, this.end);
        while (end - option >= 2) {
            int type = NetworkOrder.u8(segment, option);
            int length = type == 0 ? -1 : NetworkOrder.u8(segment, option + 1);
            if (type == HOME_ADDRESS && end - option >= 18) { // whatever its length says: receivers read 16 bytes
                return option + 2;
            }
            option += length + 2L;
        }
        return -1;
    }
}
