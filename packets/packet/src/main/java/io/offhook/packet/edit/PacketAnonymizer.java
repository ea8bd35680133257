package io.offhook.packet.edit;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.checksum.ChecksumField;
import io.offhook.packet.checksum.PseudoHeader;
import io.offhook.packet.link.ArpView;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.Sll2View;
import io.offhook.packet.link.SllView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6RoutingView;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.walk.IcmpError;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/**
 * Replaces the addresses of a packet in place by those of {@link CryptoPan}, and updates the checksums.
 *
 * <p>Changed are the addresses of IPv4 (with record route, source route and timestamp options), IPv6 (with routing
 * headers of types 0, 2 and 4, and home addresses), ARP, ICMP (redirects, router advertisements, quoted packets),
 * ICMPv6 (neighbour discovery with its options, MLD, quoted packets) and IGMP, in every tunnel that {@link
 * PacketWalker} walks; on request, MAC addresses of Ethernet, Linux cooked capture, ARP and neighbour discovery. The
 * checksums of IPv4 headers, TCP, UDP, UDP-Lite, DCCP, ICMP, ICMPv6, IGMP, IPv6 mobility and GRE, and those of OSPF,
 * PIM and VRRP as far as they cover IP addresses, are updated: a correct one stays correct, and one that a sender left
 * to its network card ({@link io.offhook.packet.checksum.InternetChecksum.Verdict#PARTIAL}) can still be completed by a
 * card.
 *
 * <p>Not changed: addresses in the payload (SIP and SDP, DNS, DHCP, routing protocols, HTTP...), in packets that are
 * encrypted or of unknown protocols, in compressed routing headers, and in later fragments. Authentication headers and
 * TCP signatures no longer match. If a header with addresses is cut off or invalid, the rest of the packet is blanked,
 * since it may contain addresses.
 *
 * <p>Single-threaded. No input makes it throw or write outside the packet.
 */
public final class PacketAnonymizer {
    private static final int MOST_QUOTES = 4;

    private final boolean changesMacs;
    private final AddressEdits edits;
    private final ControlAnonymizer control;
    /** One walker for the packet, and one for each level of quoted packets. */
    private final PacketWalker[] walkers = new PacketWalker[MOST_QUOTES + 1];

    private final IcmpError quote = new IcmpError();

    private MemorySegment segment = MemorySegment.NULL;
    private long end;
    private long packetsChanged;
    private long packetsBlanked;
    private long packetsUnknown;
    private boolean isBlanked;

    /**
     * Creates an anonymiser that applies the given mapping.
     *
     * @param changesMacs whether MAC addresses are changed as well
     */
    public PacketAnonymizer(CryptoPan addresses, boolean changesMacs) {
        this.changesMacs = changesMacs;
        edits = new AddressEdits(addresses);
        control = new ControlAnonymizer(edits, changesMacs);
        for (int i = 0; i < walkers.length; i++) {
            walkers[i] = new PacketWalker();
        }
    }

    /**
     * Changes a packet in place.
     *
     * @param wireLength the number of bytes on the wire
     * @param linkType a {@link LinkType} value; if unknown, the packet is unchanged
     */
    public void anonymize(MemorySegment segment, long offset, int capturedLength, int wireLength, int linkType) {
        this.segment = segment;
        end = offset + capturedLength;
        isBlanked = false;
        edits.start(segment, end);
        PacketWalker walker = walkers[0];
        walker.walk(segment, offset, capturedLength, wireLength, linkType);
        if (walker.network() < 0
                && walker.indexOf(LayerType.ARP) < 0
                && walker.stop() == PacketWalker.Stop.UNSUPPORTED) {
            packetsUnknown++;
        }
        packet(walker, 0);
        packetsChanged += edits.isChanged() ? 1 : 0;
        packetsBlanked += isBlanked ? 1 : 0;
    }

    /** The number of packets changed. */
    public long packetsChanged() {
        return packetsChanged;
    }

    /** The number of packets partly blanked. */
    public long packetsBlanked() {
        return packetsBlanked;
    }

    /** The number of packets of unknown protocols or link types, which are unchanged, whatever they contain. */
    public long packetsUnknown() {
        return packetsUnknown;
    }

