package io.offhook.packet.edit;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.IgmpView;
import io.offhook.packet.network.MldView;
import io.offhook.packet.network.NeighborDiscoveryView;
import java.lang.foreign.MemorySegment;

/** Replaces the addresses in messages of ICMP, ICMPv6 and IGMP, except in the packets that they quote. */
final class ControlAnonymizer {
    private static final int ICMP_ROUTER_ADVERTISEMENT = 9;

    private static final int OPTION_SOURCE_LINK = 1;
    private static final int OPTION_TARGET_LINK = 2;
    private static final int OPTION_PREFIX = 3;
    private static final int OPTION_REDIRECTED = 4;
    private static final int OPTION_ROUTE = 24;
    private static final int OPTION_DNS_SERVERS = 25;

    private final AddressEdits edits;
    private final boolean changesMacs;

    ControlAnonymizer(AddressEdits edits, boolean changesMacs) {
        this.edits = edits;
        this.changesMacs = changesMacs;
    }

    /**
     * Changes a message of ICMP or ICMPv6.
     *
     * @param length its captured bytes
     * @return the offset of the packet that a redirect of neighbour discovery quotes, or -1
     */
    long messages(MemorySegment segment, long at, int length, boolean isIcmpv6) {
        if (length < IcmpView.LENGTH) {
            return -1;
        }
        int type = NetworkOrder.u8(segment, at + IcmpView.TYPE);
        long end = at + length;
        if (isIcmpv6) {
            return icmpv6(segment, at, type, end);
        }
        if (type == IcmpView.REDIRECT) {
            edits.ipv4(at + IcmpView.PARAMETER);
        } else if (type == ICMP_ROUTER_ADVERTISEMENT) {
            int count = NetworkOrder.u8(segment, at + IcmpView.PARAMETER);
            for (int i = 0; i < count && at + IcmpView.LENGTH + 8L * i < end; i++) {
                edits.ipv4(at + IcmpView.LENGTH + 8L * i);
            }
        }
        return -1;
    }

    private long icmpv6(MemorySegment segment, long at, int type, long end) {
        return switch (type) {
            case NeighborDiscoveryView.ROUTER_SOLICITATION, NeighborDiscoveryView.ROUTER_ADVERTISEMENT ->
                options(segment, at + NeighborDiscoveryView.fixedLength(type), end);
            case NeighborDiscoveryView.NEIGHBOR_SOLICITATION, NeighborDiscoveryView.NEIGHBOR_ADVERTISEMENT -> {
                address(at + NeighborDiscoveryView.TARGET, end);
                yield options(segment, at + NeighborDiscoveryView.fixedLength(type), end);
            }
            case NeighborDiscoveryView.REDIRECT -> {
                address(at + NeighborDiscoveryView.TARGET, end);
                address(at + NeighborDiscoveryView.DESTINATION, end);
                yield options(segment, at + NeighborDiscoveryView.fixedLength(type), end);
            }
            case MldView.QUERY, MldView.REPORT, MldView.DONE -> {
                address(at + MldView.GROUP, end);
                if (type == MldView.QUERY && end - at >= MldView.QUERY_2_LENGTH) {
                    int sources = NetworkOrder.u16(segment, at + MldView.SOURCE_COUNT);
                    addresses(at + MldView.QUERY_2_LENGTH, sources, end);
                }
                yield -1;
            }
            case MldView.REPORT_2 -> {
                int records = NetworkOrder.u16(segment, at + MldView.RECORD_COUNT);
                records(segment, at + MldView.MIN_LENGTH, records, 16, end);
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
        while (end - at >= 2) {
            int length = 8 * NetworkOrder.u8(segment, at + 1);
            if (length == 0) {
                return quoted;
            }
            switch (NetworkOrder.u8(segment, at)) {
                case OPTION_SOURCE_LINK, OPTION_TARGET_LINK -> {
                    if (changesMacs && end - at < 8) {
                        edits.blank(at + 2, end);
                    } else if (changesMacs && length == 8) {
                        edits.mac(at + 2);
                    }
                }
                case OPTION_PREFIX -> prefix(segment, at, length, 16, end);
                case OPTION_REDIRECTED -> quoted = at + 8;
                case OPTION_ROUTE -> prefix(segment, at, length, 8, end);
                case OPTION_DNS_SERVERS -> addresses(at + 8, (length - 8) / 16, end);
                default -> {}
            }
            at += length;
        }
        return quoted;
    }

    /** The prefix at the end of an option; one of another length, or cut off, is blanked. */
    private void prefix(MemorySegment segment, long option, int length, int inOption, long end) {
        if (length == inOption + 16 && end - option >= length) {
            edits.ipv6Prefix(option + inOption, NetworkOrder.u8(segment, option + 2));
        } else {
            edits.blank(option + inOption, Math.min(option + length, end));
        }
    }

    /**
     * Group records of IGMPv3 (RFC 3376, 4.2) and of MLDv2 (RFC 3810, 5.2), which have the same form.
     *
     * @param size the length of an address, in bytes
     */
    private void records(MemorySegment segment, long first, int records, int size, long end) {
        long at = first;
        for (int i = 0; i < records && end - at >= IgmpView.RECORD_GROUP; i++) {
            int more = 4 * NetworkOrder.u8(segment, at + IgmpView.RECORD_WORDS);
            int sources = NetworkOrder.u16(segment, at + IgmpView.RECORD_SOURCES);
            long group = at + IgmpView.RECORD_GROUP;
            long behind = group + (1L + sources) * size;
            for (long address = group; address < Math.min(end, behind); address += size) {
                if (size == 16) {
                    edits.ipv6(address);
                } else {
                    edits.ipv4(address);
                }
            }
            at = behind + more;
        }
    }

    /** Changes a message of IGMP (RFC 1112, RFC 2236, RFC 3376). */
    void igmp(MemorySegment segment, long at, int length) {
        if (length < IgmpView.MIN_LENGTH) {
            return;
        }
        int type = NetworkOrder.u8(segment, at + IgmpView.TYPE);
        if (type == IgmpView.REPORT_3) {
            int records = NetworkOrder.u16(segment, at + IgmpView.RECORD_COUNT);
            records(segment, at + IgmpView.MIN_LENGTH, records, 4, at + length);
            return;
        }
        edits.ipv4(at + IgmpView.GROUP);
        if (type == IgmpView.QUERY && length >= IgmpView.QUERY_3_LENGTH) {
            int sources = NetworkOrder.u16(segment, at + IgmpView.SOURCE_COUNT);
            for (int i = 0; i < sources && IgmpView.QUERY_3_LENGTH + 4L * i < length; i++) {
                edits.ipv4(at + IgmpView.QUERY_3_LENGTH + 4L * i);
            }
        }
    }
}
