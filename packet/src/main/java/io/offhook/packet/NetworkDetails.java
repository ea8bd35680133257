package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** Fields of network headers and messages that stand at no fixed place, for {@link LayerFields}. */
final class NetworkDetails {
    private static final int RECORD_HEADER = 8;

    private final Ipv4Options ipv4Options = new Ipv4Options();
    private final TypeLengthValues options = new TypeLengthValues(TypeLengthValues.Form.IPV6_OPTIONS);
    private final TypeLengthValues neighborOptions = new TypeLengthValues(TypeLengthValues.Form.NEIGHBOR_OPTIONS);
    private final Ipv6RoutingView routing = new Ipv6RoutingView();
    private final MobilityView mobility = new MobilityView();
    private final IgmpView igmp = new IgmpView();
    private final VrrpView vrrp = new VrrpView();
    private final OspfView ospf = new OspfView();
    private final NeighborDiscoveryView neighbor = new NeighborDiscoveryView();
    private final MldView mld = new MldView();

    void describe(LayerType type, MemorySegment segment, long header, int length, FieldVisitor visitor) {
        switch (type) {
            case ROUTING -> routing(segment, header, length, visitor);
            case MOBILITY -> mobility(segment, header, length, visitor);
            case IGMP -> igmp(segment, header, length, visitor);
            case VRRP -> vrrp(segment, header, length, visitor);
            case OSPF -> ospf(segment, header, length, visitor);
            default -> throw new AssertionError(type);
        }
    }

    void ipv4Options(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (length <= Ipv4View.MIN_LENGTH) {
            return;
        }
        ipv4Options.wrap(segment, header + Ipv4View.MIN_LENGTH, length - Ipv4View.MIN_LENGTH);
        while (ipv4Options.next()) {
            int type = ipv4Options.type();
            visitor.number("optionType", type);
            switch (type) {
                case Ipv4Options.RECORD_ROUTE, Ipv4Options.LOOSE_SOURCE_ROUTE, Ipv4Options.STRICT_SOURCE_ROUTE -> {
                    visitor.number("pointer", ipv4Options.pointer());
                    for (int i = 0; i < ipv4Options.addressCount(); i++) {
                        visitor.text("address", ipv4(ipv4Options.address(i)));
                    }
                }
                case Ipv4Options.TIMESTAMP -> timestamps(visitor);
                case Ipv4Options.ROUTER_ALERT -> visitor.number("routerAlert", ipv4Options.routerAlert());
                case Ipv4Options.STREAM_ID -> visitor.number("streamId", ipv4Options.streamId());
                case Ipv4Options.SECURITY -> visitor.number("securityLevel", ipv4Options.securityLevel());
                case Ipv4Options.COMMERCIAL_SECURITY ->
                    visitor.number("domainOfInterpretation", ipv4Options.domainOfInterpretation());
                case Ipv4Options.TRACEROUTE -> visitor.number("tracerouteId", ipv4Options.tracerouteId());
                case Ipv4Options.QUICK_START -> visitor.number("quickStartRate", ipv4Options.quickStartRate());
                default -> {}
            }
        }
    }

    private void timestamps(FieldVisitor visitor) {
        visitor.number("pointer", ipv4Options.pointer());
        visitor.number("overflow", ipv4Options.overflow());
        visitor.number("timestampForm", ipv4Options.timestampForm());
        for (int i = 0; i < ipv4Options.timestampCount(); i++) {
            if (ipv4Options.timestampForm() != 0) {
                visitor.text("timestampAddress", ipv4(ipv4Options.timestampAddress(i)));
            }
            visitor.number("timestamp", ipv4Options.timestamp(i));
        }
    }

    /** RFC 8200, 4.2, and the registry of IANA. */
    void ipv6Options(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (length <= 2) {
            return;
        }
        options.wrap(segment, header + 2, length - 2);
        while (options.next()) {
            switch ((int) options.type()) {
                case 0x01 -> {} // padding
                case 0x04 -> visitor.number("tunnelEncapsulationLimit", options.u8(0));
                case 0x05 -> visitor.number("routerAlert", options.u16(0));
                case 0xc2 -> visitor.number("jumboPayloadLength", options.u32(0));
                case 0xc9 -> visitor.text("homeAddress", Endpoint.ipv6Text(options.bits64(0), options.bits64(8)));
                default -> bytes("option" + options.type(), options, visitor);
            }
        }
    }

