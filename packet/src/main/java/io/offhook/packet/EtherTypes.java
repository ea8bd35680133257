package io.offhook.packet;

import static io.offhook.packet.Walk.DONE;
import static io.offhook.packet.Walk.ETHER_TYPE;
import static io.offhook.packet.Walk.LINK;

/** The steps that an EtherType (IEEE) leads to, for all but IPv4 and IPv6 on the common path; and MPLS. */
final class EtherTypes {
    static final int TRANSPARENT_BRIDGING = 0x6558;
    static final int MPLS = 0x8847;
    static final int MPLS_MULTICAST = 0x8848;
    static final int NSH = 0x894f;
    static final int ARP = 0x0806;
    static final int REVERSE_ARP = 0x8035;
    static final int PPPOE_DISCOVERY = 0x8863;
    static final int PPPOE_SESSION = 0x8864;
    static final int CISCO_METADATA = 0x8909;
    static final int SLOW_PROTOCOLS = 0x8809;
    static final int LLDP = 0x88cc;

    /** Up to here the field is a length (IEEE 802.3, 3.2.6). */
    private static final int MAX_FRAME_LENGTH = 1500;

    private static final int LABEL_IPV4_NULL = 0;
    private static final int LABEL_IPV6_NULL = 2;

    private EtherTypes() {}

