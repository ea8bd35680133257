package io.offhook.packet.walk;

import static io.offhook.packet.walk.Walk.ETHER_TYPE;
import static io.offhook.packet.walk.Walk.IP_PROTOCOL;
import static io.offhook.packet.walk.Walk.LINK;

import io.offhook.packet.EtherType;
import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.link.CiscoHdlcView;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.FrameRelayView;
import io.offhook.packet.link.LlcView;
import io.offhook.packet.link.NflogView;
import io.offhook.packet.link.NullLoopbackView;
import io.offhook.packet.link.Sll2View;
import io.offhook.packet.link.SllView;
import io.offhook.packet.link.StpView;
import io.offhook.packet.link.UnviewedLinks;
import io.offhook.packet.network.Ipv4View;

/** The first steps of a frame by link type, except for Ethernet; and the payload of LLC. */
final class LinkLayers {
    static final int FAMILY_INET = 2;
    private static final int FAMILY_INET6_LINUX = 10;
    private static final int NFLOG_PACKET_HEADER = 1;
    private static final int NFLOG_PAYLOAD = 9;
    private static final int NFLOG_ATTRIBUTE_HEADER = 4;
    private static final int BRIDGED_PADDING = 2;
    /** RFC 2427, 3.3: organisation and type of SNAP, after the protocol identifier. */
    private static final int FRAME_RELAY_SNAP = 5;

    private LinkLayers() {}

    static int step(Walk walk, int linkType) {
        return switch (linkType) {
            case LinkType.ETHERNET -> CommonPath.ethernet(walk);
            case LinkType.NULL, LinkType.LOOP -> nullLoopback(walk);
            case LinkType.RAW, LinkType.RAW_BSD, LinkType.RAW_OPENBSD -> raw(walk);
            case LinkType.IPV4 -> CommonPath.ipv4(walk);
            case LinkType.IPV6 -> CommonPath.ipv6(walk);
            case LinkType.LINUX_SLL -> cooked(walk);
            case LinkType.LINUX_SLL2 -> cooked2(walk);
            case LinkType.PPP, LinkType.PPP_HDLC -> PppLayers.ppp(walk);
            case LinkType.PPP_PPPD -> PppLayers.withDirection(walk, true);
            case LinkType.PPP_WITH_DIRECTION -> PppLayers.withDirection(walk, false);
            case LinkType.PPP_ETHER -> PppLayers.pppoeSession(walk);
            case LinkType.CISCO_HDLC, LinkType.NETBSD_HDLC -> PppLayers.ciscoHdlc(walk);
            case LinkType.FRAME_RELAY -> frameRelay(walk);
            case LinkType.NFLOG -> nflog(walk);
            case LinkType.MPLS -> EtherTypes.mpls(walk);
            case LinkType.ATM_RFC1483, LinkType.LINUX_ATM_CLIP, 16, 18, 19 -> llcOrRaw(walk);
            case LinkType.FDDI -> fddi(walk);
            case LinkType.TOKEN_RING -> tokenRing(walk);
            case LinkType.IEEE802_11 -> WirelessLayers.frame(walk, false);
            case LinkType.IEEE802_11_RADIOTAP -> WirelessLayers.radiotap(walk);
            case LinkType.IEEE802_11_PRISM -> WirelessLayers.prism(walk);
            case LinkType.IEEE802_11_AVS -> WirelessLayers.avs(walk);
            case LinkType.PPI -> WirelessLayers.ppi(walk);
            default -> RareLinks.step(walk, linkType);
        };
    }

    /** An IP packet, whose first four bits are its version. */
    static int raw(Walk walk) {
        if (walk.lacks(1)) {
            return walk.truncated(LayerType.IPV4, Ipv4View.MIN_LENGTH);
        }
        return switch (walk.u8(0) >>> 4) {
            case 4 -> CommonPath.ipv4(walk);
            case 6 -> CommonPath.ipv6(walk);
            default -> walk.malformed(LayerType.IPV4, Ipv4View.MIN_LENGTH);
        };
    }

