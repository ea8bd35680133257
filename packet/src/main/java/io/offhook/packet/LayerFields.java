package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * Tells a visitor the layers of a walked packet and the fields of their headers, outermost first. For output: it makes
 * strings. Names are those of the views' accessors; docs/OUTPUT.md lists them.
 *
 * <p>Of a header that is cut off or malformed, the fields that are there are told. Not thread-safe: one for each walker.
 */
public final class LayerFields {
    private final GreView gre = new GreView();
    private final ArpView arp = new ArpView();
    private final LlcView llc = new LlcView();
    private final PppView ppp = new PppView();
    private final GtpUView gtpU = new GtpUView();
    private final Icmpv6View icmpv6 = new Icmpv6View();
    private final LinkDetails links = new LinkDetails();
    private final NetworkDetails networks = new NetworkDetails();
    private final TunnelDetails tunnels = new TunnelDetails();
    private final TransportDetails transports = new TransportDetails();

    /** Ready for any packet. */
    public LayerFields() {}

    /** All layers; at last the one at which the walk stopped for want of bytes, or for a field that cannot be. */
    public void describe(PacketWalker walker, FieldVisitor visitor) {
        long frame = walker.frameOffset();
        int count = walker.layerCount();
        boolean isStopListed = false;
        for (int i = 0; i < count; i++) {
            int offset = (int) (walker.layerOffset(i) - frame);
            boolean isStop =
                    isBroken(walker) && walker.stopOffset() == offset && walker.stopLayer() == walker.layerType(i);
            isStopListed |= isStop;
            visitor.layer(walker.layerType(i), offset, walker.layerHeaderLength(i), isStop);
            if (isStop && walker.stop() == PacketWalker.Stop.MALFORMED) {
                broken(walker, visitor);
            } else {
                fields(walker, i, visitor);
            }
        }
        if (isBroken(walker) && !isStopListed && walker.had() > 0) {
            int available = Math.min(walker.had(), walker.needed());
            visitor.layer(walker.stopLayer(), walker.stopOffset(), available, true);
            broken(walker, visitor);
        }
    }

    private static void broken(PacketWalker walker, FieldVisitor visitor) {
        LayerType type = walker.stopLayer();
        int told = told(walker.stop(), type, Math.min(walker.had(), walker.needed()));
        fixed(type, walker.segment(), walker.frameOffset() + walker.stopOffset(), told, visitor);
    }

    private static boolean isBroken(PacketWalker walker) {
        return walker.stop() == PacketWalker.Stop.TRUNCATED || walker.stop() == PacketWalker.Stop.MALFORMED;
    }

    /**
     * Bytes of a broken header whose fields are told: those that tshark shows too. What has another version is no IP header, and a
     * TCP header is read up to its window or not at all, but for the ports.
     */
    private static int told(PacketWalker.Stop stop, LayerType type, int available) {
        return switch (type) {
            case IPV4, IPV6 -> stop == PacketWalker.Stop.MALFORMED ? 0 : available;
            case TCP -> stop == PacketWalker.Stop.MALFORMED ? 8 : available < 16 ? Math.min(available, 4) : available;
            default -> available;
        };
    }

    /** The fields of layer {@code i}. */
    public void fields(PacketWalker walker, int i, FieldVisitor visitor) {
        LayerType type = walker.layerType(i);
        MemorySegment segment = walker.segment();
        long header = walker.layerOffset(i);
        int length = walker.layerHeaderLength(i);
        if (type == LayerType.IPV4 || type == LayerType.TCP) {
            visitor.number("headerLength", length);
        }
        if (type == LayerType.WLAN && i > 0 && walker.layerType(i - 1) == LayerType.CAPWAP) {
            return; // its first two bytes changed places
        }
        fixed(type, segment, header, length, visitor);
        more(type, segment, header, length, walker.layerLength(i), visitor);
    }

    private static void fixed(LayerType type, MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (type == LayerType.ETHERNET
                && length >= EthernetView.LENGTH
                && NetworkOrder.u16(segment, header + 12) <= EthernetView.MAX_LENGTH_FIELD) {
            visitor.text("destination", MacAddress.text(NetworkOrder.u48(segment, header)));
            visitor.text("source", MacAddress.text(NetworkOrder.u48(segment, header + 6)));
            visitor.number("length", NetworkOrder.u16(segment, header + 12));
            return;
        }
        if (type == LayerType.L2TP && length < L2tpView.MIN_LENGTH) {
            return; // over IP it is of version 3, and in another form
        }
        for (HeaderField field : HeaderField.of(type)) {
            if (field.end() <= length) {
                field.visit(segment, header, visitor);
            }
        }
    }

