package io.offhook.packet.walk;

import static io.offhook.packet.walk.Walk.DONE;

import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerType;
import io.offhook.packet.link.CdpView;
import io.offhook.packet.link.LacpView;
import io.offhook.packet.link.StpView;
import io.offhook.packet.network.OspfView;
import io.offhook.packet.network.PimView;
import io.offhook.packet.network.VrrpView;

/** The steps of control protocols, which carry no packet, except for PIM's register message. */
final class ControlLayers {
    static final int CISCO = 0x00000c;

    private static final int SNAP_CDP = 0x2000;
    private static final int SNAP_SPANNING_TREE = 0x010b;

    private ControlLayers() {}

    /** A message that extends to the end of the layer below. */
    static int message(Walk walk, LayerType type, int minLength) {
        if (walk.lacks(minLength)) {
            return walk.truncated(type, minLength);
        }
        walk.push(type, walk.end - walk.at);
        return DONE;
    }

    /** IEEE 802.3, 57A: the first byte is the subtype; 1 is link aggregation. */
    static int slowProtocol(Walk walk) {
        if (walk.lacks(1)) {
            return walk.truncated(LayerType.LACP, LacpView.MIN_LENGTH);
        }
        return walk.u8(LacpView.SUBTYPE) == LacpView.SUBTYPE_LACP
                ? message(walk, LayerType.LACP, LacpView.MIN_LENGTH)
                : walk.unsupported(LayerType.PAYLOAD);
    }

    /** Cisco's protocols over LLC and SNAP: discovery, and spanning tree per VLAN. */
    static int cisco(Walk walk, int type) {
        return switch (type) {
            case SNAP_CDP -> message(walk, LayerType.CDP, CdpView.MIN_LENGTH);
            case SNAP_SPANNING_TREE -> message(walk, LayerType.STP, StpView.NOTIFICATION_LENGTH);
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }

    static int vrrp(Walk walk) {
        if (walk.lacks(VrrpView.MIN_LENGTH)) {
            return walk.truncated(LayerType.VRRP, VrrpView.MIN_LENGTH);
        }
        int version = walk.u8(VrrpView.VERSION) >>> 4;
        return version == 2 || version == 3
                ? message(walk, LayerType.VRRP, VrrpView.MIN_LENGTH)
                : walk.unsupported(LayerType.PAYLOAD);
    }

    /** RFC 2328, A.3.1 and RFC 5340, A.3.1: the header; the rest depends on the type. */
    static int ospf(Walk walk) {
        if (walk.lacks(OspfView.MIN_LENGTH)) {
            return walk.truncated(LayerType.OSPF, OspfView.MIN_LENGTH);
        }
        int version = walk.u8(OspfView.VERSION);
        if (version != 2 && version != 3) {
            return walk.unsupported(LayerType.PAYLOAD);
        }
        int length = version == 2 ? OspfView.LENGTH_2 : OspfView.MIN_LENGTH;
        if (walk.lacks(length)) {
            return walk.truncated(LayerType.OSPF, length);
        }
        walk.push(LayerType.OSPF, length);
        return DONE;
    }

    /** RFC 7761, 4.9. A register message (4.9.3) carries a packet after four bytes of flags. */
    static int pim(Walk walk) {
        if (walk.lacks(PimView.LENGTH)) {
            return walk.truncated(LayerType.PIM, PimView.LENGTH);
        }
        int first = walk.u8(PimView.VERSION);
        if (first >>> 4 != 2) {
            return walk.unsupported(LayerType.PAYLOAD);
        }
        if ((first & 15) != 1 || walk.lacks(PimView.REGISTER_LENGTH + 1)) {
            walk.push(LayerType.PIM, PimView.LENGTH);
            return DONE;
        }
        walk.push(LayerType.PIM, PimView.REGISTER_LENGTH);
        return switch (walk.u8(0) >>> 4) {
            case 4 -> Walk.IP_PROTOCOL | IpProtocol.IPV4;
            case 6 -> Walk.IP_PROTOCOL | IpProtocol.IPV6;
            default -> DONE;
        };
    }
}
