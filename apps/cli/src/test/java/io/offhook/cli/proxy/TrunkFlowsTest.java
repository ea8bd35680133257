package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.proxy.Sipp.Message;
import io.offhook.cli.proxy.Sipp.Messages;
import io.offhook.packet.IpAddress;
import io.offhook.packet.WrapStatus;
import io.offhook.proxy.statistics.GroupFigure;
import io.offhook.proxy.statistics.MemberFigure;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestAlgorithm;
import io.offhook.sip.digest.DigestSettings;
import io.offhook.sip.digest.DigestVerifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Trunks that ask for credentials, and members of groups that are asked by OPTIONS, with sipp. */
@DisabledIf(value = "io.offhook.cli.proxy.Sipp#isMissing", disabledReason = "sipp is not installed")
@Timeout(180)
@ParameterizedClass
@EnumSource(RunningProxy.Kind.class)
class TrunkFlowsTest {
    private static final String REALM = "carrier.example";
    private static final IpAddress PROXY = Objects.requireNonNull(IpAddress.parse("127.0.0.1"));

    @TempDir
    Path folder;

    private final RunningProxy.Kind proxies;

    TrunkFlowsTest(RunningProxy.Kind proxies) {
        this.proxies = proxies;
    }

    private RunningProxy proxy(int memberPort) throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "secret\n");
        return proxies.with("""
                credentials: {carrier: {realm: %s, user: office, password-file: %s}}
                groups: {carrier: {members: [{uri: "sip:127.0.0.1:%d"}], credentials: carrier}}
                routes: [{then: {group: {name: carrier}}}]
                """.formatted(REALM, password, memberPort));
    }

    /** A caller who never hears of a challenge, through a call with a re-INVITE. */
    private static SippScenario caller() {
        return SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(180)
                .receive(200)
                .ackSuccess()
                .inDialog("INVITE")
                .mayReceive(100)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
    }

    /** sipp checks the credentials itself: MD5, in Authorization. */
    @Test
    void answersA401OfEachRequestOfACall() throws Exception {
        String challenge =
                "WWW-Authenticate: Digest realm=\"" + REALM + "\", nonce=\"%s\", algorithm=MD5, qop=\"auth\"";
        SippScenario trunk = SippScenario.callee()
                .receive("INVITE")
                .answer(401, challenge.formatted("one"))
                .receive("ACK")
                .receiveAuthorized("INVITE", "office", "secret")
                .answer(180)
                .answer(200)
                .receive("ACK")
                .receive("INVITE")
                .answerInDialog(401, challenge.formatted("two"))
                .receive("ACK")
                .receiveAuthorized("INVITE", "office", "secret")
                .answerInDialog(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(401, challenge.formatted("three"))
                .receiveAuthorized("BYE", "office", "secret")
                .answerInDialog(200);
        try (Sipp callee = Sipp.callee(folder, trunk);
                RunningProxy proxy = proxy(callee.port());
                Sipp caller = Sipp.caller(folder, caller(), proxy, callee.port())) {
            caller.await();
            Messages messages = callee.await();
            assertThat(messages.sent("403")).isEmpty();
            assertThat(messages.received("INVITE"))
                    .extracting(message -> message.header("CSeq"))
                    .containsExactly("1 INVITE", "1 INVITE", "2 INVITE", "2 INVITE");
            assertThat(messages.received("INVITE")).extracting(Message::branch).doesNotHaveDuplicates();
            assertThat(proxy.sum(core -> core.counters().challengesAnswered())).isEqualTo(3);
            assertThat(proxy.sum(core -> core.counters().challengesRefused())).isZero();
        }
    }

    /** SHA-256 in Proxy-Authorization, which sipp does not check. */
    @Test
    void answersA407BySha256() throws Exception {
        DigestVerifier verifier = new DigestVerifier(
                DigestSettings.DEFAULT,
                (user, realm, algorithm) -> user.equals("office") ? algorithm.ha1(user, realm, "secret") : null,
                new byte[16]);
        long nowMs = 1_800_000_000_000L;
        String[] challenges = verifier.challenges(REALM, PROXY, false, nowMs).stream()
                .map(value -> "Proxy-Authenticate: " + value)
                .toArray(String[]::new);
        SippScenario trunk = SippScenario.callee()
                .receive("INVITE")
                .answer(407, challenges)
                .receive("ACK")
                .receiveInvite()
                .answer(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
        try (Sipp callee = Sipp.callee(folder, trunk);
                RunningProxy proxy = proxy(callee.port());
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            caller.await();
            Message second = callee.await().received("INVITE").getLast();
            byte[] octets = second.text().getBytes(StandardCharsets.ISO_8859_1);
            SipMessageView view = new SipMessageView();
            assertThat(view.wrap(octets, 0, octets.length)).isEqualTo(WrapStatus.OK);
            assertThat(second.header("Proxy-Authorization"))
                    .contains("algorithm=" + DigestAlgorithm.SHA_256.token(), "nc=00000001");
            assertThat(verifier.verify(view, SipHeader.PROXY_AUTHORIZATION, REALM, PROXY, nowMs)
                            .isAuthentic())
                    .isTrue();
        }
    }

    @Test
    void passesARefusalOfItsCredentialsOn() throws Exception {
        String challenge =
                "Proxy-Authenticate: Digest realm=\"" + REALM + "\", nonce=\"n\", algorithm=MD5, qop=\"auth\"";
        SippScenario trunk = SippScenario.callee()
                .receive("INVITE")
                .answer(407, challenge)
                .receive("ACK")
                .receive("INVITE")
                .answer(407, challenge)
                .receive("ACK");
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(407)
                .ackFailure();
        try (Sipp callee = Sipp.callee(folder, trunk);
                RunningProxy proxy = proxy(callee.port());
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            caller.await();
            callee.await();
            assertThat(proxy.sum(core -> core.counters().challengesRefused())).isEqualTo(1);
        }
    }

    /** The first member answers twice and ends; calls go to the other one then, without an attempt at the first. */
    @Test
    void callsGoAroundAMemberThatDoesNotAnswerOptions() throws Exception {
        SippScenario dying = SippScenario.callee().receive("OPTIONS").answer(404);
        SippScenario living = SippScenario.callee()
                .answersOptions()
                .receive("INVITE")
                .answer(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
        try (Sipp first = Sipp.member(folder, "first", dying, 2);
                Sipp second = Sipp.member(folder, "second", living, 100_000);
                RunningProxy proxy = proxies.with("""
                        groups:
                          carrier:
                            members: [{uri: "sip:127.0.0.1:%d"}, {uri: "sip:127.0.0.1:%d", priority: 1}]
                            health: {options: true, interval: 1s, timeout: 900ms}
                        routes: [{then: {group: {name: carrier}}}]
                        """.formatted(first.port(), second.port()))) {
            Messages answered = first.await();
            assertThat(answered.received("OPTIONS")).hasSize(2);
            assertThat(answered.received("OPTIONS").getFirst().header("Via"))
                    .startsWith("SIP/2.0/UDP " + proxy.host() + ";");
            awaitDown(proxy);
            try (Sipp caller = Sipp.caller(folder, alice, proxy, second.port())) {
                caller.await();
            }
            GroupFigure group = proxy.groups().getFirst();
            assertThat(group.failovers()).isZero();
            MemberFigure.Options options =
                    Objects.requireNonNull(group.members().getFirst().options());
            assertThat(options.sent()).isGreaterThanOrEqualTo(options.failed() + 2);
            assertThat(group.members().getLast().state()).isEqualTo("usable");
            assertThat(second.messages().received("OPTIONS")).isNotEmpty();
        }
    }

    /** Waits until the first member of the group gets no calls. */
    private static void awaitDown(RunningProxy proxy) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!proxy.groups().getFirst().members().getFirst().state().equals("down")) {
            assertThat(System.nanoTime() - end).as("it is found to be dead").isNegative();
            TimeUnit.MILLISECONDS.sleep(20); // it is asked once a second
        }
    }
}
