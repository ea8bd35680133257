package io.offhook.testkit.traffic;

import static io.offhook.testkit.truth.Party.CALLEE;
import static io.offhook.testkit.truth.Party.CALLER;

import io.offhook.packet.Endpoint;
import io.offhook.packet.LinkType;
import io.offhook.testkit.truth.Party;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Ready-made traffic by name: one feature each, so that a test that fails says which. */
public final class Scenarios {
    private static final List<SentCodec> CODECS = List.of(
            SentCodec.PCMU,
            SentCodec.PCMA,
            SentCodec.G729,
            SentCodec.G722,
            SentCodec.GSM,
            SentCodec.ILBC,
            SentCodec.OPUS,
            SentCodec.AMR_WB);

    private Scenarios() {}

    /** All by name, in a fixed order. Each adds to the traffic that it is given. */
    public static Map<String, Consumer<Traffic>> all() {
        Map<String, Consumer<Traffic>> all = new LinkedHashMap<>();
        calls().forEach((name, script) -> all.put(name, traffic -> traffic.call(script)));
        all.put("no-response-at-all", Scenarios::noResponse);
        all.put("sip-port-unreachable", Scenarios::sipPortUnreachable);
        all.put("referred-to-a-new-call", Scenarios::referred);
        all.put("media-ports-used-again", Scenarios::portsUsedAgain);
        all.put(
                "registrations",
                traffic -> traffic.registration("alice", 200)
                        .registration("bob", 403)
                        .registration("carol", 0));
        all.put(
                "registrations-that-fail",
                traffic -> traffic.registration("alice", 401)
                        .registration("bob", 503)
                        .registration("carol", 0)
                        .at(40_000)
                        .registration("dave", 200));
        all.put("other-sip", traffic -> traffic.otherSip(12).call(call -> call.completed(CALLER, 1000)));
        all.put(
                "media-without-signalling",
                traffic -> traffic.mediaOnly(SentCodec.PCMU, 3000).mediaOnly(SentCodec.PCMA, 2000));
        all.put("encrypted-signalling", Traffic::encryptedSignalling);
        all.put(
                "among-other-traffic",
                traffic -> traffic.noise(600, 4000)
                        .call(call -> call.completed(CALLEE, 1500))
                        .call(call -> call.alerted().rejected(486, "Busy Here")));
        all.put("no-call-at-all", traffic -> traffic.noise(300, 2000));
        return Collections.unmodifiableMap(all);
    }

    /** Those of {@link #all} that are one call each. */
    public static Map<String, Consumer<CallPlan>> calls() {
        Map<String, Consumer<CallPlan>> calls = new LinkedHashMap<>();
        SignallingScenarios.addTo(calls);
        MediaScenarios.addTo(calls);
        WireScenarios.addTo(calls);
        return Collections.unmodifiableMap(calls);
    }

    /**
     * Calls that have several Call-IDs, by name: the legs of a B2BUA, and calls that only look like legs. Apart from {@link
     * #all}, since their truth lists each Call-ID for itself.
     */
    public static Map<String, Consumer<Traffic>> legs() {
        Map<String, Consumer<Traffic>> legs = new LinkedHashMap<>();
        LegScenarios.addTo(legs);
        return Collections.unmodifiableMap(legs);
    }

    /** The traffic of one scenario. */
    public static Traffic traffic(String name, long seed) {
        Consumer<Traffic> scenario = all().getOrDefault(name, legs().get(name));
        if (scenario == null) {
            throw new IllegalArgumentException("no scenario \"" + name + "\"; there are " + all().keySet());
        }
        Traffic traffic = new Traffic(seed);
        scenario.accept(traffic);
        return traffic;
    }

    private static void noResponse(Traffic traffic) {
        traffic.call(call -> call.invite().retransmitted(6)); // 31.5 s; the client gives up after 32
        traffic.at(33_000).call(call -> call.completed(CALLER, 1000));
    }

    private static void sipPortUnreachable(Traffic traffic) {
        traffic.call(call -> call.invite().refused().retransmitted(1).refused());
        traffic.at(33_000).otherSip(1);
    }