    private void packet(PacketWalker walker, int depth) {
        int partial = 0; // one bit per layer
        for (int i = 0; i < walker.layerCount(); i++) {
            partial |= ChecksumField.isPartial(walker, i) ? 1 << i : 0;
        }
        for (int i = 0; i < walker.layerCount(); i++) {
            addresses(walker, i, depth);
        }
        blankBroken(walker);
        for (int i = walker.layerCount() - 1; i >= 0; i--) {
            checksum(walker, i, (partial >>> i & 1) != 0);
        }
    }

    private void addresses(PacketWalker walker, int i, int depth) {
        long at = walker.layerOffset(i);
        switch (walker.layerType(i)) {
            case ETHERNET -> macs(at + EthernetView.DESTINATION, at + EthernetView.SOURCE);
            case LINUX_SLL -> {
                if (edits.isWithin(at, SllView.LENGTH) && NetworkOrder.u16(segment, at + SllView.ADDRESS_LENGTH) == 6) {
                    macs(at + SllView.ADDRESS, -1);
                }
            }
            case LINUX_SLL2 -> {
                if (edits.isWithin(at, Sll2View.LENGTH)
                        && NetworkOrder.u8(segment, at + Sll2View.ADDRESS_LENGTH) == 6) {
                    macs(at + Sll2View.ADDRESS, -1);
                }
            }
            case ARP -> arp(at);
            case IPV4 -> ipv4(at, walker.layerHeaderLength(i));
            case IPV6 -> {
                edits.ipv6(at + Ipv6View.SOURCE);
                edits.ipv6(at + Ipv6View.DESTINATION);
            }
            case ROUTING -> routing(at, walker.layerHeaderLength(i));
            case DESTINATION_OPTIONS -> {
                long home = PseudoHeader.homeAddress(segment, at, walker.layerHeaderLength(i));
                if (home >= 0) {
                    edits.ipv6(home);
                }
            }
            case ICMP, ICMPV6 -> control(walker, i, depth);
            case IGMP -> control.igmp(segment, at, walker.layerLength(i));
            default -> {}
        }
    }

    private void macs(long one, long other) {
        if (changesMacs) {
            edits.mac(one);
            if (other >= 0) {
                edits.mac(other);
            }
        }
    }

    private void arp(long at) {
        if (!edits.isWithin(at, ArpView.FIXED_LENGTH)) {
            return;
        }
        int hardware = NetworkOrder.u8(segment, at + ArpView.HARDWARE_LENGTH);
        int protocol = NetworkOrder.u8(segment, at + ArpView.PROTOCOL_LENGTH);
        long sender = at + ArpView.FIXED_LENGTH;
        long target = sender + hardware + protocol;
        if (hardware == 6) {
            macs(sender, target);
        }
        if (protocol == 4) {
            edits.ipv4(sender + hardware);
            edits.ipv4(target + hardware);
        }
    }

    private void ipv4(long at, int headerLength) {
        edits.ipv4(at + Ipv4View.SOURCE);
        edits.ipv4(at + Ipv4View.DESTINATION);
        long options = at + Ipv4View.MIN_LENGTH;
        long end = Math.min(at + headerLength, this.end);
        while (end - options >= 2) {
            int type = NetworkOrder.u8(segment, options);
            int length = type <= 1 ? 1 : NetworkOrder.u8(segment, options + 1);
            if (type == 0 || length < 1 || length > end - options) {
                return;
            }
            ipv4Option(type, options, length);
            options += length;
        }
    }

    private void ipv4Option(int type, long at, int length) {
        boolean isRoute = type == 7 || type == 131 || type == 137; // record route, loose and strict source route
        int step = isRoute ? 4 : 8;
        boolean isTimestamp = type == 68 && length > 4 && (NetworkOrder.u8(segment, at + 3) & 0x0f) != 0;
        if (isRoute || isTimestamp) {
            for (long address = at + (isRoute ? 3 : 4); address + 4 <= at + length; address += step) {
                edits.ipv4(address);
            }
        }
    }