    /**
     * BSD loopback: an address family, in the byte order of the capturing machine, or (LOOP) of the network. The number
     * of IPv6 depends on the system. Larger numbers are EtherTypes.
     */
    private static int nullLoopback(Walk walk) {
        if (walk.lacks(NullLoopbackView.LENGTH)) {
            return walk.truncated(LayerType.NULL_LOOPBACK, NullLoopbackView.LENGTH);
        }
        if (walk.u16(0) == 0xff03) {
            return PppLayers.ppp(walk);
        }
        long family = NullLoopbackView.family(walk.segment, walk.base + walk.at);
        int type = walk.u16(CiscoHdlcView.TYPE); // the header of Cisco HDLC, which some files have here
        walk.push(LayerType.NULL_LOOPBACK, NullLoopbackView.LENGTH);
        return switch ((int) Math.min(family, 0x10000)) {
            case FAMILY_INET -> CommonPath.ipv4(walk);
            case FAMILY_INET6_LINUX, 23, 24, 26, 28, 30 -> CommonPath.ipv6(walk);
            default -> etherType(walk, family <= 0xffff ? (int) family : type);
        };
    }

    /** Linux cooked capture, version 1. */
    private static int cooked(Walk walk) {
        if (walk.lacks(SllView.LENGTH)) {
            return walk.truncated(LayerType.LINUX_SLL, SllView.LENGTH);
        }
        int hardware = walk.u16(SllView.HARDWARE_TYPE);
        int protocol = walk.u16(SllView.PROTOCOL);
        walk.push(LayerType.LINUX_SLL, SllView.LENGTH);
        return cookedPayload(walk, hardware, protocol);
    }

    /** Linux cooked capture, version 2. */
    private static int cooked2(Walk walk) {
        if (walk.lacks(Sll2View.LENGTH)) {
            return walk.truncated(LayerType.LINUX_SLL2, Sll2View.LENGTH);
        }
        int protocol = walk.u16(Sll2View.PROTOCOL);
        int hardware = walk.u16(Sll2View.HARDWARE_TYPE);
        walk.push(LayerType.LINUX_SLL2, Sll2View.LENGTH);
        return cookedPayload(walk, hardware, protocol);
    }

    private static int cookedPayload(Walk walk, int hardware, int protocol) {
        return switch (hardware) {
            case 770 -> frameRelay(walk);
            case 801 -> LINK | LinkType.IEEE802_11;
            case 803 -> LINK | LinkType.IEEE802_11_RADIOTAP;
            case 824 -> OpaqueLayers.named(walk, LayerType.NETLINK, 0); // the protocol is one of its families
            case 778 -> IpProtocols.greProtocol(walk, protocol); // the device of a GRE tunnel
            default -> protocol == 4 ? llc(walk) : etherType(walk, protocol);
        };
    }

    /** The meaning of an Ethernet type field that, below 1536, may also be something else. */
    static int etherType(Walk walk, int type) {
        return type >= EtherType.MIN ? ETHER_TYPE | type : walk.unsupported(LayerType.PAYLOAD);
    }

