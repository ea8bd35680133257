package io.offhook.packet.walk;

import static io.offhook.packet.walk.Walk.ETHER_TYPE;
import static io.offhook.packet.walk.Walk.LINK;

import io.offhook.packet.EtherType;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.link.NullLoopbackView;
import io.offhook.packet.link.UnviewedLinks;

/** The first steps of a frame for rare link types: of one system, of one vendor, of old networks. */
final class RareLinks {
    private static final int ARCNET_OLD_LENGTH = 5;
    private static final int ARCNET_SPLIT = 5;
    private static final int JUNIPER_LENGTH = 4;
    private static final int JUNIPER_FLAGS = 3;
    private static final int JUNIPER_MAGIC = 0x4d4743;
    private static final int JUNIPER_NO_LINK_HEADER = 0x02;
    private static final int JUNIPER_EXTENSIONS = 0x80;
    private static final int PFLOG_LENGTH = 4;
    private static final int PFLOG_SIZE = 0;
    private static final int PFLOG_FAMILY = 1;
    private static final int FIREWIRE_LENGTH = 18;
    private static final int FIREWIRE_TYPE = 16;
    private static final int FIBRE_CHANNEL_LENGTH = 16;
    private static final int ENC_LENGTH = 12;
    private static final int PKTAP_MIN_LENGTH = 12;
    private static final int PKTAP_SIZE = 0;
    private static final int PKTAP_KIND = 4;
    private static final int PKTAP_LINK_TYPE = 8;
    private static final int IPNET_LENGTH = 24;
    private static final int IPNET_FAMILY = 1;
    private static final int IPNET_INET6 = 26;

    private RareLinks() {}

    static int step(Walk walk, int linkType) {
        return switch (linkType) {
            case LinkType.IPNET -> ipnet(walk);
            case LinkType.ENC -> encapsulation(walk);
            case LinkType.PKTAP, LinkType.USER2 -> pktap(walk);
            case LinkType.PFLOG -> pflog(walk);
            case LinkType.ARCNET_LINUX -> arcnet(walk);
            case LinkType.IP_OVER_INFINIBAND -> ipOverInfiniband(walk);
            case LinkType.JUNIPER_ETHERNET -> juniper(walk);
            case LinkType.IP_OVER_FIREWIRE -> ipOverFirewire(walk);
            case LinkType.IP_OVER_FIBRE_CHANNEL -> ipOverFibreChannel(walk);
            case LinkType.CISCO_HDLC_WITH_DIRECTION, LinkType.FRAME_RELAY_WITH_DIRECTION ->
                withDirection(walk, linkType);
            default -> OpaqueLayers.step(walk, linkType);
        };
    }

    /** A byte that is 0 for received frames and not 0 for sent ones, then the frame. */
    private static int withDirection(Walk walk, int linkType) {
        boolean isHdlc = linkType == LinkType.CISCO_HDLC_WITH_DIRECTION;
        if (walk.lacks(1)) {
            return walk.truncated(isHdlc ? LayerType.CISCO_HDLC : LayerType.FRAME_RELAY, 1);
        }
        walk.at += 1;
        return isHdlc ? PppLayers.ciscoHdlc(walk) : LinkLayers.frameRelay(walk);
    }

    /** OpenBSD's pflog(4): the header's length, not rounded up to four, then the address family. */
    private static int pflog(Walk walk) {
        if (walk.lacks(PFLOG_LENGTH)) {
            return walk.truncated(LayerType.PAYLOAD, PFLOG_LENGTH);
        }
        int length = walk.u8(PFLOG_SIZE) + 3 & ~3;
        int family = walk.u8(PFLOG_FAMILY);
        if (length < PFLOG_LENGTH) {
            return walk.malformed(LayerType.PAYLOAD, PFLOG_LENGTH);
        }
        if (walk.lacks(length)) {
            return walk.truncated(LayerType.PAYLOAD, length);
        }
        walk.at += length;
        return switch (family) {
            case LinkLayers.FAMILY_INET -> CommonPath.ipv4(walk);
            case 24, 28, 30 -> CommonPath.ipv6(walk);
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }

    /**
     * RFC 1201, 2 in the form of Linux: addresses, an offset, a protocol and, for the protocols of that RFC, a sequence
     * number.
     */
    private static int arcnet(Walk walk) {
        if (walk.lacks(ARCNET_OLD_LENGTH)) {
            return walk.truncated(LayerType.ARCNET, ARCNET_OLD_LENGTH);
        }
        int protocol = walk.u8(UnviewedLinks.ARCNET_PROTOCOL);
        boolean isOld = protocol == 0xf0 || protocol == 0xf1 || protocol == 0xcd || protocol == 0x80;
        int length = isOld ? ARCNET_OLD_LENGTH : UnviewedLinks.ARCNET_LENGTH;
        if (walk.lacks(length)) {
            return walk.truncated(LayerType.ARCNET, length);
        }
        boolean isLaterFragment = !isOld && walk.u8(ARCNET_SPLIT) != 0 && (walk.u8(ARCNET_SPLIT) & 1) == 0;
        walk.push(LayerType.ARCNET, length);
        if (isLaterFragment) {
            return Walk.DONE;
        }
        return switch (protocol) {
            case 0xd4, 0xf0 -> CommonPath.ipv4(walk);
            case 0xd5, 0xf1 -> ETHER_TYPE | EtherType.ARP;
            case 0xd6 -> ETHER_TYPE | EtherType.REVERSE_ARP;
            case 0xcd -> LinkLayers.llc(walk); // BACnet's
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }

    /** RFC 4391, 6, after the 40 bytes of a global route header: an EtherType and two reserved bytes. */
    private static int ipOverInfiniband(Walk walk) {
        if (walk.lacks(UnviewedLinks.IPOIB_LENGTH)) {
            return walk.truncated(LayerType.IPOIB, UnviewedLinks.IPOIB_LENGTH);
        }
        int type = walk.u16(UnviewedLinks.IPOIB_TYPE);
        walk.push(LayerType.IPOIB, UnviewedLinks.IPOIB_LENGTH);
        return LinkLayers.etherType(walk, type);
    }

    /** Juniper's header: a magic number, flags, and extensions preceded by their length. */
    private static int juniper(Walk walk) {
        if (walk.lacks(JUNIPER_LENGTH)) {
            return walk.truncated(LayerType.JUNIPER, JUNIPER_LENGTH);
        }
        int flags = walk.u8(JUNIPER_FLAGS);
        boolean isMagic = walk.bits32(0) >>> 8 == JUNIPER_MAGIC;
        if (!isMagic || (flags & JUNIPER_NO_LINK_HEADER) != 0) {
            return walk.unsupported(LayerType.JUNIPER);
        }
        boolean hasExtensions = (flags & JUNIPER_EXTENSIONS) != 0;
        int extensions = JUNIPER_LENGTH + 2;
        if (hasExtensions && walk.lacks(extensions)) {
            return walk.truncated(LayerType.JUNIPER, extensions);
        }
        int length = hasExtensions ? extensions + walk.u16(JUNIPER_LENGTH) : JUNIPER_LENGTH;
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.JUNIPER, length);
        }
        walk.push(LayerType.JUNIPER, length);
        return LINK | LinkType.ETHERNET;
    }

