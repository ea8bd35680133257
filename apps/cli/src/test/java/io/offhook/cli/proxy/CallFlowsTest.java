package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.proxy.Sipp.Message;
import io.offhook.cli.proxy.Sipp.Messages;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of sipp with sipp through the proxy, several at once. The numbers are those of the flows that a proxy must pass. */
@DisabledIf(value = "io.offhook.cli.proxy.Sipp#isMissing", disabledReason = "sipp is not installed")
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(RunningProxy.Kind.class)
class CallFlowsTest {
    @TempDir
    Path folder;

    private final RunningProxy.Kind proxies;

    CallFlowsTest(RunningProxy.Kind proxies) {
        this.proxies = proxies;
    }

    @Test
    void aCallIsSetUpAndEndedAlongTheRecordedRoute() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(180)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .answer(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
        try (RunningProxy proxy = proxies.relay();
                Sipp callee = Sipp.callee(folder, bob);
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            Messages ofCaller = caller.await();
            Messages ofCallee = callee.await();
            Message invite = ofCallee.received("INVITE").getFirst();
            Message ack = ofCallee.received("ACK").getFirst();
            assertThat(invite.header("Record-Route")).matches("<sip:" + proxy.host() + ";lr;k=[0-9a-f]{16}>");
            assertThat(invite.header("Max-Forwards")).isEqualTo("69");
            assertThat(ack.startLine()).isEqualTo("ACK sip:bob@127.0.0.1:" + callee.port() + " SIP/2.0");
            assertThat(ack.headers("Route")).isEmpty();
            assertThat(ack.headers("Via")).hasSize(2);
            assertThat(ack.branch()).isNotEqualTo(invite.branch());
            assertThat(ofCaller.received("200").getFirst().headers("Via")).hasSize(1);
        }
    }

    /** Starts callee and caller, and waits until both have passed. */
    private Passed run(RunningProxy proxy, SippScenario alice, SippScenario bob) throws Exception {
        try (Sipp callee = Sipp.callee(folder, bob);
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            return new Passed(caller.await(), callee.await());
        }
    }

    private record Passed(Messages caller, Messages callee) {}

    @Test
    void flow1And2_theProxyAnswers100AfterAWhileAndKeepsThatOfTheCallee() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .receive(100)
                .receive(180)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(100, "X-From: callee")
                .pause(700)
                .answer(100, "X-From: callee")
                .answer(180)
                .answer(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
        try (RunningProxy proxy = proxies.relay()) {
            Messages ofCaller = run(proxy, alice, bob).caller();
            assertThat(ofCaller.received("100")).hasSize(1);
            assertThat(ofCaller.received("100").getFirst().headers("X-From")).isEmpty();
        }
    }

