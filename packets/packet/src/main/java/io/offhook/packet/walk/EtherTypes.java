package io.offhook.packet.walk;

import static io.offhook.packet.walk.Walk.DONE;
import static io.offhook.packet.walk.Walk.ETHER_TYPE;
import static io.offhook.packet.walk.Walk.LINK;

import io.offhook.packet.EtherType;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.link.ArpView;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.MacSecView;
import io.offhook.packet.link.MplsView;
import io.offhook.packet.link.PseudowireView;
import io.offhook.packet.link.UnviewedLinks;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.link.VnTagView;
import io.offhook.packet.tunnel.NshView;

/** The steps that an EtherType (IEEE) leads to, except for IPv4 and IPv6 on the common path; and MPLS. */
final class EtherTypes {

    private static final int LABEL_IPV4_NULL = 0;
    private static final int LABEL_IPV6_NULL = 2;

    private EtherTypes() {}

    static int step(Walk walk, int type) {
        if (type <= EtherType.MAX_LENGTH) {
            return lengthField(walk, type);
        }
        return switch (type) {
            case EtherType.IPV4 -> CommonPath.ipv4(walk);
            case EtherType.IPV6 -> CommonPath.ipv6(walk);
            case EtherType.VLAN, 0x9100, 0x9200, 0x9300 -> tag(walk, LayerType.VLAN, VlanView.LENGTH);
            case EtherType.SERVICE_VLAN -> tag(walk, LayerType.SERVICE_VLAN, VlanView.LENGTH);
            case EtherType.ARP, EtherType.REVERSE_ARP -> arp(walk);
            case EtherType.MPLS, EtherType.MPLS_MULTICAST -> mpls(walk);
            case EtherType.PPPOE_DISCOVERY -> PppLayers.pppoeDiscovery(walk);
            case EtherType.PPPOE_SESSION -> PppLayers.pppoeSession(walk);
            case EtherType.PPP -> PppLayers.ppp(walk);
            case EtherType.TRANSPARENT_BRIDGING -> LINK | LinkType.ETHERNET;
            case EtherType.VNTAG -> tag(walk, LayerType.VNTAG, VnTagView.LENGTH);
            case EtherType.EXTENDER_TAG -> tag(walk, LayerType.VNTAG, UnviewedLinks.EXTENDER_TAG_LENGTH);
            case EtherType.PBB -> beforeEthernet(walk, LayerType.PBB, UnviewedLinks.PBB_LENGTH);
            case EtherType.FABRIC_PATH -> beforeEthernet(walk, LayerType.FABRIC_PATH, UnviewedLinks.FABRIC_PATH_LENGTH);
            case EtherType.MACSEC -> macSec(walk);
            case EtherType.CISCO_METADATA -> tag(walk, LayerType.CISCO_METADATA, UnviewedLinks.CISCO_METADATA_LENGTH);
            case EtherType.NSH -> networkService(walk);
            case EtherType.LLDP -> ControlLayers.message(walk, LayerType.LLDP, 2);
            case EtherType.SLOW_PROTOCOLS -> ControlLayers.slowProtocol(walk);
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

    /** A tag whose last field is the EtherType of its payload. */
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
     * IEEE 802.1AE, 9.3: flags, short length, packet number and, if a flag is set, an identifier of 8 bytes. Unless the
     * frame is encrypted, the EtherType follows; the frame ends with a check value of 16 bytes.
     */
    private static int macSec(Walk walk) {
        if (walk.lacks(MacSecView.MIN_LENGTH)) {
            return walk.truncated(LayerType.MACSEC, MacSecView.MIN_LENGTH);
        }
        int flags = walk.u8(MacSecView.FLAGS);
        int shortLength = walk.u8(MacSecView.SHORT_LENGTH) & 0x3f;
        int length = MacSecView.MIN_LENGTH + ((flags & 0x20) != 0 ? MacSecView.CHANNEL_IDENTIFIER_LENGTH : 0);
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
        walk.end = walk.at; // the rest is padding
        walk.wireEnd = walk.at;
        return DONE;
    }

    /**
     * The label stack (RFC 3032). No field names the payload: an explicit null label determines it, otherwise its first
     * four bits do (RFC 4928): 4 and 6 for IP, 0 for the control word of a pseudowire, anything else for Ethernet
     * without a control word.
     */
    static int mpls(Walk walk) {
        long entry;
        do {
            if (walk.lacks(MplsView.LENGTH)) {
                return walk.truncated(LayerType.MPLS, MplsView.LENGTH);
            }
            if (walk.lacksRoom()) {
                return walk.tooDeep(LayerType.MPLS);
            }
            entry = walk.u32(MplsView.LABEL);
            walk.push(LayerType.MPLS, MplsView.LENGTH);
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
        boolean hasControlWord = half == 0
                && (isOftenSeen(walk, PseudowireView.LENGTH + EthernetView.TYPE)
                        || !isOftenSeen(walk, EthernetView.TYPE));
        return hasControlWord
                ? beforeEthernet(walk, LayerType.PSEUDOWIRE, PseudowireView.LENGTH)
                : LINK | LinkType.ETHERNET;
    }

    /** Both a MAC address and a control word may start with four zero bits; the type after the addresses decides. */
    static boolean isOftenSeen(Walk walk, int position) {
        return !walk.lacks(position + 2) && isOftenSeen(walk.u16(position));
    }

    static boolean isOftenSeen(int type) {
        return switch (type) {
            case EtherType.IPV4,
                    EtherType.IPV6,
                    EtherType.VLAN,
                    EtherType.SERVICE_VLAN,
                    EtherType.ARP,
                    EtherType.MPLS,
                    EtherType.PPPOE_DISCOVERY,
                    EtherType.PPPOE_SESSION -> true;
            default -> false;
        };
    }

    /** RFC 8300: the length is in words; the last byte of the first word is the protocol. */
    static int networkService(Walk walk) {
        if (walk.lacks(NshView.MIN_LENGTH)) {
            return walk.truncated(LayerType.NSH, NshView.MIN_LENGTH);
        }
        int length = (walk.u8(NshView.HEADER_WORDS) & 0x3f) << 2;
        if (walk.u8(NshView.VERSION) >>> 6 != 0 || length < NshView.MIN_LENGTH) {
            return walk.malformed(LayerType.NSH, NshView.MIN_LENGTH);
        }
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.NSH, length);
        }
        int protocol = walk.u8(NshView.PROTOCOL);
        walk.push(LayerType.NSH, length);
        return genericProtocol(walk, protocol);
    }

    /** The protocol numbers common to NSH and VXLAN-GPE. */
    static int genericProtocol(Walk walk, int protocol) {
        return switch (protocol) {
            case 1 -> CommonPath.ipv4(walk);
            case 2 -> CommonPath.ipv6(walk);
            case 3 -> LINK | LinkType.ETHERNET;
            case 4 -> ETHER_TYPE | EtherType.NSH;
            case 5 -> ETHER_TYPE | EtherType.MPLS;
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }
}
