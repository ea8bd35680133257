package io.offhook.packet.fields;

import io.offhook.packet.Claims;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.application.DhcpView;
import io.offhook.packet.application.Dhcpv6View;
import io.offhook.packet.application.DiameterView;
import io.offhook.packet.application.DnsView;
import io.offhook.packet.application.H225View;
import io.offhook.packet.application.HepReader;
import io.offhook.packet.application.HttpView;
import io.offhook.packet.application.MgcpView;
import io.offhook.packet.application.NtpView;
import io.offhook.packet.application.OpaqueMessages;
import io.offhook.packet.application.QuicView;
import io.offhook.packet.application.RadiusView;
import io.offhook.packet.application.SkinnyView;
import io.offhook.packet.application.SnmpView;
import io.offhook.packet.application.StunView;
import io.offhook.packet.application.SyslogView;
import io.offhook.packet.application.TftpView;
import io.offhook.packet.application.TlsRecordView;
import io.offhook.packet.application.TurnChannelView;
import io.offhook.packet.application.UdptlView;
import io.offhook.packet.application.WireGuardView;
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
import io.offhook.packet.link.NflogView;
import io.offhook.packet.link.NullLoopbackView;
import io.offhook.packet.link.PppView;
import io.offhook.packet.link.PppoeView;
import io.offhook.packet.link.PseudowireView;
import io.offhook.packet.link.RadiotapView;
import io.offhook.packet.link.Sll2View;
import io.offhook.packet.link.SllView;
import io.offhook.packet.link.StpView;
import io.offhook.packet.link.UnviewedLinks;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.link.VnTagView;
import io.offhook.packet.link.WlanView;
import io.offhook.packet.network.AuthenticationView;
import io.offhook.packet.network.EspView;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import io.offhook.packet.network.IgmpView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6ExtensionView;
import io.offhook.packet.network.Ipv6FragmentView;
import io.offhook.packet.network.Ipv6RoutingView;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.network.MobilityView;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The list of the library's protocols, with one instance of each; create one list for each thread. A protocol is
 * described in the file of its view.
 */
public final class StandardProtocols {
    private final Map<LayerType, Protocol> layers = new EnumMap<>(LayerType.class);

    /** Creates all descriptors. */
    public StandardProtocols() {
        links();
        tags();
        networks();
        tunnels();
        transports();
        for (LayerType type : LayerType.values()) {
            layers.computeIfAbsent(type, unread -> Protocol.named(unread.label()));
        }
    }

    /** The descriptor of a type of layer; types that are only stepped over have a name and no fields. */
    public Protocol of(LayerType type) {
        return Objects.requireNonNull(layers.get(type));
    }

    /** New descriptors of the applications, in the order in which their marks are checked. */
    public static List<Protocol> applications() {
        return List.of(
                new StunView.Descriptor(),
                new OpaqueMessages.Dtls(),
                new OpaqueMessages.Zrtp(),
                new DhcpView.Descriptor(),
                new HepReader.Descriptor(),
                new TlsRecordView.Descriptor(),
                new OpaqueMessages.Rtsp(),
                new HttpView.Descriptor(),
                new H225View.Descriptor(),
                new DnsView.Descriptor("dns", Claims.NONE.udp(53).tcpWithLength(53)),
                new DnsView.Descriptor("mdns", Claims.NONE.udp(5353)),
                new DnsView.Descriptor("llmnr", Claims.NONE.udp(5355)),
                new Dhcpv6View.Descriptor(),
                new NtpView.Descriptor(),
                new TftpView.Descriptor(),
                new QuicView.Descriptor(),
                new TurnChannelView.Descriptor(),
                new MgcpView.Descriptor(),
                new SkinnyView.Descriptor(),
                new UdptlView.Descriptor(),
                new DiameterView.Descriptor(),
                new RadiusView.Descriptor(),
                new SnmpView.Descriptor(),
                new SyslogView.Descriptor(),
                new WireGuardView.Descriptor(),
                new OpaqueMessages.OfPort("nbns", 137),
                new OpaqueMessages.OfPort("nbds", 138),
                new OpaqueMessages.OfPort("ssdp", 1900),
                new OpaqueMessages.OfPort("iax2", 4569));
    }

