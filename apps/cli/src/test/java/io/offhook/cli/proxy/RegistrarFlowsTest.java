package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.proxy.Sipp.Message;
import io.offhook.cli.proxy.Sipp.Messages;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Phones that register, and calls to them, with sipp. The numbers are those of the flows that a proxy must pass. */
@DisabledIf(value = "io.offhook.cli.proxy.Sipp#isMissing", disabledReason = "sipp is not installed")
@Timeout(180)
@ParameterizedClass
@EnumSource(RunningProxy.Kind.class)
class RegistrarFlowsTest {
    private static final String BOB = "sip:bob@localhost";

    @TempDir
    Path folder;

    private final RunningProxy.Kind proxies;

    RegistrarFlowsTest(RunningProxy.Kind proxies) {
        this.proxies = proxies;
    }

    private Messages register(RunningProxy proxy, SippScenario phone) throws Exception {
        return register(proxy, "phone", phone);
    }

    private Messages register(RunningProxy proxy, String name, SippScenario phone) throws Exception {
        try (Sipp sipp = Sipp.caller(folder, name, phone, proxy, proxy.port())) {
            return sipp.await();
        }
    }

    private static SippScenario bob() {
        return SippScenario.phone(BOB);
    }

    private static String contact(Sipp callee, String parameters) {
        return "Contact: <sip:bob@127.0.0.1:" + callee.port() + ">" + parameters;
    }

    @Test
    void flow26_aContactIsRegisteredRefreshedAndRemoved() throws Exception {
        String contact = "Contact: <sip:bob@127.0.0.1:7777>";
        try (RunningProxy proxy = proxies.registrar()) {
            Messages messages = register(
                    proxy,
                    bob().register(contact, "Expires: 600")
                            .receive(200)
                            .register(contact + ";expires=900")
                            .receive(200)
                            .register()
                            .receive(200)
                            .register(contact, "Expires: 0")
                            .receive(200)
                            .register()
                            .receive(200));
            assertThat(messages.received("200").stream().map(RegistrarFlowsTest::bindings))
                    .containsExactly(
                            "sip:bob@127.0.0.1:7777 600",
                            "sip:bob@127.0.0.1:7777 900",
                            "sip:bob@127.0.0.1:7777 900",
                            "",
                            "");
        }
    }

    /** The contacts of a response with their expiry, which may have begun to run. */
    private static String bindings(Message response) {
        return String.join(
                ", ",
                response.headers("Contact").stream()
                        .map(contact -> contact.replaceAll("^<([^>]*)>.*;expires=(\\d+).*$", "$1 $2")
                                .replaceAll("59\\d$", "600")
                                .replaceAll("89\\d$", "900"))
                        .toList());
    }

    @Test
    void flow26_theStarRemovesAllContacts() throws Exception {
        try (RunningProxy proxy = proxies.registrar()) {
            Messages messages = register(
                    proxy,
                    bob().register("Contact: <sip:bob@127.0.0.1:7777>, <sip:bob@127.0.0.1:7778>", "Expires: 600")
                            .receive(200)
                            .register("Contact: *", "Expires: 600")
                            .receive(400)
                            .register("Contact: *", "Expires: 0")
                            .receive(200)
                            .register()
                            .receive(200));
            assertThat(bindings(messages.received("200").getFirst()))
                    .contains("7777")
                    .contains("7778");
            assertThat(bindings(messages.received("200").getLast())).isEmpty();
        }
    }

    @Test
    void flow26_tooShortATimeIsAnswered423() throws Exception {
        try (RunningProxy proxy = proxies.registrar()) {
            Messages messages = register(
                    proxy,
                    bob().register("Contact: <sip:bob@127.0.0.1:7777>", "Expires: 5")
                            .receive(423)
                            .register()
                            .receive(200));
            assertThat(messages.received("423").getFirst().header("Min-Expires"))
                    .isEqualTo("60");
            assertThat(messages.received("200").getFirst().headers("Contact")).isEmpty();
        }
    }

