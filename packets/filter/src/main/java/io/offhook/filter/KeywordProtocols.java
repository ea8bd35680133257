package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.B;
import static io.offhook.filter.BpfOpcode.H;
import static io.offhook.filter.Loads.Base.LINK_HEADER;
import static io.offhook.filter.Loads.Base.NETWORK;
import static io.offhook.filter.Loads.Base.NETWORK_BEHIND_LLC;

/** Tests of protocols: a keyword on its own, and {@code proto} with a number. */
final class KeywordProtocols {
    private static final int FRAGMENT = 44;

    // network layer protocol identifiers (ISO/IEC TR 9577)
    private static final int CLNP = 0x81;
    private static final int ESIS = 0x82;
    private static final int ISIS = 0x83;

    // PDU types of IS-IS (ISO/IEC 10589, 9.5): hellos, link states, complete and partial sequence numbers
    private static final int L1_HELLO = 15;
    private static final int L2_HELLO = 16;
    private static final int POINT_TO_POINT_HELLO = 17;
    private static final int L1_LSP = 18;
    private static final int L2_LSP = 20;
    private static final int L1_CSNP = 24;
    private static final int L2_CSNP = 25;
    private static final int L1_PSNP = 26;
    private static final int L2_PSNP = 27;

    private final LinkPosition state;
    private final Loads loads;
    private final LinkTypes linkTypes;

    KeywordProtocols(LinkPosition state, Loads loads, LinkTypes linkTypes) {
        this.state = state;
        this.loads = loads;
        this.linkTypes = linkTypes;
    }

    /** A protocol given by its keyword only. */
    Condition named(KeywordProtocol protocol) {
        return switch (protocol) {
            case SCTP -> inEither(132);
            case TCP -> inEither(6);
            case UDP -> inEither(17);
            case PIM -> inEither(103);
            case AH -> inEither(51);
            case ESP -> inEither(50);
            case ICMP -> inside(KeywordProtocol.IP, 1);
            case IGMP -> inside(KeywordProtocol.IP, 2);
            case IGRP -> inside(KeywordProtocol.IP, 9);
            case VRRP, CARP -> inside(KeywordProtocol.IP, 112);
            case ICMP6 -> inside(KeywordProtocol.IP6, 58);
            case IP -> linkTypes.is(LinkTypes.IP);
            case IP6 -> linkTypes.is(LinkTypes.IPV6);
            case ARP -> linkTypes.is(LinkTypes.ARP);
            case RARP -> linkTypes.is(LinkTypes.RARP);
            case ATALK -> linkTypes.is(LinkTypes.ATALK);
            case AARP -> linkTypes.is(LinkTypes.AARP);
            case DECNET -> linkTypes.is(LinkTypes.DECNET);
            case SCA -> linkTypes.is(0x6007);
            case LAT -> linkTypes.is(0x6004);
            case MOPDL -> linkTypes.is(0x6001);
            case MOPRC -> linkTypes.is(0x6002);
            case ISO -> linkTypes.is(LinkTypes.SAP_OSI);
            case STP -> linkTypes.is(LinkTypes.SAP_SPANNING_TREE);
            case IPX -> linkTypes.is(LinkTypes.SAP_IPX);
            case NETBEUI -> linkTypes.is(LinkTypes.SAP_NETBEUI);
            case ESIS -> inside(KeywordProtocol.ISO, ESIS);
            case ISIS -> inside(KeywordProtocol.ISO, ISIS);
            case CLNP -> inside(KeywordProtocol.ISO, CLNP);
            case L1 -> isis(L1_HELLO, POINT_TO_POINT_HELLO, L1_LSP, L1_CSNP, L1_PSNP);
            case L2 -> isis(L2_HELLO, POINT_TO_POINT_HELLO, L2_LSP, L2_CSNP, L2_PSNP);
            case IIH -> isis(L1_HELLO, L2_HELLO, POINT_TO_POINT_HELLO);
            case LSP -> isis(L1_LSP, L2_LSP);
            case SNP -> isis(L1_CSNP, L2_CSNP, L1_PSNP, L2_PSNP);
            case CSNP -> isis(L1_CSNP, L2_CSNP);
            case PSNP -> isis(L1_PSNP, L2_PSNP);
            case LINK -> throw state.error("link layer applied in wrong context");
            case RADIO -> throw state.error("'radio' is not a valid protocol type");
            case ANY -> throw new IllegalArgumentException("internal error: no protocol is named");
        };
    }

    private Condition inEither(int number) {
        Condition inIpv4 = inside(KeywordProtocol.IP, number);
        return inIpv4.or(inside(KeywordProtocol.IP6, number));
    }

    /** Any of the PDU types; as in libpcap, the later ones are tested first, from the third on. */
    private Condition isis(int first, int second, int... more) {
        Condition condition = inside(KeywordProtocol.ISIS, first);
        condition = condition.or(inside(KeywordProtocol.ISIS, second));
        for (int type : more) {
            condition = inside(KeywordProtocol.ISIS, type).or(condition);
        }
        return condition;
    }

    /** A protocol nested in another: {@code ip proto 17}. */
    Condition inside(KeywordProtocol outer, int number) {
        return switch (outer) {
            case ANY -> {
                Condition inIpv4 = inside(KeywordProtocol.IP, number);
                yield inIpv4.or(inside(KeywordProtocol.IP6, number));
            }
            case LINK -> linkTypes.is(number);
            case IP -> {
                Condition ip = linkTypes.is(LinkTypes.IP);
                yield ip.and(loads.equal(NETWORK, 9, B, number));
            }
            case IP6 -> {
                Condition ip = linkTypes.is(LinkTypes.IPV6);
                Condition fragment = loads.equal(NETWORK, 6, B, FRAGMENT);
                Condition behind = fragment.and(loads.equal(NETWORK, 40, B, number));
                yield ip.and(loads.equal(NETWORK, 6, B, number).or(behind));
            }
            case ISO -> insideOsi(number);
            case ISIS -> {
                Condition isis = inside(KeywordProtocol.ISO, ISIS);
                yield isis.and(loads.equal(NETWORK_BEHIND_LLC, 4, B, number));
            }
            default -> throw state.error(complaint(outer));
        };
    }

    private Condition insideOsi(int number) {
        return switch (state.linkType) {
            case Dlt.FRELAY -> loads.equal(LINK_HEADER, 2, H, 0x0300 | number);
            case Dlt.C_HDLC -> {
                Condition osi = linkTypes.is(LinkTypes.SAP_OSI << 8 | LinkTypes.SAP_OSI);
                yield osi.and(loads.equal(NETWORK_BEHIND_LLC, 1, B, number)); // a byte of padding comes first
            }
            default -> {
                Condition osi = linkTypes.is(LinkTypes.SAP_OSI);
                yield osi.and(loads.equal(NETWORK_BEHIND_LLC, 0, B, number));
            }
        };
    }

    private static String complaint(KeywordProtocol outer) {
        return switch (outer) {
            case ARP, RARP -> outer.word() + " does not encapsulate another protocol";
            case LAT, SCA, MOPRC, MOPDL -> outer.name() + " does not encapsulate another protocol";
            case ATALK -> "AppleTalk encapsulation is not specifiable";
            case DECNET -> "DECNET encapsulation is not specifiable";
            case CLNP -> "'clnp proto' is not supported";
            default -> "'" + outer.word() + " proto' is bogus";
        };
    }
}