    /**
     * IEEE 802.2, with SNAP if both addresses are 0xaa: the header then has 8 bytes, otherwise 3, or 4 if the control
     * field has two bytes.
     */
    static int llc(Walk walk) {
        if (walk.lacks(LlcView.MIN_LENGTH)) {
            return walk.truncated(LayerType.LLC, LlcView.MIN_LENGTH);
        }
        int destination = walk.u8(LlcView.DESTINATION);
        boolean unnumbered = (walk.u8(LlcView.CONTROL) & 3) == 3;
        int length = unnumbered ? LlcView.MIN_LENGTH : LlcView.MIN_LENGTH + 1;
        if (destination == 0xaa && unnumbered) {
            if (walk.lacks(LlcView.SNAP_LENGTH)) {
                return walk.truncated(LayerType.LLC, LlcView.SNAP_LENGTH);
            }
            int organisation = NetworkOrder.u24(walk.segment, walk.base + walk.at + LlcView.ORGANISATION);
            int type = walk.u16(LlcView.TYPE);
            walk.push(LayerType.LLC, LlcView.SNAP_LENGTH);
            return snap(walk, organisation, type);
        }
        if (walk.lacks(length)) {
            return walk.truncated(LayerType.LLC, length);
        }
        walk.push(LayerType.LLC, length);
        if (destination == 0x42 && unnumbered) {
            return ControlLayers.message(walk, LayerType.STP, StpView.NOTIFICATION_LENGTH);
        }
        return destination == 0x06 && unnumbered ? IP_PROTOCOL | IpProtocol.IPV4 : walk.unsupported(LayerType.PAYLOAD);
    }

    /** RFC 2684 with LLC or without: SNAP starts with the four bits 10, which is no IP version. */
    private static int llcOrRaw(Walk walk) {
        boolean isIp = !walk.lacks(1) && (walk.u8(0) >>> 4 == 4 || walk.u8(0) >>> 4 == 6);
        return isIp ? raw(walk) : llc(walk);
    }

    /** ISO 9314-2: frame control, destination, source; the control says whether LLC follows. */
    private static int fddi(Walk walk) {
        if (walk.lacks(UnviewedLinks.FDDI_LENGTH)) {
            return walk.truncated(LayerType.FDDI, UnviewedLinks.FDDI_LENGTH);
        }
        boolean isLlc = (walk.u8(0) & 0xf0) == 0x50;
        walk.push(LayerType.FDDI, UnviewedLinks.FDDI_LENGTH);
        return isLlc ? llc(walk) : walk.unsupported(LayerType.PAYLOAD);
    }

