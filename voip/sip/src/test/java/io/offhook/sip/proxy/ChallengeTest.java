package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHeader;
import io.offhook.sip.digest.DigestAlgorithm;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.digest.DigestOffer;
import io.offhook.sip.digest.DigestSettings;
import io.offhook.sip.digest.DigestVerdict;
import io.offhook.sip.digest.DigestVerifier;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Challenges of a peer at which the proxy itself has an account. */
class ChallengeTest {
    private static final String REALM = "carrier.example";
    private static final IpAddress SOURCE = ProxyScene.PROXY;

    private final ProxyScene scene = new ProxyScene();
    private long nowMs = 1_000_000;

    ChallengeTest() {
        scene.accounts.put(BOB, () -> new DigestClient("office", "secret", REALM, new Random(1)));
    }

    private static DigestVerifier verifier(DigestAlgorithm... algorithms) {
        DigestSettings standard = DigestSettings.DEFAULT;
        return new DigestVerifier(
                new DigestSettings(
                        DigestOffer.of(algorithms),
                        standard.nonceLifetimeMs(),
                        standard.nonceLimit(),
                        standard.bindsToSource(),
                        standard.offersAuthInt(),
                        standard.acceptsNoQop(),
                        standard.comparesUri()),
                (user, realm, algorithm) -> user.equals("office") ? algorithm.ha1(user, realm, "secret") : null,
                new byte[16]);
    }

    private String challenge(Received request, int status, DigestVerifier verifier, boolean isStale) {
        String name = status == 401 ? "WWW-Authenticate: " : "Proxy-Authenticate: ";
        return request.answer(
                status,
                "x" + status,
                verifier.challenges(REALM, SOURCE, isStale, nowMs).stream()
                        .map(value -> name + value)
                        .toArray(String[]::new));
    }

    private DigestVerdict verdict(DigestVerifier verifier, Received request, SipHeader header) {
        return verifier.verify(request.view(), header, REALM, SOURCE, nowMs);
    }