    /** Apple's: two addresses of eight bytes, an EtherType. */
    private static int ipOverFirewire(Walk walk) {
        if (walk.lacks(FIREWIRE_LENGTH)) {
            return walk.truncated(LayerType.PAYLOAD, FIREWIRE_LENGTH);
        }
        int type = walk.u16(FIREWIRE_TYPE);
        walk.at += FIREWIRE_LENGTH;
        return LinkLayers.etherType(walk, type);
    }

    /** RFC 2625, 3.3: two addresses of eight bytes, then LLC. */
    private static int ipOverFibreChannel(Walk walk) {
        if (walk.lacks(FIBRE_CHANNEL_LENGTH)) {
            return walk.truncated(LayerType.PAYLOAD, FIBRE_CHANNEL_LENGTH);
        }
        walk.at += FIBRE_CHANNEL_LENGTH;
        return LinkLayers.llc(walk);
    }

    /**
     * BSD's enc(4), packets before or after IPsec: an address family as on loopback, an index and flags, then the
     * packet.
     */
    private static int encapsulation(Walk walk) {
        if (walk.lacks(ENC_LENGTH)) {
            return walk.truncated(LayerType.PAYLOAD, ENC_LENGTH);
        }
        long family = NullLoopbackView.family(walk.segment, walk.base + walk.at);
        walk.at += ENC_LENGTH;
        return switch ((int) Math.min(family, 0x10000)) {
            case LinkLayers.FAMILY_INET -> CommonPath.ipv4(walk);
            case 24, 28, 30 -> CommonPath.ipv6(walk);
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }

    /**
     * Apple's packet tap: the length of the header, 1 for a packet, and its link type, in the byte order of the
     * machine.
     */
    private static int pktap(Walk walk) {
        if (walk.lacks(PKTAP_MIN_LENGTH)) {
            return walk.truncated(LayerType.PAYLOAD, PKTAP_MIN_LENGTH);
        }
        boolean big = walk.u32(PKTAP_KIND) == 1;
        long length = native32(walk, PKTAP_SIZE, big);
        long kind = native32(walk, PKTAP_KIND, big);
        long linkType = native32(walk, PKTAP_LINK_TYPE, big);
        if (kind != 1
                || length < PKTAP_MIN_LENGTH
                || length > 4096
                || linkType > 0xffff
                || linkType == LinkType.PKTAP) {
            return walk.unsupported(LayerType.PAYLOAD);
        }
        if (walk.lacks((int) length)) {
            return walk.truncated(LayerType.PAYLOAD, (int) length);
        }
        walk.at += (int) length;
        return linkType == LinkType.USER2 ? walk.unsupported(LayerType.PAYLOAD) : LINK | (int) linkType;
    }

    private static long native32(Walk walk, int inLayer, boolean big) {
        long value = walk.u32(inLayer);
        return big ? value : Integer.reverseBytes((int) value) & 0xffff_ffffL;
    }

    /** Solaris' loopback and zone captures: 24 bytes, the second of them the address family. */
    private static int ipnet(Walk walk) {
        if (walk.lacks(IPNET_LENGTH)) {
            return walk.truncated(LayerType.PAYLOAD, IPNET_LENGTH);
        }
        int family = walk.u8(IPNET_FAMILY);
        walk.at += IPNET_LENGTH;
        return switch (family) {
            case LinkLayers.FAMILY_INET -> CommonPath.ipv4(walk);
            case IPNET_INET6 -> CommonPath.ipv6(walk);
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }
}
