package io.offhook.packet.walk;

import static io.offhook.packet.walk.Walk.DONE;
import static io.offhook.packet.walk.Walk.ETHER_TYPE;
import static io.offhook.packet.walk.Walk.LINK;
import static io.offhook.packet.walk.Walk.PPP_PROTOCOL;

import io.offhook.packet.EtherType;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.link.CiscoHdlcView;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.PppoeView;

/** PPP on serial lines, in PPPoE and in tunnels; and Cisco HDLC, which is used on the same lines. */
final class PppLayers {
    /** The length of the bridging control protocol's header (RFC 3518, 4.2), and the offset of the kind of network. */
    private static final int BRIDGED_LENGTH = 2;

    private static final int BRIDGED_NETWORK = 1;

    private PppLayers() {}

    /**
     * RFC 1661, 2 and RFC 1662, 3: address and control may be omitted, and the first byte of the protocol if it is 0.
     */
    static int ppp(Walk walk) {
        int header = 0;
        if (!walk.lacks(2)) {
            int first = walk.u16(0);
            if (first == 0xff03) {
                header = 2;
            } else if (first == 0x0f00 || first == 0x8f00) {
                return ciscoHdlc(walk);
            }
        }
        if (walk.lacks(header + 1)) {
            return walk.truncated(LayerType.PPP, header + 1);
        }
        int protocol = walk.u8(header);
        header++;
        if ((protocol & 1) == 0) {
            if (walk.lacks(header + 1)) {
                return walk.truncated(LayerType.PPP, header + 1);
            }
            protocol = protocol << 8 | walk.u8(header);
            header++;
        }
        walk.push(LayerType.PPP, header);
        return PPP_PROTOCOL | protocol;
    }

    /**
     * A byte that is 0 for received frames and not 0 for sent ones.
     *
     * @param inAddress whether it replaces the address, as in captures of pppd, instead of preceding the frame
     */
    static int withDirection(Walk walk, boolean inAddress) {
        if (walk.lacks(1)) {
            return walk.truncated(LayerType.PPP, 1);
        }
        boolean hasControl = !walk.lacks(2) && walk.u8(1) == 0x03;
        if (!hasControl) {
            walk.at += 1;
        } else if (walk.u8(0) != 0xff) {
            walk.at += inAddress ? 2 : 1;
        }
        return ppp(walk);
    }

    /** What a PPP protocol number leads to (RFC 1661, RFC 5072, RFC 3032). */
    static int protocol(Walk walk, int protocol) {
        return switch (protocol) {
            case 0x0021 -> CommonPath.ipv4(walk);
            case 0x0057 -> CommonPath.ipv6(walk);
            case 0x0281, 0x0283 -> EtherTypes.mpls(walk);
            case 0x0031 -> bridged(walk);
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }

    /** RFC 3518, 4.2: flags, the kind of network, then its frame. */
    private static int bridged(Walk walk) {
        if (walk.lacks(BRIDGED_LENGTH)) {
            return walk.truncated(LayerType.ETHERNET, BRIDGED_LENGTH + EthernetView.LENGTH);
        }
        if (walk.u8(BRIDGED_NETWORK) != 1) {
            return walk.unsupported(LayerType.PAYLOAD);
        }
        walk.at += BRIDGED_LENGTH;
        return LINK | LinkType.ETHERNET;
    }

    /** RFC 2516, 4, session stage: the length is that of the PPP frame. */
    static int pppoeSession(Walk walk) {
        if (walk.lacks(PppoeView.LENGTH)) {
            return walk.truncated(LayerType.PPPOE, PppoeView.LENGTH);
        }
        walk.clip(PppoeView.LENGTH + walk.u16(PppoeView.PAYLOAD_LENGTH));
        walk.push(LayerType.PPPOE, PppoeView.LENGTH);
        return ppp(walk);
    }

    /** RFC 2516, 5: the tags are not walked. */
    static int pppoeDiscovery(Walk walk) {
        if (walk.lacks(PppoeView.LENGTH)) {
            return walk.truncated(LayerType.PPPOE, PppoeView.LENGTH);
        }
        walk.clip(PppoeView.LENGTH + walk.u16(PppoeView.PAYLOAD_LENGTH));
        walk.push(LayerType.PPPOE, PppoeView.LENGTH);
        return DONE;
    }

    /** Address, control, then an EtherType. */
    static int ciscoHdlc(Walk walk) {
        if (walk.lacks(CiscoHdlcView.LENGTH)) {
            return walk.truncated(LayerType.CISCO_HDLC, CiscoHdlcView.LENGTH);
        }
        int type = walk.u16(CiscoHdlcView.TYPE);
        walk.push(LayerType.CISCO_HDLC, CiscoHdlcView.LENGTH);
        return type > EtherType.MAX_LENGTH ? ETHER_TYPE | type : walk.unsupported(LayerType.PAYLOAD);
    }
}