    @Test
    void answersA407WithTheSameCSeqOnANewBranch() {
        DigestVerifier verifier = verifier(DigestAlgorithm.SHA_256, DigestAlgorithm.MD5);
        scene.send(ALICE, Draft.invite().body("v=0\r\n").text());
        Received first = scene.take(BOB);
        scene.send(BOB, first.answer(100, ""));
        scene.send(BOB, challenge(first, 407, verifier, false));
        Received ack = scene.take(BOB);
        assertThat(ack.brief()).isEqualTo("ACK");
        assertThat(ack.branch()).isEqualTo(first.branch());
        Received second = scene.take(BOB);
        assertThat(second.startLine()).isEqualTo(first.startLine());
        assertThat(second.branch()).isNotEqualTo(first.branch());
        assertThat(second.value(SipHeader.CSEQ)).isEqualTo(first.value(SipHeader.CSEQ));
        assertThat(second.text()).endsWith("\r\n\r\nv=0\r\n");
        assertThat(second.value(SipHeader.PROXY_AUTHORIZATION)).contains("algorithm=SHA-256", "nc=00000001");
        assertThat(verdict(verifier, second, SipHeader.PROXY_AUTHORIZATION).isAuthentic())
                .isTrue();
        scene.send(BOB, second.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).as("but 100").containsExactly("200");
        assertThat(scene.core.counters().challengesAnswered()).isEqualTo(1);
        assertThat(scene.core.counters().challengesRefused()).isZero();
        scene.pass(200 * ProxyScene.SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    @Test
    void answersEachAlgorithmAndA401() {
        for (DigestAlgorithm algorithm :
                List.of(DigestAlgorithm.MD5, DigestAlgorithm.SHA_256, DigestAlgorithm.SHA_512_256)) {
            DigestVerifier verifier = verifier(algorithm);
            String callId = "with-" + algorithm;
            scene.send(ALICE, Draft.of("MESSAGE").callId(callId).branch(callId).text());
            scene.send(BOB, challenge(scene.take(BOB), 401, verifier, false));
            Received second = scene.take(BOB);
            assertThat(verdict(verifier, second, SipHeader.AUTHORIZATION).isAuthentic())
                    .as(algorithm.token())
                    .isTrue();
            scene.send(BOB, second.answer(200, "b"));
            assertThat(scene.takeAll(ALICE)).containsExactly("200");
        }
    }

    @Test
    void passesTheChallengeOnWhenItsCredentialsAreRefused() {
        DigestVerifier verifier = verifier(DigestAlgorithm.MD5);
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, challenge(scene.take(BOB), 407, verifier, false));
        assertThat(scene.take(BOB).brief()).isEqualTo("ACK");
        Received second = scene.take(BOB);
        scene.send(BOB, challenge(second, 407, verifier, false));
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
        Received refused = scene.take(ALICE);
        assertThat(refused.brief()).isEqualTo("407");
        assertThat(refused.value(SipHeader.PROXY_AUTHENTICATE)).contains(REALM);
        assertThat(scene.core.counters().challengesRefused()).isEqualTo(1);
    }

    @Test
    void answersAStaleNonceOnceMore() {
        DigestVerifier verifier = verifier(DigestAlgorithm.SHA_256);
        scene.send(ALICE, Draft.of("MESSAGE").text());
        scene.send(BOB, challenge(scene.take(BOB), 407, verifier, false));
        Received second = scene.take(BOB);
        nowMs += DigestSettings.DEFAULT.nonceLifetimeMs() + 1;
        assertThat(verdict(verifier, second, SipHeader.PROXY_AUTHORIZATION).isStale())
                .isTrue();
        scene.send(BOB, challenge(second, 407, verifier, true));
        Received third = scene.take(BOB);
        assertThat(third.values(SipHeader.PROXY_AUTHORIZATION).stream().filter(value -> value.contains("username")))
                .hasSize(1);
        assertThat(verdict(verifier, third, SipHeader.PROXY_AUTHORIZATION).isAuthentic())
                .isTrue();
        scene.send(BOB, third.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    @Test
    void endsWithAPeerThatCallsEveryNonceStale() {
        DigestVerifier verifier = verifier(DigestAlgorithm.MD5);
        scene.send(ALICE, Draft.of("MESSAGE").text());
        int asked = 0;
        while (!scene.isQuiet(BOB)) {
            scene.send(BOB, challenge(scene.take(BOB), 407, verifier, true));
            asked++;
        }
        assertThat(asked).isEqualTo(4);
        assertThat(scene.takeAll(ALICE)).containsExactly("407");
    }

    @Test
    void answersThoseOfAServerBehindThePeerToo() {
        scene.accounts.put(BOB, () -> new DigestClient("office", "secret", null, new Random(1)));
        DigestVerifier verifier = verifier(DigestAlgorithm.MD5);
        scene.send(ALICE, Draft.of("MESSAGE").text());
        scene.send(BOB, challenge(scene.take(BOB), 407, verifier, false));
        Received second = scene.take(BOB);
        scene.send(BOB, challenge(second, 401, verifier, false));
        Received third = scene.take(BOB);
        assertThat(verdict(verifier, third, SipHeader.PROXY_AUTHORIZATION).isAuthentic())
                .isTrue();
        assertThat(verdict(verifier, third, SipHeader.AUTHORIZATION).isAuthentic())
                .isTrue();
    }

    @Test
    void leavesChallengesOfOtherRealmsAndOtherPeersToTheSender() {
        for (String place : List.of(BOB, CAROL)) {
            scene.send(
                    ALICE,
                    Draft.of("MESSAGE")
                            .uri("sip:bob@" + place)
                            .callId(place)
                            .branch("to" + place.replace(':', '-'))
                            .text());
            String realm = place.equals(BOB) ? "elsewhere.example" : REALM;
            scene.send(
                    place,
                    scene.take(place)
                            .answer(407, "x", "Proxy-Authenticate: Digest realm=\"" + realm + "\", nonce=\"1\""));
            assertThat(scene.takeAll(place)).isEmpty();
            assertThat(scene.takeAll(ALICE)).containsExactly("407");
        }
        assertThat(scene.core.counters().challengesRefused()).as("of Bob's").isEqualTo(1);
    }

    @Test
    void answersRequestsInDialogsAlongTheirRoute() {
        DigestVerifier verifier = verifier(DigestAlgorithm.SHA_512_256);
        for (String method : List.of("BYE", "INVITE", "UPDATE")) {
            scene.send(
                    ALICE,
                    Draft.of(method)
                            .branch("in-" + method)
                            .toTag("b")
                            .cseq(2)
                            .header("Route: <sip:192.0.2.1;lr>")
                            .text());
            scene.send(BOB, challenge(scene.take(BOB), 407, verifier, false));
            if (method.equals("INVITE")) {
                assertThat(scene.take(BOB).brief()).isEqualTo("ACK");
            }
            Received second = scene.take(BOB);
            assertThat(second.values(SipHeader.ROUTE)).isEmpty();
            assertThat(verdict(verifier, second, SipHeader.PROXY_AUTHORIZATION).isAuthentic())
                    .isTrue();
            scene.send(BOB, second.answer(200, "b"));
            assertThat(scene.takeAll(ALICE)).containsExactly("200");
        }
    }

    @Test
    void cancelsTheRequestThatIsPendingNow() {
        DigestVerifier verifier = verifier(DigestAlgorithm.MD5);
        scene.send(ALICE, Draft.invite().text());
        Received first = scene.take(BOB);
        scene.send(BOB, challenge(first, 407, verifier, false));
        assertThat(scene.take(BOB).brief()).isEqualTo("ACK");
        Received second = scene.take(BOB);
        scene.send(ALICE, Draft.of("CANCEL").text());
        assertThat(scene.isQuiet(BOB)).as("nothing was heard from it yet").isTrue();
        scene.send(BOB, second.answer(180, "b"));
        Received cancel = scene.take(BOB);
        assertThat(cancel.brief()).isEqualTo("CANCEL");
        assertThat(cancel.branch()).isEqualTo(second.branch());
        scene.send(BOB, cancel.answer(200, "b"));
        scene.send(BOB, second.answer(487, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "180", "487");
    }

    @Test
    void answersNoChallengeAfterACancel() {
        DigestVerifier verifier = verifier(DigestAlgorithm.MD5);
        scene.send(ALICE, Draft.invite().text());
        Received first = scene.take(BOB);
        scene.send(BOB, first.answer(180, "b"));
        scene.send(ALICE, Draft.of("CANCEL").text());
        scene.send(BOB, challenge(first, 407, verifier, false));
        assertThat(scene.takeAll(BOB)).containsExactly("CANCEL", "ACK");
    }

    /** The nonce of one member is none of another one's. */
    @Test
    void answersTheNextMemberAnew() {
        scene.accounts.put(CAROL, () -> new DigestClient("office", "secret", REALM, new Random(2)));
        DigestVerifier verifier = verifier(DigestAlgorithm.MD5);
        scene.decision = (context, request) -> context.fork(List.of(List.of(member(BOB, CAROL))), scene.nowNs);
        scene.send(ALICE, Draft.of("MESSAGE").text());
        scene.send(BOB, challenge(scene.take(BOB), 407, verifier, false));
        Received second = scene.take(BOB);
        scene.send(BOB, second.answer(503, "x"));
        Received atCarol = scene.take(CAROL);
        assertThat(atCarol.values(SipHeader.PROXY_AUTHORIZATION)).isEmpty();
        scene.send(CAROL, challenge(atCarol, 407, verifier, false));
        assertThat(verdict(verifier, scene.take(CAROL), SipHeader.PROXY_AUTHORIZATION)
                        .isAuthentic())
                .isTrue();
    }

    private static ForkTarget member(String place, @Nullable String other) {
        return new ForkTarget(
                "sip:bob@example.com", List.of(), "sip:" + place, null, HeaderChanges.NONE, new TargetFallback() {
                    @Override
                    public @Nullable ForkTarget after(int status, boolean isLocal, long retryAfterS, long nowNs) {
                        return other == null ? null : member(other, null);
                    }
                });
    }

    @Test
    void repeatsTheAnswerUntilItIsHeard() {
        DigestVerifier verifier = verifier(DigestAlgorithm.MD5);
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, challenge(scene.take(BOB), 407, verifier, false));
        scene.takeAll(BOB);
        scene.passMs(600);
        Received again = scene.take(BOB);
        assertThat(again.values(SipHeader.PROXY_AUTHORIZATION)).isNotEmpty();
        scene.pass(40 * ProxyScene.SECOND);
        assertThat(scene.takeAll(ALICE)).startsWith("100", "408");
        scene.pass(200 * ProxyScene.SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    @Test
    void answersOverTheConnectionThatWasChallenged() {
        String bob = "TCP " + BOB;
        scene.accounts.put(bob, () -> new DigestClient("office", "secret", REALM, new Random(1)));
        DigestVerifier verifier = verifier(DigestAlgorithm.MD5);
        scene.send(
                ALICE, Draft.invite().uri("sip:bob@" + BOB + ";transport=tcp").text());
        scene.send(bob, challenge(scene.take(bob), 407, verifier, false));
        assertThat(scene.take(bob).brief()).isEqualTo("ACK");
        assertThat(verdict(verifier, scene.take(bob), SipHeader.PROXY_AUTHORIZATION)
                        .isAuthentic())
                .isTrue();
    }
}
