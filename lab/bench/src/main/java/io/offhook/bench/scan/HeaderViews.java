package io.offhook.bench.scan;

import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.link.ArpView;
import io.offhook.packet.link.CdpView;
import io.offhook.packet.link.CiscoHdlcView;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.FrameRelayView;
import io.offhook.packet.link.LacpView;
import io.offhook.packet.link.LlcView;
import io.offhook.packet.link.LldpView;
import io.offhook.packet.link.MacSecView;
import io.offhook.packet.link.MplsView;
import io.offhook.packet.link.PppView;
import io.offhook.packet.link.PppoeView;
import io.offhook.packet.link.PseudowireView;
import io.offhook.packet.link.StpView;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.link.VnTagView;
import io.offhook.packet.network.AuthenticationView;
import io.offhook.packet.network.EspView;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import io.offhook.packet.network.IgmpView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6ExtensionView;
import io.offhook.packet.network.Ipv6FragmentView;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.network.OspfView;
import io.offhook.packet.network.PimView;
import io.offhook.packet.network.VrrpView;
import io.offhook.packet.transport.DccpView;
import io.offhook.packet.transport.SctpView;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpLiteView;
import io.offhook.packet.transport.UdpView;
import io.offhook.packet.tunnel.CapwapView;
import io.offhook.packet.tunnel.ErspanView;
import io.offhook.packet.tunnel.GeneveView;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.tunnel.GtpCView;
import io.offhook.packet.tunnel.GtpUView;
import io.offhook.packet.tunnel.L2tpView;
import io.offhook.packet.tunnel.NshView;
import io.offhook.packet.tunnel.TeredoView;
import io.offhook.packet.tunnel.VxlanView;
import io.offhook.packet.walk.LayerHandlers;
import io.offhook.packet.walk.PacketWalker;
import org.jspecify.annotations.Nullable;

/** A view for each kind of header that Ethernet can carry, to be wrapped around the layers of a walk. For one thread. */
final class HeaderViews {
    private final LayerHandlers handlers = new LayerHandlers();
    private long reported;

    HeaderViews() {
        for (LayerType type : LayerType.values()) {
            LayerView view = view(type);
            if (view != null) {
                handlers.on(view, (on, walker, layer) -> reported++);
            } else if (type != LayerType.PAYLOAD && !isReadWithAnother(type)) {
                handlers.on(type, (segment, offset, length, walker) -> reported++);
            }
        }
    }

    /** Kinds that the view of another kind also reads. */
    private static boolean isReadWithAnother(LayerType type) {
        return switch (type) {
            case SERVICE_VLAN, DESTINATION_OPTIONS, ROUTING, MOBILITY, IPV6_EXTENSION -> true;
            default -> false;
        };
    }

    /** The view for each kind of header that Ethernet can carry; null if there is none, or if another view reads it. */
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

    /** Wraps the views around all headers of the walked packet. */
    void peer(PacketWalker walker) {
        handlers.dispatch(walker);
    }

    /** Returns the headers for which a view was wrapped, or that were reported by position if their type has no view. */
    long reported() {
        return reported;
    }

    /** Returns the headers for which no view could be wrapped: their options are cut, or their version differs. */
    long unreadable() {
        return handlers.unreadable();
    }
}
