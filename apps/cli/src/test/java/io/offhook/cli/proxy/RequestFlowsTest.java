package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.proxy.Sipp.Message;
import io.offhook.cli.proxy.Sipp.Messages;
import io.offhook.testkit.peers.LoopbackPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the proxy checks and changes in requests on their way, with sipp, several at once. The numbers are those of the flows. */
@DisabledIf(value = "io.offhook.cli.proxy.Sipp#isMissing", disabledReason = "sipp is not installed")
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(RunningProxy.Kind.class)
class RequestFlowsTest {
    private static final String VIA = "SIP/2.0/UDP [local_ip]:[local_port];branch=z9hG4bK-[pid]-1-invite";
    private static final String BOB = "sip:bob@[remote_ip]:[remote_port]";

    @TempDir
    Path folder;

    private final RunningProxy.Kind proxies;

    RequestFlowsTest(RunningProxy.Kind proxies) {
        this.proxies = proxies;
    }

    /** A first request with its own lines for start line, Via, Max-Forwards and so on. */
    private static String[] invite(String uri, String via, String... others) {
        List<String> lines = new ArrayList<>(List.of(
                "INVITE " + uri + " SIP/2.0",
                "Via: " + via,
                "From: <sip:alice@[local_ip]:[local_port]>;tag=a[call_number]",
                "To: <sip:bob@[remote_ip]:[remote_port]>",
                "Call-ID: [call_id]",
                "CSeq: 1 INVITE",
                "Contact: <sip:alice@[local_ip]:[local_port]>"));
        lines.addAll(List.of(others));
        return lines.toArray(String[]::new);
    }

    /** A request that the proxy must refuse; nothing may reach the callee. */
    private Message refusal(int status, String... request) throws Exception {
        SippScenario alice = SippScenario.caller()
                .send(request)
                .receive(status)
                .send(
                        "ACK " + BOB + " SIP/2.0",
                        "Via: " + VIA,
                        "From: <sip:alice@[local_ip]:[local_port]>;tag=a[call_number]",
                        "[last_To:]",
                        "Call-ID: [call_id]",
                        "CSeq: 1 ACK",
                        "Max-Forwards: 70");
        try (RunningProxy proxy = proxies.relay();
                SilentPeer bob = new SilentPeer();
                Sipp caller = Sipp.caller(folder, alice, proxy, bob.port())) {
            Messages messages = caller.await();
            assertThat(proxy.sum(core -> core.counters().requestsForwarded())).isZero();
            assertThat(bob.received()).isEmpty();
            return messages.received(Integer.toString(status)).getFirst();
        }
    }

    @Test
    void flow16_aRequestWithoutAHopLeftIsRefused() throws Exception {
        refusal(483, invite(BOB, VIA, "Max-Forwards: 0"));
    }

    @Test
    void flow18_anUnknownSchemeIsRefused() throws Exception {
        refusal(416, invite("gopher:bob", VIA, "Max-Forwards: 70"));
    }

    @Test
    void flow18_aRequiredExtensionIsRefusedAndNamed() throws Exception {
        Message refusal = refusal(420, invite(BOB, VIA, "Max-Forwards: 70", "Proxy-Require: teleportation"));

        assertThat(refusal.header("Unsupported")).isEqualTo("teleportation");
    }

    /** What a callee receives that answers 486 at once. */
    private Message forwarded(String... request) throws Exception {
        SippScenario alice =
                SippScenario.caller().send(request).mayReceive(100).receive(486).ackFailure(1);
        SippScenario bob = SippScenario.callee().receive("INVITE").answer(486).receive("ACK");
        try (RunningProxy proxy = proxies.relay();
                Sipp callee = Sipp.callee(folder, bob);
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            caller.await();
            return callee.await().received("INVITE").getFirst();
        }
    }

    @Test
    void flow16_aRequestWithoutMaxForwardsGets70() throws Exception {
        assertThat(forwarded(invite(BOB, VIA)).header("Max-Forwards")).isEqualTo("70");
    }

    @Test
    void flow19_aReplyGoesToWhereTheRequestCameFrom() throws Exception {
        // the caller believes to be elsewhere, as behind NAT
        Message invite = forwarded(
                invite(BOB, "SIP/2.0/UDP 10.1.1.1:7777;rport;branch=z9hG4bK-[pid]-1-invite", "Max-Forwards: 70"));

        String via = invite.headers("Via").get(1);
        assertThat(via).startsWith("SIP/2.0/UDP 10.1.1.1:7777;").contains(";received=127.0.0.1");
        assertThat(via).containsPattern("[;]rport=\\d+(;|$)");
    }