    private void routing(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (routing.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        for (int i = 0; i < routing.addressCount(); i++) {
            visitor.text("address", Endpoint.ipv6Text(routing.addressHigh(i), routing.addressLow(i)));
        }
        routing.elements(options);
        while (options.next()) {
            bytes("element" + options.type(), options, visitor);
        }
    }

    private void mobility(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (mobility.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        switch (mobility.type()) {
            case MobilityView.BINDING_UPDATE -> {
                visitor.number("sequenceNumber", mobility.sequenceNumber());
                visitor.number("flags", mobility.flags());
                visitor.number("lifetime", mobility.lifetime());
            }
            case MobilityView.BINDING_ACKNOWLEDGMENT -> {
                visitor.number("status", mobility.status());
                visitor.number("sequenceNumber", mobility.sequenceNumber());
                visitor.number("lifetime", mobility.lifetime());
            }
            case MobilityView.BINDING_ERROR -> visitor.number("status", mobility.status());
            default -> {}
        }
        mobility.options(options);
        while (options.next()) {
            if (options.type() != 1) {
                bytes("option" + options.type(), options, visitor);
            }
        }
    }

    private void igmp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (igmp.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        if (!igmp.isReport3()) {
            visitor.text("group", ipv4(igmp.group()));
            if (igmp.isQuery3()) {
                visitor.flag("suppressRouterSide", igmp.suppressRouterSide());
                visitor.number("robustness", igmp.robustness());
                visitor.number("queryInterval", igmp.queryInterval());
                visitor.number("sourceCount", igmp.sourceCount());
            }
            return;
        }
        visitor.number("recordCount", igmp.recordCount());
        long at = igmp.recordsOffset();
        long end = header + length;
        for (int i = 0; i < igmp.recordCount() && end - at >= RECORD_HEADER; i++) {
            visitor.number("recordType", NetworkOrder.u8(segment, at));
            visitor.text("recordGroup", ipv4(NetworkOrder.u32(segment, at + 4)));
            at += RECORD_HEADER + 4L * (NetworkOrder.u8(segment, at + 1) + NetworkOrder.u16(segment, at + 2));
        }
    }

    private void vrrp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (vrrp.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        int size = vrrp.addressCount() > 0 && vrrp.addressesLength() / vrrp.addressCount() >= 16 ? 16 : 4;
        for (int i = 0; i < vrrp.addressCount() && (i + 1) * size <= vrrp.addressesLength(); i++) {
            long at = vrrp.addressesOffset() + (long) i * size;
            visitor.text(
                    "address",
                    size == 4
                            ? ipv4(NetworkOrder.u32(segment, at))
                            : Endpoint.ipv6Text(
                                    NetworkOrder.bits64(segment, at), NetworkOrder.bits64(segment, at + 8)));
        }
    }

    private void ospf(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (ospf.wrap(segment, header, length) == WrapStatus.OK) {
            if (ospf.version() == 3) {
                visitor.number("instanceId", ospf.instanceId());
            } else {
                visitor.bytes("authentication", segment, header + OspfView.MIN_LENGTH, 8);
            }
        }
    }

    /** Whether it is a message of neighbor discovery; then it was told. */
    boolean neighborDiscovery(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (neighbor.wrap(segment, header, length) != WrapStatus.OK) {
            return false;
        }
        switch (neighbor.type()) {
            case NeighborDiscoveryView.ROUTER_ADVERTISEMENT -> {
                visitor.number("hopLimit", neighbor.hopLimit());
                visitor.number("routerFlags", neighbor.routerFlags());
                visitor.number("routerLifetime", neighbor.routerLifetime());
                visitor.number("reachableTime", neighbor.reachableTime());
                visitor.number("retransmissionTime", neighbor.retransmissionTime());
            }
            case NeighborDiscoveryView.NEIGHBOR_ADVERTISEMENT ->
                visitor.number("neighborFlags", neighbor.neighborFlags());
            default -> {}
        }
        if (neighbor.hasTarget()) {
            visitor.text("target", Endpoint.ipv6Text(neighbor.targetHigh(), neighbor.targetLow()));
        }
        if (neighbor.type() == NeighborDiscoveryView.REDIRECT) {
            visitor.text("destination", Endpoint.ipv6Text(neighbor.destinationHigh(), neighbor.destinationLow()));
        }
        neighbor.options(neighborOptions);
        while (neighborOptions.next()) {
            neighborOption(visitor);
        }
        return true;
    }

    /** RFC 4861, 4.6. */
    private void neighborOption(FieldVisitor visitor) {
        TypeLengthValues option = neighborOptions;
        int type = (int) option.type();
        if ((type == 1 || type == 2) && option.valueLength() == 6) {
            String name = type == 1 ? "sourceLinkAddress" : "targetLinkAddress";
            visitor.text(name, MacAddress.text(NetworkOrder.u48(option.segment(), option.valueOffset())));
        } else if (type == 3 && option.valueLength() == 30) {
            visitor.number("prefixLength", option.u8(0));
            visitor.number("prefixFlags", option.u8(1));
            visitor.text("prefix", Endpoint.ipv6Text(option.bits64(14), option.bits64(22)));
        } else if (type == 5) {
            visitor.number("mtu", option.u32(2));
        } else {
            bytes("option" + type, option, visitor);
        }
    }

    /** Whether it is a message of multicast listener discovery; then it was told. */
    boolean listenerDiscovery(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (mld.wrap(segment, header, length) != WrapStatus.OK) {
            return false;
        }
        if (mld.type() != MldView.REPORT_2) {
            visitor.number("maximumResponseDelay", mld.maximumResponseDelay());
            visitor.text("group", Endpoint.ipv6Text(mld.groupHigh(), mld.groupLow()));
            if (mld.isQuery2()) {
                visitor.flag("suppressRouterSide", mld.suppressRouterSide());
                visitor.number("robustness", mld.robustness());
                visitor.number("queryInterval", mld.queryInterval());
                visitor.number("sourceCount", mld.sourceCount());
            }
            return true;
        }
        visitor.number("recordCount", mld.recordCount());
        long at = mld.recordsOffset();
        long end = header + length;
        for (int i = 0; i < mld.recordCount() && end - at >= 20; i++) {
            visitor.number("recordType", NetworkOrder.u8(segment, at));
            visitor.text(
                    "recordGroup",
                    Endpoint.ipv6Text(NetworkOrder.bits64(segment, at + 4), NetworkOrder.bits64(segment, at + 12)));
            at += 20 + 4L * NetworkOrder.u8(segment, at + 1) + 16L * NetworkOrder.u16(segment, at + 2);
        }
        return true;
    }

    private static String ipv4(long address) {
        return Endpoint.ofIpv4((int) address, 0).addressText();
    }

    private static void bytes(String name, TypeLengthValues list, FieldVisitor visitor) {
        visitor.bytes(name, list.segment(), list.valueOffset(), list.valueLength());
    }
}
