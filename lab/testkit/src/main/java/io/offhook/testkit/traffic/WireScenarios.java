package io.offhook.testkit.traffic;

import static io.offhook.testkit.truth.Party.CALLEE;
import static io.offhook.testkit.truth.Party.CALLER;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Segmentation.Fate;
import java.util.Map;
import java.util.function.Consumer;

/** Calls that differ in how their packets lie on the wire. */
final class WireScenarios {
    private static final Endpoint NEAR = Addresses.endpoint("172.16.0.1", 0);
    private static final Endpoint FAR = Addresses.endpoint("172.16.0.2", 0);
    private static final Endpoint NEAR6 = Addresses.endpoint("2001:db8:f::1", 0);
    private static final Endpoint FAR6 = Addresses.endpoint("2001:db8:f::2", 0);

    private WireScenarios() {}

    static void addTo(Map<String, Consumer<CallPlan>> calls) {
        calls.put("ipv6", call -> shortly(call.ipv6()));
        links(calls);
        tunnels(calls);
        fragments(calls);
        streams(calls);
        calls.put(
                "mirrored", call -> shortly(call.mirrored(120).rtcp(rtcp -> {}).media(CALLER, s -> s.loss(0.02))));
        calls.put(
                "mirrored-with-retransmissions",
                call -> call.mirrored(800)
                        .invite()
                        .retransmitted(1)
                        .trying()
                        .accepted()
                        .endedBy(CALLER, 1000));
    }

    private static CallPlan shortly(CallPlan call) {
        return call.completed(CALLER, 1200);
    }

    private static void links(Map<String, Consumer<CallPlan>> calls) {
        link(calls, "vlan", Link.ethernet().vlan(100));
        link(calls, "stacked-vlans", Link.ethernet().serviceVlan(7).vlan(100));
        link(calls, "mpls", Link.ethernet().mpls(16_001, 24));
        link(calls, "pppoe", Link.ethernet().vlan(7).pppoe(42));
        link(calls, "padded-frames", Link.ethernet().padded());
        link(calls, "linux-cooked", Link.cooked());
        link(calls, "linux-cooked-2", Link.cooked2());
        link(calls, "raw-ip", Link.raw());
        link(calls, "null-loopback", Link.nullLoopback(false));
        link(calls, "null-loopback-big-endian", Link.nullLoopback(true));
        link(calls, "openbsd-loopback", Link.loop());
        link(calls, "ppp", Link.ppp());
    }

    private static void link(Map<String, Consumer<CallPlan>> calls, String name, Link link) {
        calls.put("link-" + name, call -> shortly(call.on(link)));
    }

    private static void tunnels(Map<String, Consumer<CallPlan>> calls) {
        tunnel(calls, "gre", Encapsulation.gre(NEAR, FAR, -1));
        tunnel(calls, "gre-with-key", Encapsulation.gre(NEAR, FAR, 77));
        tunnel(calls, "ip-in-ip", Encapsulation.ipInIp(NEAR, FAR));
        tunnel(calls, "ip-in-ipv6", Encapsulation.ipInIp(NEAR6, FAR6));
        tunnel(calls, "vxlan", Encapsulation.vxlan(NEAR, FAR, 5000));
        tunnel(calls, "geneve", Encapsulation.geneve(NEAR, FAR, 5001));
        tunnel(calls, "gtp-u", Encapsulation.gtpU(NEAR, FAR, 0x1234_5678L, false));
        tunnel(calls, "gtp-u-with-extension", Encapsulation.gtpU(NEAR, FAR, 0x1234_5678L, true));
        calls.put("tunnel-6in4", call -> shortly(call.ipv6().through(Encapsulation.ipInIp(NEAR, FAR))));
        calls.put(
                "tunnel-in-tunnel",
                call -> shortly(
                        call.through(Encapsulation.gre(NEAR, FAR, 1)).through(Encapsulation.vxlan(NEAR, FAR, 9))));
    }

    private static void tunnel(Map<String, Consumer<CallPlan>> calls, String name, Encapsulation encapsulation) {
        calls.put("tunnel-" + name, call -> shortly(call.through(encapsulation)));
    }

    private static void fragments(Map<String, Consumer<CallPlan>> calls) {
        for (IpFragments.Style style : IpFragments.Style.values()) {
            String name = "fragments-"
                    + style.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
            calls.put(name, call -> shortly(call.bulky(3500).fragmented(1400, style)));
        }
        calls.put(
                "fragments-of-ipv6",
                call -> shortly(call.ipv6().bulky(3500).fragmented(1400, IpFragments.Style.SHUFFLED)));
        calls.put("fragments-of-everything", call -> shortly(call.fragmented(120, IpFragments.Style.REVERSED)));
        calls.put(
                "fragments-of-tcp-in-a-vlan",
                call -> shortly(call.over(Transport.TCP)
                        .on(Link.ethernet().serviceVlan(7).vlan(100))
                        .fragmented(500, IpFragments.Style.REVERSED)));
        calls.put(
                "fragments-in-a-tunnel",
                call -> shortly(call.bulky(2500)
                        .fragmented(1400, IpFragments.Style.IN_ORDER)
                        .through(Encapsulation.gre(NEAR, FAR, -1))));
    }

    private static void streams(Map<String, Consumer<CallPlan>> calls) {
        calls.put("tcp", call -> shortly(call.over(Transport.TCP)).disconnect());
        calls.put("tcp-on-ipv6", call -> shortly(call.over(Transport.TCP).ipv6()));
        calls.put(
                "tcp-small-segments",
                call -> shortly(
                        call.over(Transport.TCP).cut((random, number, length) -> Segmentation.every(100, length))));
        tcp(calls, "reordered", Fate.REORDERED);
        tcp(calls, "retransmitted", Fate.RETRANSMITTED);
        tcp(calls, "segment-late", Fate.LATE);
        calls.put(
                "tcp-hole",
                call -> shortly(call.over(Transport.TCP)
                        .cut((random, number, length) -> Segmentation.every(300, length)
                                .with(number == 2 ? Fate.HOLE : Fate.IN_ORDER)))); // the 180
        calls.put("tcp-mid-stream", call -> shortly(call.over(Transport.TCP).midStream()));
        calls.put("tcp-sequence-wraps", call -> shortly(call.over(Transport.TCP).tcpSequence(0xffff_ffffL - 300)));
        calls.put(
                "tcp-messages-in-one-segment",
                call -> call.over(Transport.TCP)
                        .invite()
                        .inOneSegment(together -> together.trying().ringing())
                        .after(500)
                        .accepted()
                        .keepAlive()
                        .endedBy(CALLEE, 1200));
        calls.put("tcp-proxies", call -> shortly(call.over(Transport.TCP).proxies(1)));
        calls.put("tcp-mirrored", call -> shortly(call.over(Transport.TCP).mirrored(90)));
        calls.put(
                "websocket",
                call -> shortly(call.over(Transport.WS).keepAlive()).disconnect());
        calls.put(
                "websocket-small-segments",
                call -> shortly(
                        call.over(Transport.WS).cut((random, number, length) -> Segmentation.every(90, length))));
        calls.put(
                "keep-alives",
                call -> call.keepAlive().answered().talk(600).keepAlive().endedBy(CALLEE, 600));
    }

    private static void tcp(Map<String, Consumer<CallPlan>> calls, String name, Fate fate) {
        calls.put(
                "tcp-" + name,
                call -> shortly(call.over(Transport.TCP)
                        .cut((random, number, length) ->
                                Segmentation.random(random, length, 2).with(fate))));
    }
}
