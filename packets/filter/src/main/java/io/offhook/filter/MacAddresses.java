package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.B;
import static io.offhook.filter.Loads.Base.LINK_HEADER;

import io.offhook.filter.Qualifiers.Direction;
import org.jspecify.annotations.Nullable;

/** Tests of link-layer addresses: hosts, broadcast and multicast. */
final class MacAddresses {
    private static final byte[] BROADCAST = {-1, -1, -1, -1, -1, -1};
    private static final byte[] ARCNET_BROADCAST = {0};

    private final LinkPosition state;
    private final Loads loads;
    private final LinkTypes linkTypes;

    MacAddresses(LinkPosition state, Loads loads, LinkTypes linkTypes) {
        this.state = state;
        this.loads = loads;
        this.linkTypes = linkTypes;
    }

    /** libpcap's name for hosts of this link type; null if it has no addresses of six bytes. */
    @Nullable
    String hostName() {
        if (Dlt.isEthernet(state.linkType)) {
            return "ether";
        }
        if (Dlt.isWireless(state.linkType)) {
            return "802.11";
        }
        return switch (state.linkType) {
            case Dlt.FDDI -> "FDDI";
            case Dlt.IEEE802 -> "token ring";
            case Dlt.IP_OVER_FC -> "Fibre Channel";
            default -> null;
        };
    }

    Condition host(byte[] address, Direction direction) {
        if (hostName() == null) {
            throw state.error(
                    "ethernet addresses supported only on ethernet/FDDI/token ring/802.11/ATM LANE/Fibre Channel");
        }
        return hostOrNull(address, direction);
    }

    private Condition hostOrNull(byte[] address, Direction direction) {
        if (Dlt.isEthernet(state.linkType)) {
            Condition inner = linkTypes.previousHeader();
            Condition host = host(address, direction, 6, 0, " with 802.11 headers");
            return inner == null ? host : inner.and(host);
        }
        return switch (state.linkType) {
            case Dlt.FDDI -> host(address, direction, 7, 1, "");
            case Dlt.IEEE802 -> host(address, direction, 8, 2, "");
            case Dlt.IP_OVER_FC -> host(address, direction, 10, 2, "");
            default -> new WirelessAddresses(loads).host(address, direction);
        };
    }

    Condition arcnetHost(byte[] address, Direction direction) {
        return host(address, direction, 0, 1, "");
    }

    private Condition host(byte[] address, Direction direction, int source, int destination, String where) {
        return switch (direction) {
            case SRC -> loads.bytes(LINK_HEADER, source, address);
            case DST -> loads.bytes(LINK_HEADER, destination, address);
            case SRC_AND_DST -> {
                Condition first = loads.bytes(LINK_HEADER, source, address);
                yield first.and(loads.bytes(LINK_HEADER, destination, address));
            }
            case ANY, SRC_OR_DST -> {
                Condition first = loads.bytes(LINK_HEADER, source, address);
                yield first.or(loads.bytes(LINK_HEADER, destination, address));
            }
            case ADDR1, ADDR2, ADDR3, ADDR4, RA, TA -> throw state.error(direction.notOnThisLink(where));
        };
    }

    Condition broadcast() {
        if (Dlt.isArcnet(state.linkType)) {
            return arcnetHost(ARCNET_BROADCAST, Direction.DST);
        }
        if (hostName() == null) {
            throw state.error("not a broadcast link");
        }
        return hostOrNull(BROADCAST, Direction.DST);
    }

    Condition multicast() {
        if (Dlt.isArcnet(state.linkType)) {
            return arcnetHost(ARCNET_BROADCAST, Direction.DST);
        }
        if (Dlt.isEthernet(state.linkType)) {
            Condition inner = linkTypes.previousHeader();
            Condition group = isGroup(0);
            return inner == null ? group : inner.and(group);
        }
        if (Dlt.isWireless(state.linkType)) {
            return new WirelessAddresses(loads).multicast();
        }
        return switch (state.linkType) {
            case Dlt.FDDI -> isGroup(1);
            case Dlt.IEEE802, Dlt.IP_OVER_FC -> isGroup(2);
            default ->
                throw state.error("link-layer multicast filters supported only on"
                        + " ethernet/FDDI/token ring/ARCNET/802.11/ATM LANE/Fibre Channel");
        };
    }

    private Condition isGroup(int offset) {
        return loads.hasBits(LINK_HEADER, offset, B, 1);
    }
}