    /** RFC 8200 type 0 (RFC 5095), RFC 6275 type 2, RFC 8754 type 4. */
    private void routing(long at, int headerLength) {
        if (!edits.isWithin(at, Ipv6RoutingView.MIN_LENGTH)) {
            return;
        }
        int type = NetworkOrder.u8(segment, at + Ipv6RoutingView.ROUTING_TYPE);
        int room = (headerLength - Ipv6RoutingView.MIN_LENGTH) / 16;
        int addresses = type == Ipv6RoutingView.SEGMENTS
                ? Math.min(room, NetworkOrder.u8(segment, at + Ipv6RoutingView.LAST_ENTRY) + 1)
                : room;
        for (int i = 0; i < addresses; i++) {
            if (type == 0 || type == 2 || type == 4) {
                edits.ipv6(at + Ipv6RoutingView.MIN_LENGTH + 16L * i);
            }
        }
    }

    private void control(PacketWalker walker, int i, int depth) {
        boolean isIcmpv6 = walker.layerType(i) == LayerType.ICMPV6;
        long quoted = control.messages(segment, walker.layerOffset(i), walker.layerLength(i), isIcmpv6);
        if (quoted >= 0) {
            quoted(quoted, (int) (walker.layerOffset(i) + walker.layerLength(i) - quoted), depth);
        } else if (i == walker.transport() && quote.find(walker)) {
            quoted(quote.offset(), quote.length(), depth);
        }
    }

    private void quoted(long at, int length, int depth) {
        if (length < 1) {
            return;
        }
        if (depth == MOST_QUOTES) {
            blank(at, at + length);
            return;
        }
        PacketWalker walker = walkers[depth + 1];
        walker.walk(segment, at, length, length, LinkType.RAW);
        packet(walker, depth + 1);
    }

    private void blank(long from, long until) {
        isBlanked |= from < until;
        edits.blank(from, until);
    }

    /**
     * Blanks the rest of a packet after an incomplete or invalid header that has addresses, or precedes one that has:
     * it may contain addresses.
     */
    private void blankBroken(PacketWalker walker) {
        switch (walker.stop()) {
            case COMPLETE, UNSUPPORTED, REACHED -> {}
            case TOO_DEEP -> blank(walker.frameOffset() + walker.stopOffset(), end);
            case TRUNCATED, MALFORMED -> {
                long at = walker.frameOffset() + walker.stopOffset();
                int last = walker.layerCount() - 1;
                boolean isListed = last >= 0 && walker.layerOffset(last) == at;
                int read = switch (walker.stopLayer()) {
                    case ARP -> ArpView.FIXED_LENGTH;
                    case IPV4 -> Ipv4View.MIN_LENGTH;
                    case IPV6 -> Ipv6View.LENGTH;
                    case ROUTING, DESTINATION_OPTIONS, HOP_BY_HOP -> 0;
                    // their payload, usually a packet, is then not walked
                    case AUTHENTICATION, GRE, NSH, GTP_U -> walker.stop() == PacketWalker.Stop.MALFORMED ? 0 : -1;
                    default -> -1;
                };
                if (read >= 0) {
                    blank(at + (isListed ? read : 0), last < 0 ? end : endOf(walker));
                }
            }
        }
    }

    /** The end of the walked bytes: a quoted packet ends before the frame does. */
    private long endOf(PacketWalker walker) {
        return Math.max(walker.layerOffset(0) + walker.layerLength(0), walker.payloadOffset() + walker.payloadLength());
    }

    private void checksum(PacketWalker walker, int i, boolean isPartial) {
        int at = ChecksumField.at(walker, i);
        LayerType type = walker.layerType(i);
        if (at < 0 || type == LayerType.SCTP) { // whose CRC covers no address
            return;
        }
        long header = walker.layerOffset(i);
        int covered = Math.min(ChecksumField.coverage(walker, i), walker.layerLength(i));
        long delta = isPartial ? 0 : edits.delta(header, header + covered);
        int network = ChecksumField.network(walker, i);
        if (network >= 0) {
            int size = walker.layerType(network) == LayerType.IPV4 ? 4 : 16;
            long source = PseudoHeader.source(walker, network, i);
            long last = PseudoHeader.destination(walker, network, i);
            long destination = last < 0 ? PseudoHeader.destination(walker.layerOffset(network)) : last;
            delta += edits.delta(source, source + size) + edits.delta(destination, destination + size);
        }
        edits.checksum(header + at, delta, ChecksumField.isZeroNone(type), isPartial);
    }
}
