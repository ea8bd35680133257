package io.offhook.packet;

import static java.util.Map.entry;

import io.offhook.packet.application.DhcpView;
import io.offhook.packet.application.Dhcpv6View;
import io.offhook.packet.application.DnsRecords;
import io.offhook.packet.application.HttpView;
import io.offhook.packet.application.MgcpView;
import io.offhook.packet.application.QuicView;
import io.offhook.packet.application.SnmpView;
import io.offhook.packet.application.StunView;
import io.offhook.packet.application.SyslogView;
import io.offhook.packet.application.TftpView;
import io.offhook.packet.application.TlsClientHelloView;
import io.offhook.packet.application.WireGuardView;
import io.offhook.packet.link.ArpView;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.FrameRelayView;
import io.offhook.packet.link.LlcView;
import io.offhook.packet.link.LldpView;
import io.offhook.packet.link.MacSecView;
import io.offhook.packet.link.PppView;
import io.offhook.packet.link.RadiotapView;
import io.offhook.packet.link.StpView;
import io.offhook.packet.link.WlanView;
import io.offhook.packet.network.AuthenticationView;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import io.offhook.packet.network.IgmpView;
import io.offhook.packet.network.Ipv4Options;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6FragmentView;
import io.offhook.packet.network.Ipv6RoutingView;
import io.offhook.packet.network.MldView;
import io.offhook.packet.network.NeighborDiscoveryView;
import io.offhook.packet.network.OspfView;
import io.offhook.packet.network.VrrpView;
import io.offhook.packet.transport.SctpChunks;
import io.offhook.packet.transport.TcpOptions;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.tunnel.GtpCView;
import io.offhook.packet.tunnel.L2tpView;
import io.offhook.packet.tunnel.NshView;
import io.offhook.packet.tunnel.TeredoView;
import io.offhook.packet.tunnel.VxlanView;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;

/**
 * What views read and do not set, since it is no field: places, and what follows from fields that are set. A short list,
 * each with what it is derived from, so that a field cannot hide in it.
 */
final class DerivedAccessors {
    /** From the header's own lengths and from what is there. */
    private static final Set<String> EVERYWHERE =
            Set.of("headerLength", "payloadLength", "isSnapped", "isCut", "isMalformed");

