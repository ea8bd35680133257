package io.offhook.testkit.traffic;

import static io.offhook.testkit.truth.Party.CALLEE;
import static io.offhook.testkit.truth.Party.CALLER;

import io.offhook.packet.Endpoint;
import java.util.Map;
import java.util.function.Consumer;

/** Calls through a B2BUA, which has a Call-ID of its own on each side. */
final class LegScenarios {
    private static final Endpoint PHONE = Addresses.endpoint("10.20.0.1", 5060);
    private static final Endpoint SWITCH = Addresses.endpoint("10.20.0.9", 5060);
    private static final Endpoint TRUNK = Addresses.endpoint("10.20.0.2", 5060);
    private static final String SESSION = "ab30317f1a784dc48ff824d0d3715d86;remote=";

    private LegScenarios() {}

    static void addTo(Map<String, Consumer<Traffic>> legs) {
        legs.put("legs-named-by-a-header", traffic -> {
            traffic.call(call -> in(call, 1));
            traffic.at(80).call(call -> out(call, 1).header("X-CID", "in-1@phone"));
        });
        legs.put("legs-of-one-session", traffic -> {
            traffic.call(call -> in(call, 1).header("Session-ID", SESSION + "00000000000000000000000000000000"));
            traffic.at(80)
                    .call(call -> out(call, 1).header("Session-ID", SESSION + "47755a9de7794ba387653f2099600ef2"));
        });
        legs.put("legs-with-media-of-their-ends", traffic -> {
            Endpoint media = PHONE.withPort(20_000);
            Endpoint far = TRUNK.withPort(20_002);
            traffic.call(call -> in(call, 1).mediaAt(CALLER, media).mediaAt(CALLEE, far));
            // the media is that of the first leg
            traffic.at(80)
                    .call(call -> out(call, 1)
                            .mediaAt(CALLER, media)
                            .mediaAt(CALLEE, far)
                            .silent(CALLER, CALLEE));
        });
        legs.put("legs-with-media-passed-on", traffic -> {
            traffic.call(call -> passedOn(in(call, 1)));
            traffic.at(80).call(call -> passedOn(out(call, 1)));
        });
        legs.put("legs-with-media-rewritten", traffic -> {
            traffic.call(call -> recorded(in(call, 1)));
            traffic.at(80).call(call -> recorded(out(call, 1)));
        });
        legs.put("callers-that-hear-one-announcement", traffic -> {
            for (int i = 1; i <= 2; i++) {
                int number = i;
                Endpoint phone = Addresses.endpoint("10.20.1." + number, 5060);
                Endpoint server = Addresses.endpoint("10.20.2." + number, 5060);
                traffic.at(i * 330L)
                        .call(call -> announced(in(call, number, 4000))
                                .from("100" + number)
                                .signallingAt(CALLER, phone));
                traffic.at(i * 330L + 80)
                        .call(call -> announced(out(call, number, 3800))
                                .from("x")
                                .to("y")
                                .signallingAt(CALLEE, server));
            }
        });
        legs.put("legs-that-nothing-names", traffic -> {
            for (int i = 1; i <= 2; i++) {
                int number = i;
                traffic.at(i * 1000L).call(call -> in(call, number));
                traffic.at(i * 1000L + 80).call(call -> out(call, number));
            }
        });
        legs.put("load-through-one-switch", traffic -> {
            for (int i = 1; i <= 100; i++) {
                int number = i;
                traffic.at(i * 20L).call(call -> load(in(call, number)));
                traffic.at(i * 20L + 10).call(call -> load(out(call, number)));
            }
        });
        legs.put("legs-of-a-hunt-group", traffic -> {
            traffic.call(call -> in(call, 1));
            traffic.at(50)
                    .call(call -> call.callId("busy-1@switch")
                            .header("X-CID", "in-1@phone")
                            .signallingAt(CALLER, SWITCH)
                            .signallingAt(CALLEE, Addresses.endpoint("10.20.0.3", 5060))
                            .alerted()
                            .rejected(486, "Busy Here"));
            traffic.at(80).call(call -> out(call, 1).header("X-CID", "in-1@phone"));
        });
        legs.put("transferred-to-a-new-call", traffic -> {
            traffic.call(call -> call.callId("in-1@phone")
                    .from("1001")
                    .to("1002")
                    .signallingAt(CALLER, PHONE)
                    .signallingAt(CALLEE, TRUNK)
                    .answered()
                    .talk(1500)
                    .refer(CALLEE, "1003")
                    .hangUp(CALLEE));
            traffic.at(2700)
                    .call(call -> call.callId("new-1@phone")
                            .from("1001")
                            .to("1003")
                            .header("Referred-By", "<sip:1002@example.com>")
                            .signallingAt(CALLER, PHONE)
                            .completed(CALLER, 1500));
        });
    }

    private static CallPlan in(CallPlan call, int number) {
        return in(call, number, 1500);
    }

    private static CallPlan in(CallPlan call, int number, long talkMs) {
        return call.callId("in-" + number + "@phone")
                .from("1001")
                .to("1002")
                .signallingAt(CALLER, PHONE)
                .signallingAt(CALLEE, SWITCH)
                .completed(CALLER, talkMs);
    }

    private static CallPlan out(CallPlan call, int number) {
        return out(call, number, 1300);
    }

    private static CallPlan out(CallPlan call, int number, long talkMs) {
        return call.callId("out-" + number + "@switch")
                .from("1001")
                .to("1002")
                .signallingAt(CALLER, SWITCH)
                .signallingAt(CALLEE, TRUNK)
                .completed(CALLER, talkMs);
    }

    /** The switch passes RTP on as it is. */
    private static CallPlan passedOn(CallPlan call) {
        return call.media(
                        CALLER,
                        shape -> shape.ssrc(0x1234_5678L).firstSequence(65_500).firstTimestamp(7_000))
                .media(
                        CALLEE,
                        shape -> shape.ssrc(0x2345_6789L).firstSequence(300).firstTimestamp(9_000));
    }

    /** The switch sends what the caller says as a stream of its own. */
    private static CallPlan recorded(CallPlan call) {
        return call.media(CALLER, shape -> shape.recording(5));
    }

    /** The callee plays what it plays to everybody. */
    private static CallPlan announced(CallPlan call) {
        return call.media(CALLEE, shape -> shape.recording(6));
    }

    /** All calls of a generator of load offer one address. */
    private static CallPlan load(CallPlan call) {
        return call.from("sipp")
                .to("service")
                .mediaAt(CALLER, PHONE.withPort(6000))
                .silent(CALLER, CALLEE);
    }
}
