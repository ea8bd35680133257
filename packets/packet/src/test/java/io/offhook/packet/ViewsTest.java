package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.fields.LayerFields;
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
import io.offhook.packet.network.MldView;
import io.offhook.packet.network.MobilityView;
import io.offhook.packet.network.NeighborDiscoveryView;
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
import io.offhook.packet.tunnel.NvgreView;
import io.offhook.packet.tunnel.TeredoView;
import io.offhook.packet.tunnel.VxlanView;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every view promises: after OK nothing that it says is out of bounds, and what it says is what {@link LayerFields}
 * says, which reads the same bits by another way.
 */
public class ViewsTest {
    private static final long SEED = 4711;

    /** A view, and the layer it is for. */
    public enum Subject {
        ETHERNET(LayerType.ETHERNET, EthernetView.class),
        VLAN(LayerType.VLAN, VlanView.class),
        MPLS(LayerType.MPLS, MplsView.class),
        PPPOE(LayerType.PPPOE, PppoeView.class),
        SLL(LayerType.LINUX_SLL, SllView.class),
        SLL2(LayerType.LINUX_SLL2, Sll2View.class),
        NULL(LayerType.NULL_LOOPBACK, NullLoopbackView.class),
        PPP(LayerType.PPP, PppView.class),
        LLC(LayerType.LLC, LlcView.class),
        ARP(LayerType.ARP, ArpView.class),
        IPV4(LayerType.IPV4, Ipv4View.class),
        IPV6(LayerType.IPV6, Ipv6View.class),
        HOP_BY_HOP(LayerType.HOP_BY_HOP, Ipv6ExtensionView.class),
        DESTINATION_OPTIONS(LayerType.DESTINATION_OPTIONS, Ipv6ExtensionView.class),
        ROUTING(LayerType.ROUTING, Ipv6ExtensionView.class),
        IPV6_EXTENSION(LayerType.IPV6_EXTENSION, Ipv6ExtensionView.class),
        FRAGMENT(LayerType.IPV6_FRAGMENT, Ipv6FragmentView.class),
        AUTHENTICATION(LayerType.AUTHENTICATION, AuthenticationView.class),
        ESP(LayerType.ESP, EspView.class),
        GRE(LayerType.GRE, GreView.class),
        VXLAN(LayerType.VXLAN, VxlanView.class),
        GENEVE(LayerType.GENEVE, GeneveView.class),
        GTP_U(LayerType.GTP_U, GtpUView.class),
        TCP(LayerType.TCP, TcpView.class),
        UDP(LayerType.UDP, UdpView.class),
        SCTP(LayerType.SCTP, SctpView.class),
        ICMP(LayerType.ICMP, IcmpView.class),
        ICMPV6(LayerType.ICMPV6, Icmpv6View.class),
        LLDP(LayerType.LLDP, LldpView.class),
        STP(LayerType.STP, StpView.class),
        LACP(LayerType.LACP, LacpView.class),
        CDP(LayerType.CDP, CdpView.class),
        MACSEC(LayerType.MACSEC, MacSecView.class),
        VNTAG(LayerType.VNTAG, VnTagView.class, true),
        PSEUDOWIRE(LayerType.PSEUDOWIRE, PseudowireView.class),
        CISCO_HDLC(LayerType.CISCO_HDLC, CiscoHdlcView.class),
        FRAME_RELAY(LayerType.FRAME_RELAY, FrameRelayView.class),
        NFLOG(LayerType.NFLOG, NflogView.class),
        RADIOTAP(LayerType.RADIOTAP, RadiotapView.class),
        WLAN(LayerType.WLAN, WlanView.class, true),
        SOURCE_ROUTE(LayerType.ROUTING, Ipv6RoutingView.class),
        MOBILITY_MESSAGE(LayerType.MOBILITY, MobilityView.class),
        NEIGHBOR_DISCOVERY(LayerType.ICMPV6, NeighborDiscoveryView.class, true),
        LISTENER_DISCOVERY(LayerType.ICMPV6, MldView.class, true),
        IGMP(LayerType.IGMP, IgmpView.class),
        VRRP(LayerType.VRRP, VrrpView.class),
        OSPF(LayerType.OSPF, OspfView.class),
        PIM(LayerType.PIM, PimView.class),
        NVGRE(LayerType.GRE, NvgreView.class, true),
        ERSPAN(LayerType.ERSPAN, ErspanView.class),
        NSH(LayerType.NSH, NshView.class),
        TEREDO(LayerType.TEREDO, TeredoView.class),
        L2TP(LayerType.L2TP, L2tpView.class),
        CAPWAP(LayerType.CAPWAP, CapwapView.class),
        GTP_C(LayerType.GTP_C, GtpCView.class),
        UDP_LITE(LayerType.UDP_LITE, UdpLiteView.class),
        DCCP(LayerType.DCCP, DccpView.class);