    private static final Map<Class<?>, Set<String>> OF_VIEW = Map.ofEntries(
            // from lengths
            entry(ArpView.class, Set.of("length", "isEthernetIpv4")),
            entry(AuthenticationView.class, Set.of("checkValueLength")),
            entry(NshView.class, Set.of("metadataLength")), // headerWords
            entry(Ipv6RoutingView.class, Set.of("isSegmentRouting", "addressCount")),
            entry(QuicView.class, Set.of("isVersionNegotiation")),
            entry(
                    TypeLengthValues.class,
                    Set.of("type", "length", "valueLength", "isEnded")), // what the list is made of
            entry(
                    TcpOptions.class,
                    Set.of(
                            "kind",
                            "length",
                            "dataLength",
                            "sackBlockCount",
                            "fastOpenCookieLength",
                            "authenticationCodeLength",
                            "isFastOpenRequest")),
            entry(SctpChunks.class, Set.of("type", "length", "valueLength", "dataLength", "gapBlockCount", "isData")),
            entry(DnsRecords.class, Set.of("isQuestion", "dataLength")),
            entry(LldpView.class, Set.of("chassisIdLength", "portIdLength")),
            entry(VrrpView.class, Set.of("addressesLength")),
            entry(Icmpv6View.class, Set.of("bodyLength", "isError", "isEcho")),
            // from types
            entry(IcmpView.class, Set.of("isEcho")),
            entry(Dhcpv6View.class, Set.of("isRelay")),
            entry(EthernetView.class, Set.of("isLength", "isMulticast")),
            entry(IgmpView.class, Set.of("isReport3", "isQuery3")),
            entry(MldView.class, Set.of("isQuery2")),
            entry(NeighborDiscoveryView.class, Set.of("hasTarget")),
            entry(StpView.class, Set.of("isConfiguration")),
            entry(WlanView.class, Set.of("hasAddress4", "hasQualityOfService")),
            entry(LlcView.class, Set.of("isSnap")),
            entry(PppView.class, Set.of("hasAddress")),
            entry(FrameRelayView.class, Set.of("addressLength")),
            entry(TeredoView.class, Set.of("hasAuthentication", "hasOrigin")),
            entry(
                    Ipv4Options.class,
                    Set.of("type", "length", "dataLength", "isCopied", "isRoute", "addressCount", "timestampCount")),
            // from other numbers
            entry(Ipv4View.class, Set.of("optionsLength", "fragmentOffsetBytes", "isFragment")),
            entry(Ipv6FragmentView.class, Set.of("fragmentOffsetBytes", "isAtomic")),
            entry(SyslogView.class, Set.of("facility", "severity", "messageLength")),
            entry(
                    TlsClientHelloView.class,
                    Set.of("highestVersion", "cipherSuiteCount", "serverNameLength", "protocolsLength")),
            // from flags() as a whole, or from present()
            entry(TcpView.class, Set.of("optionsLength", "isFin", "isSyn", "isRst", "isPsh", "isAck")),
            entry(
                    GreView.class,
                    Set.of("hasChecksum", "hasRouting", "hasKey", "hasSequenceNumber", "hasAcknowledgmentNumber")),
            entry(GtpCView.class, Set.of("hasSequenceNumber")),
            entry(L2tpView.class, Set.of("isControl", "hasSequenceNumber")),
            entry(MacSecView.class, Set.of("hasChannelIdentifier", "isEncrypted", "isChanged")),
            entry(VxlanView.class, Set.of("hasProtocol")),
            entry(
                    RadiotapView.class,
                    Set.of(
                            "hasTimestamp",
                            "hasFlags",
                            "hasRate",
                            "hasChannel",
                            "hasSignal",
                            "hasNoise",
                            "hasAntenna",
                            "hasMcs")),
            // from bytes that stand before all others
            entry(DhcpView.class, Set.of("hasOptions")),
            // from text, whose length cannot change in place
            entry(HttpView.class, Set.of("isRequest", "lineLength", "methodLength", "targetLength")),
            entry(MgcpView.class, Set.of("isCommand", "verbBits", "endpointLength")),
            entry(SnmpView.class, Set.of("communityLength")),
            entry(TftpView.class, Set.of("textLength")));

    /** Two names for the same bits. */
    private static final Map<Class<?>, Set<Set<String>>> ALIASES = Map.ofEntries(
            entry(IcmpView.class, Set.of(Set.of("parameter", "identifier"), Set.of("parameter", "sequenceNumber"))),
            entry(Icmpv6View.class, Set.of(Set.of("parameter", "identifier"), Set.of("parameter", "sequenceNumber"))),
            entry(FrameRelayView.class, Set.of(Set.of("control", "type"))),
            entry(GreView.class, Set.of(Set.of("flags", "version"))),
            entry(IgmpView.class, Set.of(Set.of("group", "recordCount"))),
            entry(OspfView.class, Set.of(Set.of("authenticationType", "instanceId"))),
            entry(StpView.class, Set.of(Set.of("flags", "portRole"))),
            entry(StunView.class, Set.of(Set.of("type", "messageClass"), Set.of("type", "method"))),
            entry(
                    VrrpView.class,
                    Set.of(
                            Set.of("authentication", "intervalCentiseconds"),
                            Set.of("interval", "intervalCentiseconds"))),
            entry(WireGuardView.class, Set.of(Set.of("index", "receiverIndex"))),
            entry(SctpChunks.class, Set.of(Set.of("flags", "beginning"), Set.of("flags", "ending"))));

    private DerivedAccessors() {}

    static boolean isDerived(Class<?> view, Method accessor) {
        boolean isPlace =
                accessor.getReturnType() == long.class && accessor.getName().matches("(.*O|o)ffset");
        return isPlace || EVERYWHERE.contains(accessor.getName()) || of(view).contains(accessor.getName());
    }

    static Set<String> of(Class<?> view) {
        return OF_VIEW.getOrDefault(view, Set.of());
    }

    static boolean areAliases(Class<?> view, String one, String other) {
        boolean isAnyPlace = view == TypeLengthValues.class; // its setters take one
        return isAnyPlace || ALIASES.getOrDefault(view, Set.of()).contains(Set.of(one, other));
    }
}
