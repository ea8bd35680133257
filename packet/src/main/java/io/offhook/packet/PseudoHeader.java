package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** What TCP, UDP and ICMPv6 sum up besides themselves: addresses, protocol and length (RFC 9293, 3.1; RFC 8200, 8.1). */
final class PseudoHeader {
    private static final int IPV6_DESTINATION = 24;

    private PseudoHeader() {}

    static int ofIpv4(MemorySegment segment, long header, int protocol, int length) {
        return InternetChecksum.fold((long) InternetChecksum.sum(segment, header + 12, 8, 0) + protocol + length);
    }

    /** @param destination where the final destination stands: in the header, or in a routing header */
    static int ofIpv6(MemorySegment segment, long header, long destination, int protocol, int length) {
        int addresses = InternetChecksum.sum(segment, header + 8, 16, 0);
        addresses = InternetChecksum.sum(segment, destination, 16, addresses);
        return InternetChecksum.fold((long) addresses + protocol + (length >>> 16) + (length & 0xffff));
    }

    /** Where the destination of an IPv6 header stands. */
    static long destination(long header) {
        return header + IPV6_DESTINATION;
    }

    /**
     * Where a routing header that has segments left keeps the final destination: of type 0 (RFC 5095) behind all others,
     * of type 2 (RFC 6275, 6.4) alone, of type 4 (RFC 8754, 2) before all others.
     *
     * @param length bytes of the header that are there
     * @return -1 when it is of another type, or too short for an address
     */
    static long finalDestination(MemorySegment segment, long routing, int length) {
        int type = NetworkOrder.u8(segment, routing + 2);
        int whole = (NetworkOrder.u8(segment, routing + 1) + 1) << 3;
        if (whole < 24 || length < whole) {
            return -1;
        }
        return switch (type) {
            case 0 -> routing + whole - 16;
            case 2, 4 -> routing + 8;
            default -> -1;
        };
    }

    static boolean hasSegmentsLeft(MemorySegment segment, long routing) {
        return NetworkOrder.u8(segment, routing + 3) != 0;
    }
}