        final LayerType layer;
        public final Class<? extends LayerView> view;
        /** Whether the view reads but some layers of the type: of ICMPv6 the messages of one protocol, say. */
        final boolean isForSome;

        Subject(LayerType layer, Class<? extends LayerView> view) {
            this(layer, view, false);
        }

        Subject(LayerType layer, Class<? extends LayerView> view, boolean isForSome) {
            this.layer = layer;
            this.view = view;
            this.isForSome = isForSome;
        }

        public LayerView newView() {
            try {
                return view.getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }

        /** Every accessor of the view, by name. */
        Map<String, Object> read(Object view) {
            Map<String, Object> values = new LinkedHashMap<>();
            for (Method method : view.getClass().getMethods()) {
                boolean isAccessor = method.getDeclaringClass() != Object.class
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getParameterCount() == 0;
                if (isAccessor) {
                    values.put(method.getName(), call(view, method));
                }
            }
            return values;
        }

        private static Object call(Object view, Method method) {
            try {
                return method.invoke(view);
            } catch (InvocationTargetException e) {
                throw new AssertionError(method + " failed", e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
    }

    /** A layer of that kind in the golden frames: its bytes, and what LayerFields tells of them. */
    private record Sample(String frame, String hex, Map<String, Object> fields) {
        byte[] header() {
            return HexFormat.of().parseHex(hex);
        }

        int length() {
            return hex.length() / 2;
        }

        @Override
        public String toString() {
            return frame;
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsWhatTheLayersFieldsAre(Subject subject) {
        List<Sample> samples = samples(subject);
        assertThat(samples).as("golden frames with %s", subject.layer).isNotEmpty();
        for (Sample sample : samples) {
            LayerView view = subject.newView();
            MemorySegment segment = GoldenFrame.segment(sample.header());
            assertThat(view.wrap(segment, 0, sample.length()))
                    .as(sample.frame())
                    .isEqualTo(WrapStatus.OK);
            Map<String, Object> read = subject.read(view);
            int compared = 0;
            for (Map.Entry<String, Object> field : sample.fields().entrySet()) {
                Object value = accessor(read, field.getKey(), field.getValue() instanceof Boolean);
                if (value != null) {
                    assertThat(text(value, field.getValue()))
                            .as("%s of %s", field.getKey(), sample)
                            .isEqualTo(field.getValue().toString());
                    compared++;
                }
            }
            assertThat(compared)
                    .as("fields compared in %s: %s", sample, sample.fields())
                    .isPositive();
        }
    }

    /** A flag "moreFragments" may be read by an accessor of that name, or by isX or hasX. */
    private static @Nullable Object accessor(Map<String, Object> read, String field, boolean isFlag) {
        String capitalised = Character.toUpperCase(field.charAt(0)) + field.substring(1);
        List<String> names =
                isFlag ? List.of(field, "is" + capitalised, "has" + capitalised) : List.of(field + "Field", field);
        for (String name : names) {
            if (read.containsKey(name)) {
                return read.get(name);
            }
        }
        return null;
    }

    private static String text(Object value, Object field) {
        boolean isMac =
                field instanceof String text && text.contains(":") && value instanceof Long && text.length() == 17;
        boolean isIpv4 = field instanceof String text && text.contains(".") && value instanceof Long;
        if (isMac) {
            return MacAddress.text((Long) value);
        }
        return isIpv4 ? Endpoint.ofIpv4(((Long) value).intValue(), 0).addressText() : value.toString();
    }

    @ParameterizedTest
    @EnumSource
    void refusesEveryShorterHeader(Subject subject) {
        for (Sample sample : samples(subject)) {
            LayerView view = subject.newView();
            boolean wasOk = false;
            for (int length = 0; length <= sample.length(); length++) {
                MemorySegment segment = GoldenFrame.segment(Arrays.copyOf(sample.header(), length));
                WrapStatus status = view.wrap(segment, 0, length);
                if (status == WrapStatus.OK) {
                    wasOk = true;
                    assertThat(subject.read(view)).isNotEmpty();
                } else {
                    assertThat(status).as("%s cut to %d", sample, length).isEqualTo(WrapStatus.TRUNCATED);
                    assertThat(wasOk && !isVariable(subject))
                            .as("%s cut to %d after OK", sample, length)
                            .isFalse();
                }
            }
            assertThat(wasOk).isTrue();
        }
    }

    /** Of a header whose end is told by its own bytes, a shorter one may make sense as well. */
    private static boolean isVariable(Subject subject) {
        return subject == Subject.PPP || subject == Subject.LLC;
    }

    @ParameterizedTest
    @EnumSource
    void staysInBoundsOfAnyBytes(Subject subject) {
        Random random = new Random(SEED);
        LayerView view = subject.newView();
        int ok = 0;
        for (int round = 0; round < 3_000; round++) {
            byte[] bytes = new byte[random.nextInt(90)];
            random.nextBytes(bytes);
            List<Sample> samples = samples(subject);
            if (round % 2 == 0) { // half of them start as real ones do
                byte[] header = samples.get(round / 2 % samples.size()).header();
                System.arraycopy(
                        header, 0, bytes, 0, Math.min(random.nextInt(12), Math.min(header.length, bytes.length)));
            }
            if (round % 4 == 1) { // and a quarter are real, but for some bytes
                byte[] header = samples.get(round / 4 % samples.size()).header();
                bytes = Arrays.copyOf(header, header.length + random.nextInt(9));
                for (int i = random.nextInt(4); i > 0; i--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
            }
            MemorySegment segment = GoldenFrame.segment(bytes);
            WrapStatus status = view.wrap(segment, 0, bytes.length);
            if (status == WrapStatus.OK) {
                ok++;
                checkLengths(subject.read(view), bytes.length);
            }
        }
        assertThat(ok).as("wrapped with seed %d", SEED).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void readsItsLayersAndNoOthers(Subject subject) {
        LayerView view = subject.newView();
        assertThat(view.reads(subject.layer)).isTrue();
        assertThat(view.reads(LayerType.PAYLOAD)).isFalse();
    }

    private static void checkLengths(Map<String, Object> read, int length) {
        if (read.get("payloadOffset") instanceof Long offset && read.get("payloadLength") instanceof Integer payload) {
            assertThat(payload).isNotNegative();
            assertThat(offset + payload).isLessThanOrEqualTo(length);
        }
        if (read.get("optionsOffset") instanceof Long offset && read.get("optionsLength") instanceof Integer options) {
            assertThat(options).isNotNegative();
            assertThat(offset + options).isLessThanOrEqualTo(length);
        }
    }

    private static final Map<LayerType, List<Sample>> SAMPLES = new LinkedHashMap<>();

    /** The bytes that golden frames have for a view, by the frame's name. */
    static Map<String, byte[]> headers(Subject subject) {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        for (Sample sample : samples(subject)) {
            headers.put(sample.frame() + " " + headers.size(), sample.header());
        }
        return headers;
    }

    private static List<Sample> samples(Subject subject) {
        List<Sample> all = SAMPLES.computeIfAbsent(subject.layer, ViewsTest::collect);
        return subject.isForSome
                ? all.stream().filter(sample -> isRead(subject, sample)).toList()
                : all;
    }

    private static boolean isRead(Subject subject, Sample sample) {
        MemorySegment segment = GoldenFrame.segment(sample.header());
        return subject.newView().wrap(segment, 0, sample.length()) != WrapStatus.UNSUPPORTED;
    }

    private static List<Sample> collect(LayerType type) {
        List<Sample> samples = new ArrayList<>();
        for (GoldenFrame frame : GoldenFrame.all()) {
            PacketWalker walker = frame.walk();
            for (int i = 0; i < walker.layerCount(); i++) {
                if (walker.layerType(i) == type) {
                    int from = (int) walker.layerOffset(i);
                    byte[] header = Arrays.copyOfRange(frame.bytes(), from, from + walker.layerLength(i));
                    FieldValues fields = new FieldValues();
                    new LayerFields().fields(walker, i, fields);
                    samples.add(new Sample(frame.name(), HexFormat.of().formatHex(header), fields.values));
                }
            }
        }
        return samples;
    }
}