    /**
     * IEEE 802.5: access and frame control, destination, source and, if the first bit of the source is set, a route.
     */
    private static int tokenRing(Walk walk) {
        if (walk.lacks(UnviewedLinks.TOKEN_RING_LENGTH + 1)) {
            return walk.truncated(LayerType.TOKEN_RING, UnviewedLinks.TOKEN_RING_LENGTH + 1);
        }
        boolean isLlc = walk.u8(1) >>> 6 == 1;
        boolean isRouted = (walk.u8(UnviewedLinks.TOKEN_RING_SOURCE) & 0x80) != 0;
        int route = isRouted ? walk.u8(UnviewedLinks.TOKEN_RING_LENGTH) & 0x1f : 0;
        int length = UnviewedLinks.TOKEN_RING_LENGTH + route;
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.TOKEN_RING, length);
        }
        walk.push(LayerType.TOKEN_RING, length);
        return isLlc ? llc(walk) : walk.unsupported(LayerType.PAYLOAD);
    }

    private static int snap(Walk walk, int organisation, int type) {
        switch (organisation) {
            case 0x000000, 0x0000f8:
                return ETHER_TYPE | type;
            case ControlLayers.CISCO:
                return ControlLayers.cisco(walk, type);
            case 0x0080c2: // RFC 2684, 5.2: bridged Ethernet, with and without its check sequence
                if (type != 1 && type != 7) {
                    break;
                }
                if (walk.lacks(BRIDGED_PADDING)) {
                    return walk.truncated(LayerType.ETHERNET, BRIDGED_PADDING + EthernetView.LENGTH);
                }
                walk.at += BRIDGED_PADDING;
                return LINK | LinkType.ETHERNET;
            default:
                break;
        }
        return walk.unsupported(LayerType.PAYLOAD);
    }

    /** Q.922 address of two to four bytes, then RFC 2427: a control byte and a protocol identifier; Cisco instead uses an EtherType. */
    static int frameRelay(Walk walk) {
        int address = 0;
        do {
            address++;
            if (walk.lacks(address + 2)) {
                return walk.truncated(LayerType.FRAME_RELAY, address + 2);
            }
        } while ((walk.u8(address - 1) & 1) == 0 && address < 4);
        if (address < 2 || (walk.u8(address - 1) & 1) == 0) {
            return walk.malformed(LayerType.FRAME_RELAY, FrameRelayView.MIN_LENGTH);
        }
        if (walk.u8(address) != 0x03) {
            int type = walk.u16(address);
            walk.push(LayerType.FRAME_RELAY, address + 2);
            return etherType(walk, type);
        }
        int pad = walk.u8(address + 1) == 0 ? 1 : 0;
        int header = address + 2 + pad;
        if (walk.lacks(header)) {
            return walk.truncated(LayerType.FRAME_RELAY, header);
        }
        int identifier = walk.u8(header - 1);
        if (identifier == 0x80) {
            if (walk.lacks(header + FRAME_RELAY_SNAP)) {
                return walk.truncated(LayerType.FRAME_RELAY, header + FRAME_RELAY_SNAP);
            }
            int organisation = NetworkOrder.u24(walk.segment, walk.base + walk.at + header);
            int type = walk.u16(header + 3);
            walk.push(LayerType.FRAME_RELAY, header + FRAME_RELAY_SNAP);
            return snap(walk, organisation, type);
        }
        walk.push(LayerType.FRAME_RELAY, header);
        return switch (identifier) {
            case 0xcc -> CommonPath.ipv4(walk);
            case 0x8e -> CommonPath.ipv6(walk);
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }

    /** Linux netfilter log: attributes in the byte order of the capturing machine; one of them is the packet. */
    private static int nflog(Walk walk) {
        if (walk.lacks(NflogView.LENGTH)) {
            return walk.truncated(LayerType.NFLOG, NflogView.LENGTH);
        }
        int family = walk.u8(NflogView.FAMILY);
        int type = family == FAMILY_INET ? EtherType.IPV4 : family == FAMILY_INET6_LINUX ? EtherType.IPV6 : 0;
        boolean big = isBigEndianNflog(walk);
        int position = NflogView.LENGTH;
        while (!walk.lacks(position + NFLOG_ATTRIBUTE_HEADER)) {
            int length = native16(walk, position, big);
            int attribute = native16(walk, position + 2, big) & 0x7fff;
            if (length < NFLOG_ATTRIBUTE_HEADER) {
                return walk.malformed(LayerType.NFLOG, NflogView.LENGTH);
            }
            if (attribute == NFLOG_PACKET_HEADER && type == 0 && !walk.lacks(position + NFLOG_ATTRIBUTE_HEADER + 2)) {
                type = walk.u16(position + NFLOG_ATTRIBUTE_HEADER);
            }
            if (attribute == NFLOG_PAYLOAD) {
                walk.clip(position + length);
                walk.push(LayerType.NFLOG, position + NFLOG_ATTRIBUTE_HEADER);
                return etherType(walk, type);
            }
            position += length + 3 & ~3;
        }
        walk.push(LayerType.NFLOG, NflogView.LENGTH);
        return Walk.DONE;
    }

    /** The lengths of the attributes are consistent in one byte order only. */
    private static boolean isBigEndianNflog(Walk walk) {
        if (walk.lacks(NflogView.LENGTH + NFLOG_ATTRIBUTE_HEADER)) {
            return false;
        }
        int little = native16(walk, NflogView.LENGTH, false);
        int available = walk.end - walk.at - NflogView.LENGTH;
        return (little < NFLOG_ATTRIBUTE_HEADER || little > available)
                && native16(walk, NflogView.LENGTH, true) <= available;
    }

    private static int native16(Walk walk, int inLayer, boolean big) {
        int value = walk.u16(inLayer);
        return big ? value : (value & 0xff) << 8 | value >>> 8;
    }
}