    @Test
    void flow19_withoutRportAReplyGoesToThePortOfVia() throws Exception {
        try (RunningProxy proxy = proxies.relay();
                SilentPeer sender = new SilentPeer();
                SilentPeer listener = new SilentPeer()) {
            sender.send(
                    proxy.port(),
                    "OPTIONS sip:bob@127.0.0.1 SIP/2.0",
                    "Via: SIP/2.0/UDP 10.1.1.1:" + listener.port() + ";branch=z9hG4bK-1",
                    "From: <sip:alice@127.0.0.1>;tag=1",
                    "To: <sip:bob@127.0.0.1>",
                    "Call-ID: one",
                    "CSeq: 1 OPTIONS",
                    "Max-Forwards: 0",
                    "Content-Length: 0");
            Message reply = listener.await();
            assertThat(reply.kind()).isEqualTo("483");
            assertThat(reply.header("Via")).contains(";received=127.0.0.1").doesNotContain("rport");
            assertThat(sender.received()).isEmpty();
        }
    }

    @Test
    void flow20_requestsOfBothSidesFollowTheRecordedRoute() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(200)
                .ackSuccess()
                .inDialog("INVITE")
                .mayReceive(100)
                .receive(200)
                .ackSuccess()
                .receive("INFO")
                .answerInDialog(200)
                .inDialog("BYE")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(200)
                .receive("ACK")
                .receive("INVITE")
                .answerInDialog(200)
                .receive("ACK")
                .fromCallee("INFO")
                .receive(200)
                .receive("BYE")
                .answerInDialog(200);
        try (RunningProxy proxy = proxies.relay();
                Sipp callee = Sipp.callee(folder, bob);
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            Messages ofCaller = caller.await();
            Messages ofCallee = callee.await();
            Message info = ofCaller.received("INFO").getFirst();
            assertThat(info.headers("Via")).hasSize(2);
            assertThat(info.headers("Route")).isEmpty();
            assertThat(info.startLine()).isEqualTo("INFO sip:alice@127.0.0.1:" + caller.port() + " SIP/2.0");
            assertThat(ofCallee.received("INVITE")).hasSize(2).allSatisfy(invite -> {
                assertThat(invite.headers("Via")).hasSize(2);
                assertThat(invite.headers("Route")).isEmpty();
            });
        }
    }

    @Test
    void flow20_aRouteThatIsLoadedBeforeIsFollowed() throws Exception {
        Message invite = forwarded(invite(
                "sip:bob@192.0.2.1",
                VIA,
                "Max-Forwards: 70",
                "Route: <sip:[remote_ip]:[remote_port];lr>, <sip:192.0.2.2;lr>"));

        assertThat(invite.startLine()).isEqualTo("INVITE sip:bob@192.0.2.1 SIP/2.0");
        assertThat(String.join(", ", invite.headers("Route")))
                .contains("<sip:192.0.2.2;lr>")
                .startsWith("<sip:127.0.0.1:");
    }

    @Test
    void flow20_aStrictRouterAfterTheProxyGetsItsUriInTheRequestLine() throws Exception {
        Message invite = forwarded(
                invite("sip:bob@192.0.2.1", VIA, "Max-Forwards: 70", "Route: <sip:[remote_ip]:[remote_port]>"));

        assertThat(invite.startLine()).matches("INVITE sip:127.0.0.1:\\d+ SIP/2.0");
        assertThat(invite.headers("Route")).containsExactly("<sip:bob@192.0.2.1>");
    }

    @Test
    void flow22_aRequestWithoutTheCookieIsMatchedToo() throws Exception {
        String via = "Via: SIP/2.0/UDP [local_ip]:[local_port];branch=7";
        String from = "From: <sip:alice@[local_ip]:[local_port]>;tag=a[call_number]";
        String[] invite = invite(BOB, via.substring("Via: ".length()), "Max-Forwards: 70");
        SippScenario alice = SippScenario.caller()
                .send(invite)
                .send(invite)
                .receive(100)
                .receive(180)
                .send(
                        "CANCEL " + BOB + " SIP/2.0",
                        via,
                        from,
                        "To: <" + BOB + ">",
                        "Call-ID: [call_id]",
                        "CSeq: 1 CANCEL",
                        "Max-Forwards: 70")
                .receive(200)
                .receive(487)
                .send(
                        "ACK " + BOB + " SIP/2.0",
                        via,
                        from,
                        "[last_To:]",
                        "Call-ID: [call_id]",
                        "CSeq: 1 ACK",
                        "Max-Forwards: 70")
                .request("OPTIONS")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .pause(700)
                .answer(180)
                .receive("CANCEL")
                .answer(200)
                .answerInvite(487)
                .receive("ACK")
                .receive("OPTIONS")
                .answer(200);
        try (RunningProxy proxy = proxies.relay();
                Sipp callee = Sipp.callee(folder, bob);
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            caller.await();
            callee.await();
        }
    }

    @Test
    void flow23_aClosedPortEndsTheCall() throws Exception {
        int closed = LoopbackPorts.free();
        SippScenario told = SippScenario.caller()
                .request("INVITE")
                .receive(500)
                .ackFailure()
                .request("OPTIONS")
                .receive(500);
        SippScenario waiting = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(408)
                .ackFailure();
        boolean isTold = proxies.hearsOfClosedPorts();
        try (RunningProxy proxy = proxies.with(untilTimerB(), "");
                Sipp caller = Sipp.caller(folder, isTold ? told : waiting, proxy, closed)) {
            caller.await();
            assertThat(proxy.sum(core -> core.transactions().counters().transportFailures()))
                    .isEqualTo(isTold ? 2 : 0);
        }
    }

    /** Timer B is 320 s where the system reports closed ports, so that it cannot be what ends the call; otherwise 3.2 s. */
    private String untilTimerB() {
        return proxies.hearsOfClosedPorts() ? "t1: 5s, t2: 10s" : "t1: 50ms, t2: 200ms";
    }

    @Test
    void flow23_theNextMemberOfAGroupIsCalledWhereOnePortIsClosed() throws Exception {
        int closed = LoopbackPorts.free();
        SippScenario alice = SippScenario.caller("sip:bob@example.org")
                .request("INVITE")
                .mayReceive(100)
                .receive(486)
                .ackFailure();
        SippScenario bob = SippScenario.callee().receive("INVITE").answer(486).receive("ACK");
        try (Sipp callee = Sipp.callee(folder, bob);
                RunningProxy proxy = proxies.with(untilTimerB(), """
                        groups:
                          carrier:
                            select: first
                            members: [{uri: "sip:127.0.0.1:%d"}, {uri: "sip:127.0.0.1:%d"}]
                        routes: [{then: {group: {name: carrier}}}]
                        """.formatted(closed, callee.port()));
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            caller.await();
            assertThat(callee.await().received("INVITE")).hasSize(1);
        }
    }

    @Test
    void flow24_aSlowAnswerIsPrecededByA100OnlyWhenTimerEHasReachedT2() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INFO")
                .receive(200)
                .request("MESSAGE")
                .receive(100)
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .allowsRepeats()
                .receive("INFO")
                .pause(300)
                .answer(200)
                .receive("MESSAGE")
                .pause(3500)
                .answer(200);
        // E: 400, 1200 and 2800 ms, when it is T2
        try (RunningProxy proxy = proxies.relay("t1: 400ms, t2: 1600ms");
                Sipp callee = Sipp.callee(folder, bob);
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            caller.await();
            callee.await();
        }
    }

    @Test
    void flow28_whatTheProxyDoesNotKnowPassesOctetByOctet() throws Exception {
        String[] unknown = {
            "X-Odd:   two  blanks\tand a tab  ",
            "Identity: \"sv5CTo05KqpSmtHt3dcEiO/1CWTSZtnG3iV+1nmurLXV/HmtyNS7Ltrg9dlxkWzo\";info=<https://a.example/c>",
            "l-unknown : value",
            "Subject: caf\u00e9 and more,",
            " continued"
        };
        SippScenario alice = SippScenario.caller().request("TELEPORT", unknown).receive(299);
        SippScenario bob = SippScenario.callee().receive("TELEPORT").answer(299, unknown);
        try (RunningProxy proxy = proxies.relay();
                Sipp callee = Sipp.callee(folder, bob);
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            Messages ofCaller = caller.await();
            Messages ofCallee = callee.await();
            assertThat(rest(ofCallee.received("TELEPORT").getFirst()))
                    .isEqualTo(rest(ofCaller.sent("TELEPORT").getFirst()));
            assertThat(rest(ofCaller.received("299").getFirst()))
                    .isEqualTo(rest(ofCallee.sent("299").getFirst()));
        }
    }

    /** The message from the first header on that is no proxy's. */
    private static String rest(Message message) {
        return message.text().substring(message.text().indexOf("X-Odd:"));
    }
}
