package io.offhook.bench.scan;

import io.offhook.packet.ArpView;
import io.offhook.packet.AuthenticationView;
import io.offhook.packet.CapwapView;
import io.offhook.packet.CdpView;
import io.offhook.packet.CiscoHdlcView;
import io.offhook.packet.DccpView;
import io.offhook.packet.ErspanView;
import io.offhook.packet.EspView;
import io.offhook.packet.EthernetView;
import io.offhook.packet.FrameRelayView;
import io.offhook.packet.GeneveView;
import io.offhook.packet.GreView;
import io.offhook.packet.GtpCView;
import io.offhook.packet.GtpUView;
import io.offhook.packet.IcmpView;
import io.offhook.packet.Icmpv6View;
import io.offhook.packet.IgmpView;
import io.offhook.packet.Ipv4View;
import io.offhook.packet.Ipv6ExtensionView;
import io.offhook.packet.Ipv6FragmentView;
import io.offhook.packet.Ipv6View;
import io.offhook.packet.L2tpView;
import io.offhook.packet.LacpView;
import io.offhook.packet.LayerHandlers;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.LlcView;
import io.offhook.packet.LldpView;
import io.offhook.packet.MacSecView;
import io.offhook.packet.MplsView;
import io.offhook.packet.NshView;
import io.offhook.packet.OspfView;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.PimView;
import io.offhook.packet.PppView;
import io.offhook.packet.PppoeView;
import io.offhook.packet.PseudowireView;
import io.offhook.packet.SctpView;
import io.offhook.packet.StpView;
import io.offhook.packet.TcpView;
import io.offhook.packet.TeredoView;
import io.offhook.packet.UdpLiteView;
import io.offhook.packet.UdpView;
import io.offhook.packet.VlanView;
import io.offhook.packet.VnTagView;
import io.offhook.packet.VrrpView;
import io.offhook.packet.VxlanView;
import org.jspecify.annotations.Nullable;

/** A view for each kind of header that Ethernet can carry, to be put on whatever a walk found. For one thread. */
final class HeaderViews {
    private final LayerHandlers handlers = new LayerHandlers();
    private long told;

    HeaderViews() {
        for (LayerType type : LayerType.values()) {
            LayerView view = view(type);
            if (view != null) {
                handlers.on(view, (on, walker, layer) -> told++);
            } else if (type != LayerType.PAYLOAD && !isReadWithAnother(type)) {
                handlers.on(type, (segment, offset, length, walker) -> told++);
            }
        }
    }

    /** Those that the view of another kind reads as well. */
    private static boolean isReadWithAnother(LayerType type) {
        return switch (type) {
            case SERVICE_VLAN, DESTINATION_OPTIONS, ROUTING, MOBILITY, IPV6_EXTENSION -> true;
            default -> false;
        };
    }

    /** One for each kind of header that Ethernet can carry; null where there is none, and for those read with another. */
    private static @Nullable LayerView view(LayerType type) {
        return switch (type) {
            case ETHERNET -> new EthernetView();
            case PPP -> new PppView();
            case PPPOE -> new PppoeView();
            case CISCO_HDLC -> new CiscoHdlcView();
            case FRAME_RELAY -> new FrameRelayView();
            case VLAN -> new VlanView();
            case VNTAG -> new VnTagView();
            case MACSEC -> new MacSecView();
            case MPLS -> new MplsView();
            case PSEUDOWIRE -> new PseudowireView();
            case LLC -> new LlcView();
            case ARP -> new ArpView();
            case LLDP -> new LldpView();
            case STP -> new StpView();
            case LACP -> new LacpView();
            case CDP -> new CdpView();
            case IPV4 -> new Ipv4View();
            case IPV6 -> new Ipv6View();
            case HOP_BY_HOP -> new Ipv6ExtensionView();
            case IPV6_FRAGMENT -> new Ipv6FragmentView();
            case AUTHENTICATION -> new AuthenticationView();
            case ESP -> new EspView();
            case GRE -> new GreView();
            case ERSPAN -> new ErspanView();
            case NSH -> new NshView();
            case VXLAN -> new VxlanView();
            case GENEVE -> new GeneveView();
            case GTP_U -> new GtpUView();
            case GTP_C -> new GtpCView();
            case L2TP -> new L2tpView();
            case TEREDO -> new TeredoView();
            case CAPWAP -> new CapwapView();
            case TCP -> new TcpView();
            case UDP -> new UdpView();
            case UDP_LITE -> new UdpLiteView();
            case DCCP -> new DccpView();
            case SCTP -> new SctpView();
            case ICMP -> new IcmpView();
            case ICMPV6 -> new Icmpv6View();
            case IGMP -> new IgmpView();
            case VRRP -> new VrrpView();
            case OSPF -> new OspfView();
            case PIM -> new PimView();
            default -> null;
        };
    }

    /** Puts the views on all headers of the walked packet. */
    void peer(PacketWalker walker) {
        handlers.dispatch(walker);
    }

    /** Headers that a view was put on, or, where there is none for the kind, whose place was told. */
    long told() {
        return told;
    }

    /** Headers that no view could be put on: their options are cut, or they are of another version. */
    long unreadable() {
        return handlers.unreadable();
    }
}
