package io.offhook.packet.edit;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import java.lang.foreign.MemorySegment;

/** The addresses in messages of ICMP, ICMPv6 and IGMP, but for the packets that they quote. */
final class ControlAnonymizer {
    private static final int ICMP_ROUTER_ADVERTISEMENT = 9;

    private static final int ROUTER_SOLICITATION = 133;
    private static final int ROUTER_ADVERTISEMENT = 134;
    private static final int NEIGHBOR_REDIRECT = 137;
    private static final int MLD_QUERY = 130;
    private static final int MLD_DONE = 132;
    private static final int MLD2_REPORT = 143;
    private static final int MLD2_QUERY_BYTES = 28;

    private static final int OPTION_SOURCE_LINK = 1;
    private static final int OPTION_TARGET_LINK = 2;
    private static final int OPTION_PREFIX = 3;
    private static final int OPTION_REDIRECTED = 4;
    private static final int OPTION_ROUTE = 24;
    private static final int OPTION_DNS_SERVERS = 25;

    private static final int IGMP_QUERY = 0x11;
    private static final int IGMP3_REPORT = 0x22;

    private final AddressEdits edits;
    private final boolean changesMacs;

    ControlAnonymizer(AddressEdits edits, boolean changesMacs) {
        this.edits = edits;
        this.changesMacs = changesMacs;
    }

    /**
     * Changes a message of ICMP or ICMPv6.
     *
     * @param length bytes of it that are there
     * @return where a redirect of neighbour discovery quotes a packet; else -1
     */
    long messages(MemorySegment segment, long at, int length, boolean isIcmpv6) {
        if (length < IcmpView.LENGTH) {
            return -1;
        }
        int type = NetworkOrder.u8(segment, at);
        long end = at + length;
        if (isIcmpv6) {
            return icmpv6(segment, at, type, end);
        }
        if (type == IcmpView.REDIRECT) {
            edits.ipv4(at + 4);
        } else if (type == ICMP_ROUTER_ADVERTISEMENT) {
            int count = NetworkOrder.u8(segment, at + 4);
            for (int i = 0; i < count && at + 8 + 8L * i < end; i++) {
                edits.ipv4(at + 8 + 8L * i);
            }
        }
        return -1;
    }

    private long icmpv6(MemorySegment segment, long at, int type, long end) {
        return switch (type) {
            case ROUTER_SOLICITATION -> options(segment, at + 8, end);
            case ROUTER_ADVERTISEMENT -> options(segment, at + 16, end);
            case Icmpv6View.NEIGHBOR_SOLICITATION, Icmpv6View.NEIGHBOR_ADVERTISEMENT -> {
                address(at + 8, end);
                yield options(segment, at + 24, end);
            }
            case NEIGHBOR_REDIRECT -> {
                address(at + 8, end);
                address(at + 24, end);
                yield options(segment, at + 40, end);
            }
            case MLD_QUERY, MLD_QUERY + 1, MLD_DONE -> {
                address(at + 8, end);
                if (type == MLD_QUERY && end - at >= MLD2_QUERY_BYTES) {
                    addresses(at + 28, NetworkOrder.u16(segment, at + 26), end);
                }
                yield -1;
            }
            case MLD2_REPORT -> {
                reports(segment, at, 16, end);
                yield -1;
            }
            default -> -1;
        };
    }

    private void address(long at, long end) {
        if (at < end) {
            edits.ipv6(at);
        }
    }

    private void addresses(long at, int count, long end) {
        for (int i = 0; i < count && at + 16L * i < end; i++) {
            edits.ipv6(at + 16L * i);
        }
    }

    /** Options of neighbour discovery (RFC 4861, 4.6; RFC 8106; RFC 4191). */
    private long options(MemorySegment segment, long start, long end) {
        long quoted = -1;
        long at = start;
        while (end - at >= 8) {
            int length = 8 * NetworkOrder.u8(segment, at + 1);
            if (length == 0) {
                return quoted;
            }
            switch (NetworkOrder.u8(segment, at)) {
                case OPTION_SOURCE_LINK, OPTION_TARGET_LINK -> {
                    if (changesMacs && length == 8) {
                        edits.mac(at + 2);
                    }
                }
                case OPTION_PREFIX -> {
                    if (length == 32 && end - at >= 32) {
                        edits.ipv6Prefix(at + 16, NetworkOrder.u8(segment, at + 2));
                    }
                }
                case OPTION_REDIRECTED -> quoted = at + 8;
                case OPTION_ROUTE -> {
                    if (length == 24 && end - at >= 24) {
                        edits.ipv6Prefix(at + 8, NetworkOrder.u8(segment, at + 2));
                    } else {
                        edits.blank(at + 8, Math.min(at + length, end));
                    }
                }
                case OPTION_DNS_SERVERS -> addresses(at + 8, (length - 8) / 16, end);
                default -> {}
            }
            at += length;
        }
        return quoted;
    }

    /**
     * Group records of MLDv2 (RFC 3810, 5.2) and IGMPv3 (RFC 3376, 4.2).
     *
     * @param size of an address
     */
    private void reports(MemorySegment segment, long message, int size, long end) {
        int records = NetworkOrder.u16(segment, message + 6);
        long at = message + 8;
        for (int i = 0; i < records && end - at >= 4; i++) {
            int sources = NetworkOrder.u16(segment, at + 2);
            int more = 4 * NetworkOrder.u8(segment, at + 1);
            for (long address = at + 4; address < Math.min(end, at + 4 + (1L + sources) * size); address += size) {
                if (size == 16) {
                    edits.ipv6(address);
                } else {
                    edits.ipv4(address);
                }
            }
            at += 4 + (1L + sources) * size + more;
        }
    }

    /** Changes a message of IGMP (RFC 1112, RFC 2236, RFC 3376). */
    void igmp(MemorySegment segment, long at, int length) {
        if (length < 8) {
            return;
        }
        int type = NetworkOrder.u8(segment, at);
        if (type == IGMP3_REPORT) {
            reports(segment, at, 4, at + length);
            return;
        }
        edits.ipv4(at + 4);
        if (type == IGMP_QUERY && length >= 12) {
            int sources = NetworkOrder.u16(segment, at + 10);
            for (int i = 0; i < sources && at + 12 + 4L * i < at + length; i++) {
                edits.ipv4(at + 12 + 4L * i);
            }
        }
    }
}