    @Test
    void flow26_anOlderRequestOfAPhoneChangesNothing() throws Exception {
        String contact = "Contact: <sip:bob@127.0.0.1:7777>";
        try (RunningProxy proxy = proxies.registrar();
                SilentPeer late = new SilentPeer()) {
            Messages messages = register(
                    proxy,
                    bob().register()
                            .receive(200)
                            .register(contact, "Expires: 600")
                            .receive(200));
            late.send(
                    proxy.port(),
                    "REGISTER sip:localhost SIP/2.0",
                    "Via: SIP/2.0/UDP 127.0.0.1:" + late.port() + ";branch=z9hG4bK-late",
                    "From: <sip:bob@localhost>;tag=r1",
                    "To: <sip:bob@localhost>",
                    "Call-ID: " + messages.sent("REGISTER").getFirst().header("Call-ID"),
                    "CSeq: 1 REGISTER",
                    "Max-Forwards: 70",
                    contact,
                    "Expires: 0",
                    "Content-Length: 0");
            assertThat(late.await().kind()).isEqualTo("500");
            assertThat(bindings(register(proxy, "later", bob().register().receive(200))
                            .received("200")
                            .getFirst()))
                    .isEqualTo("sip:bob@127.0.0.1:7777 600");
        }
    }

    /** A call to bob that is answered, and ended by the caller. */
    private static SippScenario answeredCall() {
        return SippScenario.caller(BOB)
                .request("INVITE")
                .mayReceive(100)
                .mayReceive(180)
                .mayReceive(180)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
    }