    static int step(Walk walk, int type) {
        if (type <= MAX_FRAME_LENGTH) {
            return lengthField(walk, type);
        }
        return switch (type) {
            case CommonPath.TYPE_IPV4 -> CommonPath.ipv4(walk);
            case CommonPath.TYPE_IPV6 -> CommonPath.ipv6(walk);
            case CommonPath.TYPE_VLAN, 0x9100, 0x9200, 0x9300 -> tag(walk, LayerType.VLAN, VlanView.LENGTH);
            case CommonPath.TYPE_SERVICE_VLAN -> tag(walk, LayerType.SERVICE_VLAN, VlanView.LENGTH);
            case ARP, REVERSE_ARP -> arp(walk);
            case MPLS, MPLS_MULTICAST -> mpls(walk);
            case PPPOE_DISCOVERY -> PppLayers.pppoeDiscovery(walk);
            case PPPOE_SESSION -> PppLayers.pppoeSession(walk);
            case 0x880b -> PppLayers.ppp(walk);
            case TRANSPARENT_BRIDGING -> LINK | LinkType.ETHERNET;
            case 0x8926 -> tag(walk, LayerType.VNTAG, 6);
            case 0x893f -> tag(walk, LayerType.VNTAG, 8);
            case 0x88e7 -> beforeEthernet(walk, LayerType.PBB, 4);
            case 0x8903 -> beforeEthernet(walk, LayerType.FABRIC_PATH, 2);
            case 0x88e5 -> macSec(walk);
            case CISCO_METADATA -> tag(walk, LayerType.CISCO_METADATA, 8);
            case NSH -> networkService(walk);
            case LLDP -> ControlLayers.message(walk, LayerType.LLDP, 2);
            case SLOW_PROTOCOLS -> ControlLayers.slowProtocol(walk);
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }

    private static int lengthField(Walk walk, int length) {
        walk.clip(length);
        if (walk.end - walk.at >= 2 && walk.u16(0) == 0xffff) {
            return walk.unsupported(LayerType.PAYLOAD); // IPX without LLC
        }
        return LinkLayers.llc(walk);
    }

    /** A tag that ends on the EtherType of what it tags. */
    private static int tag(Walk walk, LayerType layer, int length) {
        if (walk.lacks(length)) {
            return walk.truncated(layer, length);
        }
        int type = walk.u16(length - 2);
        walk.push(layer, length);
        return ETHER_TYPE | type;
    }

    private static int beforeEthernet(Walk walk, LayerType layer, int length) {
        if (walk.lacks(length)) {
            return walk.truncated(layer, length);
        }
        walk.push(layer, length);
        return LINK | LinkType.ETHERNET;
    }

    /**
     * IEEE 802.1AE, 9.3: flags, short length, packet number, and with a flag an identifier of 8 bytes. When nothing is
     * encrypted the EtherType follows, and a check value of 16 bytes ends the frame.
     */
    private static int macSec(Walk walk) {
        if (walk.lacks(6)) {
            return walk.truncated(LayerType.MACSEC, 6);
        }
        int flags = walk.u8(0);
        int shortLength = walk.u8(1) & 0x3f;
        int length = (flags & 0x20) != 0 ? 14 : 6;
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.MACSEC, length);
        }
        boolean isEncrypted = (flags & 0x0c) != 0;
        if (isEncrypted || walk.wireEnd - walk.at < length + 18) {
            walk.push(LayerType.MACSEC, length);
            return DONE;
        }
        int withoutCheckValue = walk.wireEnd - walk.at - 16;
        walk.clip(shortLength == 0 ? withoutCheckValue : Math.min(length + shortLength, withoutCheckValue));
        return tag(walk, LayerType.MACSEC, length + 2);
    }

    /** RFC 826 and RFC 903. */
    private static int arp(Walk walk) {
        if (walk.lacks(ArpView.FIXED_LENGTH)) {
            return walk.truncated(LayerType.ARP, ArpView.FIXED_LENGTH);
        }
        int length = ArpView.length(walk.segment, walk.base + walk.at);
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.ARP, length);
        }
        walk.push(LayerType.ARP, length);
        walk.end = walk.at; // what is left pads the frame
        walk.wireEnd = walk.at;
        return DONE;
    }

    /**
     * The label stack (RFC 3032). What follows is not named: an explicit null label names it, else the first half byte
     * does (RFC 4928): 4 and 6 for IP, 0 for a pseudowire's control word, anything else for Ethernet without one.
     */
    static int mpls(Walk walk) {
        long entry;
        do {
            if (walk.lacks(4)) {
                return walk.truncated(LayerType.MPLS, 4);
            }
            if (walk.lacksRoom()) {
                return walk.tooDeep(LayerType.MPLS);
            }
            entry = walk.u32(0);
            walk.push(LayerType.MPLS, 4);
        } while ((entry & 0x100) == 0);
        if (walk.lacks(1)) {
            return DONE;
        }
        int label = (int) (entry >>> 12);
        int half = walk.u8(0) >>> 4;
        if (half == 4 || label == LABEL_IPV4_NULL) {
            return CommonPath.ipv4(walk);
        }
        if (half == 6 || label == LABEL_IPV6_NULL) {
            return CommonPath.ipv6(walk);
        }
        if (half == 1) {
            return walk.unsupported(LayerType.PAYLOAD); // an associated channel (RFC 4385, 5): management
        }
        boolean hasControlWord = half == 0 && (isOftenSeen(walk, 4 + 12) || !isOftenSeen(walk, 12));
        return hasControlWord ? beforeEthernet(walk, LayerType.PSEUDOWIRE, 4) : LINK | LinkType.ETHERNET;
    }

    /** A MAC address may start with a half byte of 0 as well as a control word; the type behind it tells which it is. */
    static boolean isOftenSeen(Walk walk, int position) {
        return !walk.lacks(position + 2) && isOftenSeen(walk.u16(position));
    }

    static boolean isOftenSeen(int type) {
        return switch (type) {
            case CommonPath.TYPE_IPV4,
                    CommonPath.TYPE_IPV6,
                    CommonPath.TYPE_VLAN,
                    CommonPath.TYPE_SERVICE_VLAN,
                    ARP,
                    MPLS,
                    PPPOE_DISCOVERY,
                    PPPOE_SESSION -> true;
            default -> false;
        };
    }

    /** RFC 8300: the length counts words, the last byte of the first word is the protocol. */
    static int networkService(Walk walk) {
        if (walk.lacks(8)) {
            return walk.truncated(LayerType.NSH, 8);
        }
        int length = (walk.u8(1) & 0x3f) << 2;
        if (walk.u8(0) >>> 6 != 0 || length < 8) {
            return walk.malformed(LayerType.NSH, 8);
        }
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.NSH, length);
        }
        int protocol = walk.u8(3);
        walk.push(LayerType.NSH, length);
        return genericProtocol(walk, protocol);
    }

    /** The protocol numbers that NSH and VXLAN-GPE share. */
    static int genericProtocol(Walk walk, int protocol) {
        return switch (protocol) {
            case 1 -> CommonPath.ipv4(walk);
            case 2 -> CommonPath.ipv6(walk);
            case 3 -> LINK | LinkType.ETHERNET;
            case 4 -> ETHER_TYPE | NSH;
            case 5 -> ETHER_TYPE | MPLS;
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }
}