    /** What stands at no fixed place. */
    private void more(
            LayerType type, MemorySegment segment, long header, int length, int layerLength, FieldVisitor visitor) {
        switch (type) {
            case NULL_LOOPBACK -> visitor.number("family", NullLoopbackView.family(segment, header));
            case PPP -> ppp(segment, header, length, visitor);
            case LLC -> llc(segment, header, length, visitor);
            case ARP -> arp(segment, header, length, visitor);
            case IPV4 -> {
                options(segment, header, Ipv4View.MIN_LENGTH, length, visitor);
                networks.ipv4Options(segment, header, length, visitor);
            }
            case HOP_BY_HOP, DESTINATION_OPTIONS -> {
                options(segment, header, 2, length, visitor);
                networks.ipv6Options(segment, header, length, visitor);
            }
            case GENEVE -> options(segment, header, GeneveView.FIXED_LENGTH, length, visitor);
            case GRE -> gre(segment, header, length, visitor);
            case GTP_U -> gtpU(segment, header, length, visitor);
            case TCP -> transports.tcp(segment, header, length, visitor);
            case ICMP -> icmp(segment, header, visitor);
            case ICMPV6 -> icmpv6(segment, header, layerLength, visitor);
            case ROUTING, MOBILITY, IGMP, VRRP, OSPF -> networks.describe(type, segment, header, length, visitor);
            case LLDP, CDP, PPPOE, MACSEC, RADIOTAP, WLAN, FRAME_RELAY ->
                links.describe(type, segment, header, layerLength, visitor);
            case ERSPAN, TEREDO, L2TP, GTP_C -> tunnels.describe(type, segment, header, length, visitor);
            case DCCP -> transports.dccp(segment, header, length, visitor);
            case SCTP -> transports.sctp(segment, header, layerLength, visitor);
            case PAYLOAD -> {
                visitor.number("length", layerLength);
                visitor.bytes("data", segment, header, layerLength);
            }
            default -> {}
        }
    }

    private static void options(MemorySegment segment, long header, int from, int to, FieldVisitor visitor) {
        if (to > from) {
            visitor.bytes("options", segment, header + from, to - from);
        }
    }

    private void ppp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (ppp.wrap(segment, header, length) == WrapStatus.OK) {
            visitor.number("protocol", ppp.protocol());
        }
    }

    private void llc(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (llc.wrap(segment, header, length) == WrapStatus.OK) {
            visitor.number("control", llc.control());
            if (llc.isSnap()) {
                visitor.number("organisation", llc.organisation());
                visitor.number("type", llc.type());
            }
        }
    }

    private void arp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (arp.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        if (arp.isEthernetIpv4()) {
            visitor.text("senderHardware", MacAddress.text(arp.senderHardware()));
            visitor.text(
                    "senderProtocol",
                    Endpoint.ofIpv4((int) arp.senderProtocol(), 0).addressText());
            visitor.text("targetHardware", MacAddress.text(arp.targetHardware()));
            visitor.text(
                    "targetProtocol",
                    Endpoint.ofIpv4((int) arp.targetProtocol(), 0).addressText());
        } else {
            visitor.bytes("addresses", segment, header + ArpView.FIXED_LENGTH, length - ArpView.FIXED_LENGTH);
        }
    }

    private void gre(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (gre.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        if (gre.hasChecksum()) {
            visitor.number("checksum", gre.checksum());
        }
        if (gre.hasKey()) {
            visitor.number("key", gre.key());
        }
        if (gre.hasSequenceNumber()) {
            visitor.number("sequenceNumber", gre.sequenceNumber());
        }
        if (gre.hasAcknowledgmentNumber()) {
            visitor.number("acknowledgmentNumber", gre.acknowledgmentNumber());
        }
    }

    private void gtpU(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (gtpU.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        if (gtpU.hasSequenceNumber()) {
            visitor.number("sequenceNumber", gtpU.sequenceNumber());
        }
        if (gtpU.hasNPdu()) {
            visitor.number("nPdu", gtpU.nPdu());
        }
        if (gtpU.hasExtensions()) {
            visitor.number("nextExtension", gtpU.nextExtension());
        }
    }

    private static void icmp(MemorySegment segment, long header, FieldVisitor visitor) {
        int type = NetworkOrder.u8(segment, header);
        if (type == IcmpView.ECHO_REQUEST || type == IcmpView.ECHO_REPLY) {
            echo(segment, header, visitor);
        } else {
            visitor.number("parameter", NetworkOrder.u32(segment, header + 4));
        }
    }

    private void icmpv6(MemorySegment segment, long header, int layerLength, FieldVisitor visitor) {
        if (icmpv6.wrap(segment, header, layerLength) != WrapStatus.OK || icmpv6.bodyLength() < 4) {
            return;
        }
        if (icmpv6.isEcho()) {
            echo(segment, header, visitor);
        } else if (!networks.neighborDiscovery(segment, header, layerLength, visitor)
                && !networks.listenerDiscovery(segment, header, layerLength, visitor)) {
            visitor.number("parameter", icmpv6.parameter());
        }
    }

    private static void echo(MemorySegment segment, long header, FieldVisitor visitor) {
        visitor.number("identifier", NetworkOrder.u16(segment, header + 4));
        visitor.number("sequenceNumber", NetworkOrder.u16(segment, header + 6));
    }
}