    @Test
    void flow3_aRepeatedInviteGetsTheLastResponseAndTheCalleeSeesOne() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .again("INVITE")
                .receive(100)
                .receive(180)
                .again("INVITE")
                .receive(180)
                .request("OPTIONS")
                .receive(200)
                .receive(486)
                .again("INVITE", 1)
                .receive(486)
                .ackFailure(1);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .pause(700)
                .answer(180)
                .receive("OPTIONS")
                .answer(200)
                .answerInvite(486)
                .receive("ACK");
        try (RunningProxy proxy = proxies.relay()) {
            assertThat(run(proxy, alice, bob).callee().received("INVITE")).hasSize(1);
        }
    }

    @Test
    void flow4_aRepeatedRequestIsAbsorbedAndAnsweredFromMemory() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("OPTIONS")
                .again("OPTIONS")
                .again("OPTIONS")
                .receive(200)
                .again("OPTIONS")
                .receive(200)
                .request("INFO")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receive("OPTIONS")
                .pause(700)
                .answer(200)
                .receive("INFO")
                .answer(200);
        try (RunningProxy proxy = proxies.relay()) {
            assertThat(run(proxy, alice, bob).callee().received("OPTIONS")).hasSize(1);
        }
    }

    @Test
    void flow4_theProxyRepeatsARequestUntilItIsAnswered() throws Exception {
        SippScenario alice =
                SippScenario.caller().request("INFO").mayReceive(100).receive(200);
        SippScenario bob = SippScenario.callee()
                .receive("INFO")
                .receive("INFO")
                .receive("INFO")
                .receive("INFO")
                .answer(200);
        try (RunningProxy proxy = proxies.relay("t1: 50ms, t2: 200ms, t4: 50ms")) {
            Passed passed = run(proxy, alice, bob);
            assertThat(passed.callee().received("INFO").stream().distinct()).hasSize(1);
            proxy.awaitNoTransactions();
        }
    }

    @Test
    void flow5_theProxyRepeatsAnInviteUntilTimerBAndAnswers408() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .receive(100)
                .receive(408)
                .ackFailure();
        // A: 0, 20, 60, 140, 300, 620, 1260 ms; B: 1280 ms
        try (RunningProxy proxy = proxies.relay("t1: 20ms, t2: 10s");
                SilentPeer bob = new SilentPeer();
                Sipp caller = Sipp.caller(folder, alice, proxy, bob.port())) {
            caller.await();
            bob.assertRepeated(4);
            proxy.awaitNoTransactions();
        }
    }

    @Test
    void flow6_theAckToABusyIsHopByHop() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(486)
                .ackFailure()
                .request("OPTIONS")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(486)
                .receive("ACK")
                .receive("OPTIONS")
                .answer(200);
        try (RunningProxy proxy = proxies.relay()) {
            Messages ofCallee = run(proxy, alice, bob).callee();
            Message ack = ofCallee.received("ACK").getFirst();
            Message invite = ofCallee.received("INVITE").getFirst();
            assertThat(ack.branch()).isEqualTo(invite.branch());
            assertThat(ack.headers("Via")).containsExactly(invite.headers("Via").getFirst());
            assertThat(ack.startLine()).isEqualTo(invite.startLine().replace("INVITE", "ACK"));
        }
    }

    @Test
    void flow6_aBusyIsRepeatedUntilItsAckComes() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(486)
                .receive(486)
                .receive(486)
                .ackFailure()
                .pause(1000)
                .request("OPTIONS")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .allowsRepeats()
                .receiveInvite()
                .answer(486)
                .receive("ACK")
                .receive("OPTIONS")
                .answer(200);
        // G: 200, 600, 1400 ms
        try (RunningProxy proxy = proxies.relay("t1: 200ms, t2: 4s, t4: 100ms")) {
            Passed passed = run(proxy, alice, bob);
            assertThat(passed.caller().received("486").stream().distinct()).hasSize(1);
            assertThat(passed.caller().received("486")).hasSize(3);
            assertThat(proxy.sum(core -> core.transactions().counters().unacknowledged()))
                    .isZero();
        }
    }

    @Test
    void flow6_aBusyWithoutAckIsForgottenAtTimerH() throws Exception {
        SippScenario alice =
                SippScenario.caller().request("INVITE").mayReceive(100).receive(486);
        SippScenario bob = SippScenario.callee()
                .allowsRepeats()
                .receiveInvite()
                .answer(486)
                .receive("ACK");
        try (RunningProxy proxy = proxies.relay("t1: 20ms, t2: 100ms, t4: 20ms")) {
            run(proxy, alice, bob);
            proxy.awaitNoTransactions();
            assertThat(proxy.sum(core -> core.transactions().counters().unacknowledged()))
                    .isOne();
        }
    }

    @Test
    void flow7And8_each200AndEachAckToItPasses() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(200)
                .receive(200)
                .receive(200)
                .ackSuccess()
                .ackSuccess()
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(200)
                .answer(200)
                .answer(200)
                .receive("ACK")
                .receive("ACK")
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
        try (RunningProxy proxy = proxies.relay()) {
            Passed passed = run(proxy, alice, bob);
            assertThat(passed.caller().received("200")).hasSize(4);
            assertThat(passed.callee().received("ACK")).hasSize(3);
        }
    }

    @Test
    void flow8_aStrayResponseIsDropped() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .receive(100)
                .receive(200)
                .ackSuccess()
                .receive("INFO")
                .answerInDialog(200)
                .inDialog("BYE")
                .receive(200);
        // a 200 after timer M, and one that was never asked for
        SippScenario bob = SippScenario.callee()
                .allowsRepeats()
                .receiveInvite()
                .pause(300)
                .answer(200)
                .receive("ACK")
                .pause(2000)
                .answerInvite(200)
                .send(
                        "SIP/2.0 200 OK",
                        "Via: [$via]0",
                        "Via: [$callerVia]",
                        "[last_From:]",
                        "[last_To:]",
                        "[last_Call-ID:]",
                        "CSeq: 7 INVITE")
                .fromCallee("INFO")
                .receive(200)
                .receive("BYE")
                .answerInDialog(200);
        // M is 64 times T1: 1280 ms
        try (RunningProxy proxy = proxies.relay("t1: 20ms, t2: 4s, t4: 20ms")) {
            Passed passed = run(proxy, alice, bob);
            // a busy machine lets sipp repeat its 200 before the ACK has come; of what follows M, none arrives
            assertThat(inviteOks(passed.caller().received("200")))
                    .hasSize(inviteOks(passed.callee().sent("200")).size() - 2);
            assertThat(proxy.sum(core -> core.transactions().counters().strays()))
                    .isEqualTo(2);
            proxy.awaitNoTransactions();
        }
    }

    private static List<Message> inviteOks(List<Message> oks) {
        return oks.stream().filter(ok -> ok.header("CSeq").endsWith(" INVITE")).toList();
    }

    @Test
    void neitherSideSeesTheAddressOfTheOtherWhereTopologyIsHidden() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(180)
                .receive(200)
                .ackSuccess()
                .receive("INFO")
                .answerInDialog(200)
                .inDialog("BYE")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveHiddenInvite()
                .answer(180)
                .answer(200)
                .receive("ACK")
                .fromCallee("INFO")
                .receive(200)
                .receive("BYE")
                .answerInDialog(200);
        try (RunningProxy proxy = proxies.with("hide-topology: true\n");
                Sipp callee = Sipp.callee(folder, bob);
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            seesNothingAt(callee.port(), caller.await());
            seesNothingAt(caller.port(), callee.await());
        }
    }

    /** Where requests come from and go to, and which way; From and To are the phones' own. */
    private static void seesNothingAt(int port, Messages received) {
        for (Message message :
                received.all().stream().filter(message -> !message.isSent()).toList()) {
            boolean isRequest = !message.kind().matches("\\d+");
            // those of a response are the receiver's own
            List<String> names =
                    isRequest ? List.of("Via", "Record-Route", "Route", "Contact") : List.of("Record-Route", "Contact");
            assertThat(names.stream().flatMap(name -> message.headers(name).stream()))
                    .as(message.text())
                    .noneMatch(value -> value.contains(":" + port));
        }
    }

    @Test
    void flow9_aCallIsCancelledWhileItRings() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(180)
                .cancel()
                .receive(200)
                .receive(487)
                .ackFailure()
                .request("OPTIONS")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .receive("CANCEL")
                .answer(200)
                .answerInvite(487)
                .receive("ACK")
                .receive("OPTIONS")
                .answer(200);
        try (RunningProxy proxy = proxies.relay()) {
            Messages ofCallee = run(proxy, alice, bob).callee();
            Message cancel = ofCallee.received("CANCEL").getFirst();
            Message invite = ofCallee.received("INVITE").getFirst();
            assertThat(cancel.headers("Via"))
                    .containsExactly(invite.headers("Via").getFirst());
            assertThat(cancel.startLine()).isEqualTo(invite.startLine().replace("INVITE", "CANCEL"));
            assertThat(cancel.header("CSeq")).isEqualTo("1 CANCEL");
        }
    }

    @Test
    void flow10_aCancelWaitsForTheFirstProvisionalResponse() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .cancel()
                .receive(200)
                .mayReceive(100)
                .mayReceive(180)
                .receive(487)
                .ackFailure();
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .pause(700)
                .answer(180)
                .receive("CANCEL")
                .answer(200)
                .answerInvite(487)
                .receive("ACK");
        try (RunningProxy proxy = proxies.relay()) {
            assertThat(run(proxy, alice, bob).callee().summary())
                    .containsExactly(
                            "received INVITE", "sent 180", "received CANCEL", "sent 200", "sent 487", "received ACK");
        }
    }

    @Test
    void flow10_aCancelThatCrossesA200LeavesACall() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(180)
                .cancel()
                .receive(200)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .receive("CANCEL")
                .answer(481)
                .answerInvite(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
        try (RunningProxy proxy = proxies.relay()) {
            assertThat(run(proxy, alice, bob).caller().received("200").stream().map(message -> message.header("CSeq")))
                    .containsExactly("1 CANCEL", "1 INVITE", "2 BYE");
        }
    }

    @Test
    void flow10_aCancelThatMatchesNothingIsForwarded() throws Exception {
        SippScenario alice = SippScenario.caller().request("CANCEL").receive(481);
        SippScenario bob = SippScenario.callee().receive("CANCEL").answer(481, "X-From: callee");
        try (RunningProxy proxy = proxies.relay()) {
            Passed passed = run(proxy, alice, bob);
            assertThat(passed.caller().received("481").getFirst().header("X-From"))
                    .isEqualTo("callee");
            assertThat(passed.callee().received("CANCEL").getFirst().headers("Via"))
                    .hasSize(2);
            assertThat(proxy.sum(core -> core.contextCount())).isZero();
        }
    }

    @Test
    void flow13_challengesAndTheirAnswersPassUnchanged() throws Exception {
        String challenge = "Digest realm=\"bob\", nonce=\"0123\", algorithm=MD5, qop=\"auth\"";
        String credentials =
                "Digest username=\"alice\", realm=\"bob\", nonce=\"0123\", uri=\"sip:bob\", response=\"00\"";
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(407)
                .ackFailure()
                .request("INVITE", "Proxy-Authorization: " + credentials)
                .mayReceive(100)
                .receive(401)
                .ackFailure()
                .request("INVITE", "Authorization: " + credentials)
                .mayReceive(100)
                .receive(486)
                .ackFailure();
        SippScenario bob = SippScenario.callee()
                .receive("INVITE")
                .answer(407, "Proxy-Authenticate: " + challenge)
                .receive("ACK")
                .receive("INVITE")
                .answer(401, "WWW-Authenticate: " + challenge)
                .receive("ACK")
                .receive("INVITE")
                .answer(486)
                .receive("ACK");
        try (RunningProxy proxy = proxies.relay()) {
            Passed passed = run(proxy, alice, bob);
            assertThat(passed.caller().received("407").getFirst().header("Proxy-Authenticate"))
                    .isEqualTo(challenge);
            assertThat(passed.caller().received("401").getFirst().header("WWW-Authenticate"))
                    .isEqualTo(challenge);
            assertThat(passed.callee().received("INVITE").get(1).header("Proxy-Authorization"))
                    .isEqualTo(credentials);
            assertThat(passed.callee().received("INVITE").get(2).header("Authorization"))
                    .isEqualTo(credentials);
        }
    }

    @Test
    void flow13_a503OfTheCalleeBecomesA500() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(500)
                .ackFailure();
        SippScenario bob = SippScenario.callee().receive("INVITE").answer(503).receive("ACK");
        try (RunningProxy proxy = proxies.relay()) {
            run(proxy, alice, bob);
        }
    }

    @Test
    void flow15_whatRingsTooLongIsCancelled() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(180)
                .receive(487)
                .ackFailure();
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .receive("CANCEL")
                .answer(200)
                .answerInvite(487)
                .receive("ACK");
        try (RunningProxy proxy = proxies.relay("t1: 5s, t2: 10s, c: 1s")) {
            run(proxy, alice, bob);
        }
    }

    @Test
    void flow15_eachProvisionalResponseStartsTimerCAgain() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(180)
                .receive(183)
                .receive(180)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .pause(2000)
                .answer(183)
                .pause(2000)
                .answer(180)
                .pause(2000)
                .answer(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
        try (RunningProxy proxy = proxies.relay("t1: 5s, t2: 10s, c: 5s")) {
            run(proxy, alice, bob);
        }
    }

    @Test
    void flow24_aRequestWithoutAnswerIsNotAnsweredByTheProxyEither() throws Exception {
        SippScenario alice = SippScenario.caller().request("INFO").receive(100).pause(2000);
        // E: 0, 20, 60, 140, 300, 620, 1260 ms; F: 1280 ms
        try (RunningProxy proxy = proxies.relay("t1: 20ms, t2: 640ms, t4: 20ms");
                SilentPeer bob = new SilentPeer();
                Sipp caller = Sipp.caller(folder, alice, proxy, bob.port())) {
            assertThat(caller.await().summary()).containsExactly("sent INFO", "received 100");
            bob.assertRepeated(4);
            proxy.awaitNoTransactions();
            assertThat(proxy.sum(core -> core.transactions().counters().timeouts()))
                    .isOne();
        }
    }
}
