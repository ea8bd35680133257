package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.*;
import static io.offhook.filter.Loads.Base.*;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tests for the protocol that a frame carries, by link type. A protocol number above {@link #MAX_LENGTH} is an
 * EtherType, otherwise a service access point of IEEE 802.2 LLC.
 */
final class LinkTypes {
    /** The largest value that is a length in IEEE 802.3 rather than an EtherType. */
    static final int MAX_LENGTH = 1500;

    static final int NS = 0x0600;
    static final int IP = 0x0800;
    static final int ARP = 0x0806;
    static final int DECNET = 0x6003;
    static final int TRANSPARENT_ETHERNET = 0x6558;
    static final int RARP = 0x8035;
    static final int ATALK = 0x809b;
    static final int AARP = 0x80f3;
    static final int IPX = 0x8137;
    static final int IPV6 = 0x86dd;

    static final int SAP_IP = 0x06;
    static final int SAP_SPANNING_TREE = 0x42;
    static final int SAP_SNAP = 0xaa;
    static final int SAP_IPX = 0xe0;
    static final int SAP_NETBEUI = 0xf0;
    static final int SAP_OSI = 0xfe;

    static final int PPP_IP = 0x0021;
    static final int PPP_IPV6 = 0x0057;

    private static final int SLL_802_3 = 1;
    private static final int SLL_802_2 = 4;

    private final LinkPosition state;
    private final Loads loads;

    LinkTypes(LinkPosition state, Loads loads) {
        this.state = state;
        this.loads = loads;
    }

    Condition is(int protocol) {
        if (state.labels > 0) {
            return isBehindLabels(protocol);
        }
        return switch (state.linkType) {
            case Dlt.EN10MB, Dlt.NETANALYZER, Dlt.NETANALYZER_TRANSPARENT -> {
                // Geneve states an EtherType, with or without an Ethernet header behind it
                Condition inner = state.isGeneve ? null : previousHeader();
                Condition type = isOnEthernet(protocol);
                yield inner == null ? type : inner.and(type);
            }
            case Dlt.C_HDLC -> loads.equal(LINK_TYPE, 0, H, protocol == SAP_OSI ? SAP_OSI << 8 | SAP_OSI : protocol);
            case Dlt.IEEE802_11, Dlt.PRISM_HEADER, Dlt.IEEE802_11_RADIO_AVS, Dlt.IEEE802_11_RADIO, Dlt.PPI -> {
                Condition data = wirelessData();
                yield data.and(isInLlc(protocol));
            }
            case Dlt.FDDI, Dlt.IEEE802, Dlt.ATM_RFC1483, Dlt.ATM_CLIP, Dlt.IP_OVER_FC -> isInLlc(protocol);
            case Dlt.SUNATM -> {
                Condition llc = loads.compare(LINK_HEADER, 0, B, 0x0f, JEQ, false, 2);
                yield llc.and(isInLlc(protocol));
            }
            case Dlt.LINUX_SLL -> isOnCooked(protocol);
            case Dlt.SLIP, Dlt.SLIP_BSDOS, Dlt.RAW -> byVersion(protocol);
            case Dlt.IPV4 -> protocol == IP ? Loads.always() : Loads.never();
            case Dlt.IPV6 -> protocol == IPV6 ? Loads.always() : Loads.never();
            case Dlt.PPP, Dlt.PPP_PPPD, Dlt.PPP_SERIAL, Dlt.PPP_ETHER -> loads.equal(LINK_TYPE, 0, H, ppp(protocol));
            case Dlt.PPP_BSDOS -> isOnBsdPpp(protocol);
            case Dlt.NULL, Dlt.LOOP, Dlt.ENC -> isOnLoopback(protocol);
            case Dlt.PFLOG -> isInFirewallLog(protocol);
            case Dlt.ARCNET, Dlt.ARCNET_LINUX -> isOnArcnet(protocol);
            case Dlt.LTALK -> protocol == ATALK ? Loads.always() : Loads.never();
            case Dlt.FRELAY -> isOnFrameRelay(protocol);
            case Dlt.BACNET_MS_TP -> loads.masked(LINK_HEADER, 0, W, 0x55ff_0000, 0xffff_0000);
            case Dlt.IPNET -> isOnIpnet(protocol);
            default -> isOnOther(protocol);
        };
    }

    private Condition isOnOther(int protocol) {
        if (Dlt.isJuniper(state.linkType)) {
            return loads.masked(LINK_HEADER, 0, W, 0x4d47_4300, 0xffff_ff00); // tests the magic number only
        }
        String name = LinkNames.unfilterable(state.linkType);
        if (name.isEmpty() && state.type.constant != LinkPosition.NOT_SET) {
            return loads.equal(LINK_TYPE, 0, H, protocol);
        }
        throw state.error((name.isEmpty() ? LinkNames.name(state.linkType) : name)
                + " link-layer type filtering not implemented");
    }

    private Condition isBehindLabels(int protocol) {
        int version = switch (protocol) {
            case IP, PPP_IP -> 0x40;
            case IPV6, PPP_IPV6 -> 0x60;
            default -> throw state.error("unsupported protocol over mpls");
        };
        Condition bottom = loads.masked(NETWORK, -2, B, 1, 1);
        return bottom.and(loads.masked(NETWORK, 0, B, version, 0xf0));
    }

    /** Tests that the nested link header exists; null if no test is needed. */
    @Nullable
    Condition previousHeader() {
        if (state.isGeneve) {
            List<Statement> statements = Loads.code(LD | MEM, state.header.register);
            Loads.add(statements, LDX | MEM, state.payload.register);
            return Condition.test(statements, JEQ | X, 0).not();
        }
        return state.previousLinkType == Dlt.SUNATM
                ? loads.equal(PREVIOUS_LINK_HEADER, 4, H, 0xff00).not() // LE control
                : null;
    }

    private Condition hasLength() {
        return loads.above(LINK_TYPE, 0, H, MAX_LENGTH).not();
    }

    private Condition isOnEthernet(int protocol) {
        return switch (protocol) {
            case SAP_OSI, SAP_IP, SAP_NETBEUI -> {
                Condition length = hasLength();
                yield length.and(loads.equal(LINK_PAYLOAD, 0, H, protocol << 8 | protocol));
            }
            case SAP_IPX -> {
                Condition sap = loads.equal(LINK_PAYLOAD, 0, B, SAP_IPX);
                Condition raw = loads.equal(LINK_PAYLOAD, 0, H, 0xffff);
                Condition inFrame = isSnap(0, IPX).or(sap.or(raw));
                Condition length = hasLength();
                yield loads.equal(LINK_TYPE, 0, H, IPX).or(length.and(inFrame));
            }
            case ATALK, AARP -> {
                Condition length = hasLength();
                Condition snap = length.and(isAppleSnap(protocol));
                yield loads.equal(LINK_TYPE, 0, H, protocol).or(snap);
            }
            default -> {
                if (Integer.compareUnsigned(protocol, MAX_LENGTH) > 0) {
                    yield loads.equal(LINK_TYPE, 0, H, protocol);
                }
                Condition length = hasLength();
                yield length.and(loads.equal(LINK_TYPE, 2, B, protocol));
            }
        };
    }

    private Condition isOnCooked(int protocol) {
        return switch (protocol) {
            case SAP_OSI, SAP_IP, SAP_NETBEUI -> {
                Condition llc = loads.equal(LINK_TYPE, 0, H, SLL_802_2);
                yield llc.and(loads.equal(LINK_PAYLOAD, 0, H, protocol << 8 | protocol));
            }
            case SAP_IPX -> {
                Condition sap = loads.equal(LINK_PAYLOAD, 0, B, SAP_IPX);
                Condition either = sap.or(isSnap(0, IPX));
                Condition llc = loads.equal(LINK_TYPE, 0, H, SLL_802_2).and(either);
                Condition raw = loads.equal(LINK_TYPE, 0, H, SLL_802_3).or(llc);
                yield loads.equal(LINK_TYPE, 0, H, IPX).or(raw);
            }
            case ATALK, AARP -> {
                Condition llc = loads.equal(LINK_TYPE, 0, H, SLL_802_2);
                Condition snap = llc.and(isAppleSnap(protocol));
                yield loads.equal(LINK_TYPE, 0, H, protocol).or(snap);
            }
            default -> {
                if (Integer.compareUnsigned(protocol, MAX_LENGTH) > 0) {
                    yield loads.equal(LINK_TYPE, 0, H, protocol);
                }
                Condition llc = loads.equal(LINK_TYPE, 0, H, SLL_802_2);
                yield llc.and(loads.equal(LINK_HEADER, state.payload.constant, B, protocol));
            }
        };
    }

    private Condition isAppleSnap(int protocol) {
        return isSnap(protocol == ATALK ? 0x080007 : 0, protocol);
    }

    /** LLC with SNAP (IEEE 802-2014, 9.2) of the given organisation and type. */
    private Condition isSnap(int organisation, int type) {
        byte[] header = {
            (byte) SAP_SNAP,
            (byte) SAP_SNAP,
            3,
            (byte) (organisation >> 16),
            (byte) (organisation >> 8),
            (byte) organisation,
            (byte) (type >> 8),
            (byte) type
        };
        return loads.bytes(LINK_PAYLOAD, 0, header);
    }

    /** For links that always use LLC. */
    private Condition isInLlc(int protocol) {
        return switch (protocol) {
            case SAP_OSI, SAP_IP, SAP_NETBEUI -> loads.equal(LINK_PAYLOAD, 0, H, protocol << 8 | protocol);
            case SAP_IPX -> loads.equal(LINK_PAYLOAD, 0, B, SAP_IPX);
            case ATALK -> isSnap(0x080007, ATALK);
            default ->
                Integer.compareUnsigned(protocol, MAX_LENGTH) <= 0
                        ? loads.equal(LINK_PAYLOAD, 0, B, protocol)
                        : loads.equal(LINK_PAYLOAD, 6, H, protocol);
        };
    }

    /** A data frame of IEEE 802.11: bit 3 of the first byte is set and bit 2 is not. */
    Condition wirelessData() {
        Condition high = loads.hasBits(LINK_HEADER, 0, B, 0x08);
        Condition low = loads.hasBits(LINK_HEADER, 0, B, 0x04).not();
        return low.and(high);
    }

    private Condition byVersion(int protocol) {
        return switch (protocol) {
            case IP -> loads.masked(LINK_HEADER, 0, B, 0x40, 0xf0);
            case IPV6 -> loads.masked(LINK_HEADER, 0, B, 0x60, 0xf0);
            default -> Loads.never();
        };
    }

    private static int ppp(int protocol) {
        return switch (protocol) {
            case IP -> PPP_IP;
            case IPV6 -> PPP_IPV6;
            case DECNET -> 0x0027;
            case ATALK -> 0x0029;
            case NS -> 0x0025;
            case SAP_OSI -> 0x0023;
            case SAP_SPANNING_TREE -> 0x0031;
            case SAP_IPX -> 0x002b;
            default -> protocol;
        };
    }

    private Condition isOnBsdPpp(int protocol) {
        if (protocol != IP) {
            return loads.equal(LINK_TYPE, 0, H, ppp(protocol));
        }
        Condition plain = loads.equal(LINK_TYPE, 0, H, PPP_IP);
        Condition compressed = plain.or(loads.equal(LINK_TYPE, 0, H, 0x002d)); // Van Jacobson (RFC 1144)
        return compressed.or(loads.equal(LINK_TYPE, 0, H, 0x002f));
    }

    /**
     * An address family. It is in the byte order of the capturing machine, except for LOOP; the family of IPv6 depends
     * on the system.
     */
    private Condition isOnLoopback(int protocol) {
        if (protocol == IP) {
            return isFamily(2);
        }
        if (protocol != IPV6) {
            return Loads.never();
        }
        Condition bsd = isFamily(24);
        Condition any = bsd.or(isFamily(28));
        return isFamily(30).or(any);
    }

    private Condition isFamily(int family) {
        boolean isNetworkOrder = state.linkType == Dlt.LOOP || state.isBigEndian;
        return loads.equal(LINK_HEADER, 0, W, isNetworkOrder ? family : Integer.reverseBytes(family));
    }

    private Condition isInFirewallLog(int protocol) {
        return switch (protocol) {
            case IP -> loads.equal(LINK_HEADER, 1, B, 2);
            case IPV6 -> loads.equal(LINK_HEADER, 1, B, 10);
            default -> Loads.never();
        };
    }

    private Condition isOnArcnet(int protocol) {
        return switch (protocol) {
            case IPV6 -> loads.equal(LINK_TYPE, 0, B, 196);
            case IP -> {
                Condition current = loads.equal(LINK_TYPE, 0, B, 212);
                yield current.or(loads.equal(LINK_TYPE, 0, B, 240));
            }
            case ARP -> {
                Condition current = loads.equal(LINK_TYPE, 0, B, 213);
                yield current.or(loads.equal(LINK_TYPE, 0, B, 241));
            }
            case RARP -> loads.equal(LINK_TYPE, 0, B, 214);
            case ATALK -> loads.equal(LINK_TYPE, 0, B, 221);
            default -> Loads.never();
        };
    }

    /** By control field and NLPID (RFC 2427), after an address of two bytes. */
    private Condition isOnFrameRelay(int protocol) {
        return switch (protocol) {
            case IP -> loads.equal(LINK_HEADER, 2, H, 0x03cc);
            case IPV6 -> loads.equal(LINK_HEADER, 2, H, 0x038e);
            case SAP_OSI -> {
                Condition clnp = loads.equal(LINK_HEADER, 2, H, 0x0381);
                Condition esis = loads.equal(LINK_HEADER, 2, H, 0x0382);
                yield clnp.or(esis.or(loads.equal(LINK_HEADER, 2, H, 0x0383)));
            }
            default -> Loads.never();
        };
    }

    private Condition isOnIpnet(int protocol) {
        return switch (protocol) {
            case IP -> loads.equal(LINK_TYPE, 0, B, 2);
            case IPV6 -> loads.equal(LINK_TYPE, 0, B, 26);
            default -> Loads.never();
        };
    }
}