    private void links() {
        layers.put(LayerType.ETHERNET, new EthernetView.Descriptor());
        layers.put(LayerType.FDDI, new UnviewedLinks.Fddi());
        layers.put(LayerType.TOKEN_RING, new UnviewedLinks.TokenRing());
        layers.put(LayerType.LINUX_SLL, new SllView.Descriptor());
        layers.put(LayerType.LINUX_SLL2, new Sll2View.Descriptor());
        layers.put(LayerType.NULL_LOOPBACK, new NullLoopbackView.Descriptor());
        layers.put(LayerType.PPP, new PppView.Descriptor());
        layers.put(LayerType.PPPOE, new PppoeView.Descriptor());
        layers.put(LayerType.CISCO_HDLC, new CiscoHdlcView.Descriptor());
        layers.put(LayerType.FRAME_RELAY, new FrameRelayView.Descriptor());
        layers.put(LayerType.NFLOG, new NflogView.Descriptor());
        layers.put(LayerType.ARCNET, new UnviewedLinks.Arcnet());
        layers.put(LayerType.IPOIB, new UnviewedLinks.Infiniband());
        layers.put(LayerType.RADIOTAP, new RadiotapView.Descriptor());
        layers.put(LayerType.WLAN, new WlanView.Descriptor());
        layers.put(LayerType.LLC, new LlcView.Descriptor());
        layers.put(LayerType.ARP, new ArpView.Descriptor());
        layers.put(LayerType.LLDP, new LldpView.Descriptor());
        layers.put(LayerType.STP, new StpView.Descriptor());
        layers.put(LayerType.LACP, new LacpView.Descriptor());
        layers.put(LayerType.CDP, new CdpView.Descriptor());
    }

    private void tags() {
        layers.put(LayerType.VLAN, new VlanView.Descriptor(LayerType.VLAN.label()));
        layers.put(LayerType.SERVICE_VLAN, new VlanView.Descriptor(LayerType.SERVICE_VLAN.label()));
        layers.put(LayerType.VNTAG, new VnTagView.Descriptor());
        layers.put(LayerType.PBB, new UnviewedLinks.ServiceInstance());
        layers.put(LayerType.FABRIC_PATH, new UnviewedLinks.FabricPath());
        layers.put(LayerType.MACSEC, new MacSecView.Descriptor());
        layers.put(LayerType.MPLS, new MplsView.Descriptor());
        layers.put(LayerType.PSEUDOWIRE, new PseudowireView.Descriptor());
    }

    private void networks() {
        layers.put(LayerType.IPV4, new Ipv4View.Descriptor());
        layers.put(LayerType.IPV6, new Ipv6View.Descriptor());
        extension(LayerType.HOP_BY_HOP, true);
        extension(LayerType.DESTINATION_OPTIONS, true);
        extension(LayerType.IPV6_EXTENSION, false);
        layers.put(LayerType.ROUTING, new Ipv6RoutingView.Descriptor());
        layers.put(LayerType.IPV6_FRAGMENT, new Ipv6FragmentView.Descriptor());
        layers.put(LayerType.MOBILITY, new MobilityView.Descriptor());
        layers.put(LayerType.AUTHENTICATION, new AuthenticationView.Descriptor());
        layers.put(LayerType.ESP, new EspView.Descriptor());
        layers.put(LayerType.ICMP, new IcmpView.Descriptor());
        layers.put(LayerType.ICMPV6, new Icmpv6View.Descriptor());
        layers.put(LayerType.IGMP, new IgmpView.Descriptor());
        layers.put(LayerType.VRRP, new VrrpView.Descriptor());
        layers.put(LayerType.OSPF, new OspfView.Descriptor());
        layers.put(LayerType.PIM, new PimView.Descriptor());
    }

    private void extension(LayerType type, boolean hasOptions) {
        layers.put(type, new Ipv6ExtensionView.Descriptor(type.label(), hasOptions));
    }

    private void tunnels() {
        layers.put(LayerType.GRE, new GreView.Descriptor());
        layers.put(LayerType.ERSPAN, new ErspanView.Descriptor());
        layers.put(LayerType.NSH, new NshView.Descriptor());
        layers.put(LayerType.VXLAN, new VxlanView.Descriptor());
        layers.put(LayerType.GENEVE, new GeneveView.Descriptor());
        layers.put(LayerType.GTP_U, new GtpUView.Descriptor());
        layers.put(LayerType.GTP_C, new GtpCView.Descriptor());
        layers.put(LayerType.L2TP, new L2tpView.Descriptor());
        layers.put(LayerType.TEREDO, new TeredoView.Descriptor());
        layers.put(LayerType.CAPWAP, new CapwapView.Descriptor());
    }

    private void transports() {
        layers.put(LayerType.TCP, new TcpView.Descriptor());
        layers.put(LayerType.UDP, new UdpView.Descriptor());
        layers.put(LayerType.UDP_LITE, new UdpLiteView.Descriptor());
        layers.put(LayerType.DCCP, new DccpView.Descriptor());
        layers.put(LayerType.SCTP, new SctpView.Descriptor());
        layers.put(LayerType.PAYLOAD, new Payload());
    }
}