    private static void referred(Traffic traffic) {
        traffic.call(call -> call.from("alice")
                .to("bob")
                .answered()
                .talk(1500)
                .refer(CALLEE, "carol")
                .hangUp(CALLEE));
        traffic.at(2700).call(call -> call.from("alice").to("carol").completed(CALLER, 1500));
    }

    private static void portsUsedAgain(Traffic traffic) {
        Endpoint caller = Addresses.endpoint("10.20.0.1", 5060);
        Endpoint callee = Addresses.endpoint("10.20.0.2", 5060);
        for (int i = 0; i < 3; i++) {
            int talk = 800 + 300 * i;
            traffic.at(i * 4000L)
                    .call(call -> call.signallingAt(CALLER, caller)
                            .signallingAt(CALLEE, callee)
                            .mediaAt(CALLER, caller.withPort(20_000))
                            .mediaAt(CALLEE, callee.withPort(20_002))
                            .completed(CALLER, talk));
        }
    }

    /** Adds calls of every kind: half of them plain ones with what varies in real life, half from the scenarios. */
    static void mix(Traffic traffic, Random random, int calls) {
        List<Consumer<CallPlan>> scripts = new ArrayList<>();
        for (Consumer<CallPlan> script : calls().values()) {
            CallPlan plan = new CallPlan();
            script.accept(plan);
            // a pcap file holds one link type, and a Call-ID of a scenario's own names one call
            if (plan.link.linkType() == LinkType.ETHERNET && plan.callId == null) {
                scripts.add(script);
            }
        }
        for (int i = 0; i < calls; i++) {
            traffic.call(
                    random.nextBoolean()
                            ? scripts.get(random.nextInt(scripts.size()))
                            : varied(new Random(random.nextLong())));
            if (random.nextInt(10) == 0) {
                traffic.registration(Numbers.any(random, CALLER), random.nextInt(4) == 0 ? 403 : 200);
            }
            if (random.nextInt(5) == 0) {
                traffic.otherSip(1);
            }
        }
        traffic.noise(calls * 5, calls * 200L + 5000);
    }

    private static Consumer<CallPlan> varied(Random random) {
        return call -> {
            SentCodec codec = CODECS.get(random.nextInt(CODECS.size()));
            call.codec(codec)
                    .over(
                            switch (random.nextInt(8)) {
                                case 0 -> Transport.WS;
                                case 1 -> Transport.TCP;
                                default -> Transport.UDP;
                            });
            if (random.nextInt(5) == 0) {
                call.ipv6();
            }
            if (random.nextInt(5) == 0) {
                call.on(Link.ethernet().vlan(2 + random.nextInt(4000)));
            }
            if (random.nextInt(4) == 0) {
                call.rtcp(rtcp -> rtcp.distanceMs(CALLEE, 5 + random.nextInt(60)));
            }
            for (Party party : Party.values()) {
                call.media(
                        party,
                        shape -> shape.loss(random.nextInt(3) * 0.01)
                                .lossBursts(1 + random.nextInt(4))
                                .duplicates(random.nextInt(3) * 0.002)
                                .reordering(random.nextInt(3) * 0.003)
                                .jitterMs(random.nextDouble() * 3));
            }
            call.invite();
            if (random.nextInt(6) == 0) {
                call.challenged(random.nextBoolean() ? 401 : 407);
            }
            call.trying();
            end(call, random);
        };
    }

    private static void end(CallPlan call, Random random) {
        switch (random.nextInt(12)) {
            case 0 -> call.ringing().rejected(486, "Busy Here");
            case 1 -> call.ringing().after(1500).rejected(603, "Decline");
            case 2 -> call.ringing().after(1200).cancelled();
            case 3 -> call.ringing().after(4000).rejected(480, "Temporarily Unavailable");
            case 4 -> call.rejected(503, "Service Unavailable");
            default -> {
                call.ringing().after(300 + random.nextInt(2500)).accepted();
                call.talk(1000 + random.nextInt(5000));
                if (random.nextInt(4) == 0) {
                    call.dtmf("*" + random.nextInt(100_000) + "#");
                }
                call.hangUp(random.nextBoolean() ? CALLER : CALLEE);
            }
        }
    }
}