    private static SippScenario answers() {
        return SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .pause(300)
                .answer(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
    }

    private static SippScenario ringsUntilCancelled() {
        return SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .receive("CANCEL")
                .answer(200)
                .answerInvite(487)
                .receive("ACK");
    }

    @Test
    void flow26_aRegisteredUserIsCalled() throws Exception {
        try (RunningProxy proxy = proxies.registrar();
                Sipp callee = Sipp.callee(folder, answers())) {
            register(proxy, bob().register(contact(callee, "")).receive(200));
            try (Sipp caller = Sipp.caller(folder, answeredCall(), proxy, proxy.port())) {
                caller.await();
                Message invite = callee.await().received("INVITE").getFirst();
                assertThat(invite.startLine()).isEqualTo("INVITE sip:bob@127.0.0.1:" + callee.port() + " SIP/2.0");
                assertThat(invite.header("To")).isEqualTo("<sip:bob@localhost>");
            }
        }
    }

    @Test
    void flow26_aUserWhoIsNotRegisteredIsUnavailable() throws Exception {
        SippScenario alice =
                SippScenario.caller(BOB).request("INVITE").receive(480).ackFailure();
        try (RunningProxy proxy = proxies.registrar();
                Sipp caller = Sipp.caller(folder, alice, proxy, proxy.port())) {
            caller.await();
        }
    }

    @Test
    void flow11_allPhonesRingAndTheFirstAnswerCancelsTheOthers() throws Exception {
        try (RunningProxy proxy = proxies.registrar();
                Sipp first = Sipp.callee(folder, "first", answers());
                Sipp second = Sipp.callee(folder, "second", ringsUntilCancelled())) {
            register(
                    proxy,
                    bob().register(contact(first, ""))
                            .receive(200)
                            .register(contact(second, ""))
                            .receive(200));
            try (Sipp caller = Sipp.caller(folder, answeredCall(), proxy, proxy.port())) {
                Messages ofCaller = caller.await();
                first.await();
                second.await();
                assertThat(ofCaller.received("180")).hasSize(2);
                assertThat(ofCaller.received("487")).isEmpty();
            }
        }
    }

    @Test
    void flow11_eachLate200ReachesTheCallerToo() throws Exception {
        SippScenario alice = SippScenario.caller(BOB)
                .request("INVITE")
                .mayReceive(100)
                .receive(180)
                .receive(180)
                .receive(200)
                .receive(200);
        // the second one answers although it is cancelled
        SippScenario second = SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .receive("CANCEL")
                .answer(481)
                .answerInvite(200);
        SippScenario first =
                SippScenario.callee().receiveInvite().answer(180).pause(700).answer(200);
        try (RunningProxy proxy = proxies.registrar();
                Sipp one = Sipp.callee(folder, "first", first);
                Sipp two = Sipp.callee(folder, "second", second)) {
            register(
                    proxy,
                    bob().register(contact(one, ""))
                            .receive(200)
                            .register(contact(two, ""))
                            .receive(200));
            try (Sipp caller = Sipp.caller(folder, alice, proxy, proxy.port())) {
                assertThat(caller.await().received("200").stream().map(message -> message.header("To")))
                        .doesNotHaveDuplicates()
                        .hasSize(2);
                one.await();
                two.await();
            }
        }
    }

    @Test
    void flow12_aDeclineOfOnePhoneCancelsTheOthers() throws Exception {
        SippScenario alice = SippScenario.caller(BOB)
                .request("INVITE")
                .mayReceive(100)
                .mayReceive(180)
                .mayReceive(180)
                .receive(603)
                .ackFailure();
        SippScenario declines = SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .pause(700)
                .answer(603)
                .receive("ACK");
        try (RunningProxy proxy = proxies.registrar();
                Sipp first = Sipp.callee(folder, "first", declines);
                Sipp second = Sipp.callee(folder, "second", ringsUntilCancelled())) {
            register(
                    proxy,
                    bob().register(contact(first, ""))
                            .receive(200)
                            .register(contact(second, ""))
                            .receive(200));
            try (Sipp caller = Sipp.caller(folder, alice, proxy, proxy.port())) {
                caller.await();
                first.await();
                second.await();
            }
        }
    }

    @Test
    void flow13_theChallengesOfAllPhonesAreGathered() throws Exception {
        SippScenario alice = SippScenario.caller(BOB)
                .request("INVITE")
                .mayReceive(100)
                .receive(401)
                .ackFailure();
        SippScenario first = SippScenario.callee()
                .receive("INVITE")
                .answer(401, "WWW-Authenticate: Digest realm=\"first\", nonce=\"1\"")
                .receive("ACK");
        SippScenario second = SippScenario.callee()
                .receive("INVITE")
                .pause(500)
                .answer(401, "WWW-Authenticate: Digest realm=\"second\", nonce=\"2\"")
                .receive("ACK");
        try (RunningProxy proxy = proxies.registrar();
                Sipp one = Sipp.callee(folder, "first", first);
                Sipp two = Sipp.callee(folder, "second", second)) {
            register(
                    proxy,
                    bob().register(contact(one, ""))
                            .receive(200)
                            .register(contact(two, ""))
                            .receive(200));
            try (Sipp caller = Sipp.caller(folder, alice, proxy, proxy.port())) {
                Message challenge = caller.await().received("401").getFirst();
                assertThat(challenge.headers("WWW-Authenticate"))
                        .containsExactlyInAnyOrder(
                                "Digest realm=\"first\", nonce=\"1\"", "Digest realm=\"second\", nonce=\"2\"");
                one.await();
                two.await();
            }
        }
    }

    @Test
    void flow14_phonesAreCalledInTheOrderOfTheirQ() throws Exception {
        SippScenario busy = SippScenario.callee().receive("INVITE").answer(486).receive("ACK");
        try (RunningProxy proxy = proxies.registrar();
                Sipp preferred = Sipp.callee(folder, "preferred", busy);
                Sipp other = Sipp.callee(folder, "other", answers());
                SilentPeer last = new SilentPeer()) {
            register(
                    proxy,
                    bob().register(contact(other, ";q=0.5"))
                            .receive(200)
                            .register(contact(preferred, ";q=0.9"))
                            .receive(200)
                            .register("Contact: <sip:bob@127.0.0.1:" + last.port() + ">;q=0.1")
                            .receive(200));
            try (Sipp caller = Sipp.caller(folder, answeredCall(), proxy, proxy.port())) {
                assertThat(caller.await().received("486")).isEmpty();
                preferred.await();
                other.await();
                assertThat(last.received()).isEmpty();
            }
        }
    }

    @Test
    void flow14_redirectionsAreFollowedWhereTheProxyIsToldTo() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(486)
                .ackFailure();
        SippScenario busy = SippScenario.callee().receive("INVITE").answer(486).receive("ACK");
        try (RunningProxy proxy = RunningProxy.withConfiguration("""
                        listeners: [{name: udp, address: 127.0.0.1, port: 0}]
                        lanes: 2
                        relay: {allow: [127.0.0.0/8]}
                        sip: {timers: {t1: 5s, t2: 10s}, forking: {recurse: true}}
                        """);
                Sipp target = Sipp.callee(folder, "target", busy);
                Sipp moved = Sipp.callee(
                        folder,
                        SippScenario.callee()
                                .receive("INVITE")
                                .answer(302, "Contact: <sip:carol@127.0.0.1:" + target.port() + ">")
                                .receive("ACK"));
                Sipp caller = Sipp.caller(folder, alice, proxy, moved.port())) {
            assertThat(caller.await().received("302")).isEmpty();
            moved.await();
            assertThat(target.await().received("INVITE").getFirst().startLine())
                    .isEqualTo("INVITE sip:carol@127.0.0.1:" + target.port() + " SIP/2.0");
        }
    }
}
