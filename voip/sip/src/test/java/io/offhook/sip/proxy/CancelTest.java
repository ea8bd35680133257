package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** CANCEL: flows 9 and 10. */
class CancelTest {
    private final ProxyScene scene = new ProxyScene();

    @AfterEach
    void nothingIsLeft() {
        scene.pass(100 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 9: the CANCEL has our Via of the INVITE only, its number, Route and Request-URI (RFC 3261, 9.1). */
    @Test
    void cancelsWhileItRings() {
        String path = "Route: <sip:192.0.2.1;lr>, <sip:" + BOB + ";lr>";
        scene.send(ALICE, Draft.invite().uri("sip:bob@example.com").header(path).text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(180, "b"));
        scene.takeAll(ALICE);
        scene.send(
                ALICE,
                Draft.of("CANCEL")
                        .uri("sip:bob@example.com")
                        .header(path)
                        .header("Reason: SIP;cause=487;text=\"Gave up\"")
                        .text());
        Received ok = scene.take(ALICE);
        assertThat(ok.brief()).isEqualTo("200");
        assertThat(ok.value(SipHeader.CSEQ)).isEqualTo("1 CANCEL");
        Received cancel = scene.take(BOB);
        assertThat(cancel.startLine()).isEqualTo("CANCEL sip:bob@example.com SIP/2.0");
        assertThat(cancel.values(SipHeader.VIA))
                .containsExactly(invite.values(SipHeader.VIA).getFirst());
        assertThat(cancel.values(SipHeader.ROUTE))
                .isEqualTo(invite.values(SipHeader.ROUTE))
                .hasSize(1);
        assertThat(cancel.value(SipHeader.CSEQ)).isEqualTo("1 CANCEL");
        assertThat(cancel.view().toTag()).isEmpty();
        // RFC 3326
        assertThat(cancel.value(SipHeader.REASON)).isEqualTo("SIP;cause=487;text=\"Gave up\"");
        scene.send(BOB, cancel.answer(200, "b"));
        assertThat(scene.isQuiet(ALICE)).isTrue();
        scene.send(BOB, invite.answer(487, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("487");
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
    }

    /** Flow 9: a CANCEL is repeated until it is answered, and so is its answer. */
    @Test
    void repeatsTheCancelAndItsAnswer() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(180, "b"));
        scene.takeAll(ALICE);
        scene.send(ALICE, Draft.of("CANCEL").text());
        scene.send(ALICE, Draft.of("CANCEL").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "200");
        scene.passMs(600);
        assertThat(scene.takeAll(BOB)).containsExactly("CANCEL", "CANCEL");
    }

    /** Flow 9: who answers neither CANCEL nor INVITE is given up after 64 T1 (9.1), however often it says that it rings. */
    @Test
    void givesUpWhoAnswersNothing() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(180, "b"));
        scene.send(ALICE, Draft.of("CANCEL").text());
        scene.takeAll(ALICE);
        scene.pass(20 * SECOND);
        scene.send(BOB, invite.answer(180, "b"));
        scene.passMs(12_300);
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "487");
        scene.send(ALICE, Draft.of("ACK").text());
    }

    /** Flow 10: no CANCEL before a provisional response (9.1). */
    @Test
    void holdsTheCancelBackUntilAProvisionalResponse() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(ALICE, Draft.of("CANCEL").header("Reason: SIP;cause=480").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        scene.passMs(600);
        assertThat(scene.takeAll(BOB)).containsExactly("INVITE");
        scene.send(BOB, invite.answer(100, ""));
        Received cancel = scene.take(BOB);
        assertThat(cancel.brief()).isEqualTo("CANCEL");
        assertThat(cancel.value(SipHeader.REASON)).isEqualTo("SIP;cause=480");
        scene.send(BOB, invite.answer(180, "b"));
        scene.send(BOB, cancel.answer(200, "b"));
        assertThat(scene.isQuiet(BOB)).isTrue();
        scene.send(BOB, invite.answer(487, "b"));
        assertThat(scene.takeAll(ALICE)).endsWith("487");
    }

    /** Flow 10: a callee that answers at once needs no CANCEL. */
    @Test
    void forwardsTheFinalResponseThatComesInsteadOfAProvisionalOne() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(ALICE, Draft.of("CANCEL").text());
        scene.send(BOB, invite.answer(486, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "486");
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
    }

    /** Flow 10: without any response, 487 at the end of timer B. */
    @Test
    void answers487WhenTheCancelledCalleeNeverAnswers() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(ALICE, Draft.of("CANCEL").text());
        scene.passMs(32_300);
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "100", "487");
        assertThat(scene.takeAll(BOB)).containsOnly("INVITE");
    }

    /** Flow 10: CANCEL crosses 200. */
    @Test
    void forwardsThe200ThatCrossesTheCancel() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(180, "b"));
        scene.send(ALICE, Draft.of("CANCEL").text());
        Received cancel = scene.take(BOB);
        scene.send(BOB, invite.answer(200, "b"));
        scene.send(BOB, cancel.answer(481, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "200", "200");
        scene.send(ALICE, Draft.of("ACK").branch("ack").toTag("b").text());
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
    }

    /** Flow 10: after the 200, a CANCEL is answered and goes nowhere. */
    @Test
    void answersACancelThatComesAfterThe200() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(200, "b"));
        scene.send(ALICE, Draft.of("CANCEL").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "200");
        assertThat(scene.isQuiet(BOB)).isTrue();
    }

    /** A proxy further on forks: its 487 may be followed by a 2xx of another branch (16.7 step 5). */
    @Test
    void forwardsA2xxThatComesAfterThe487() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(180, "b"));
        scene.send(ALICE, Draft.of("CANCEL").text());
        scene.send(BOB, invite.answer(487, "b"));
        scene.takeAll(ALICE);
        scene.send(BOB, invite.answer(200, "b2"));
        Received late = scene.take(ALICE);
        assertThat(late.brief()).isEqualTo("200");
        assertThat(late.values(SipHeader.VIA)).containsExactly("SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK-1");
        // even when the caller's transaction is over
        scene.send(ALICE, Draft.of("ACK").toTag("b").text());
        scene.pass(6 * SECOND);
        assertThat(scene.core.transactions().serverCount()).isEqualTo(1);
        scene.pass(20 * SECOND);
        scene.takeAll(ALICE);
        scene.send(BOB, invite.answer(200, "b2"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    /** Flow 10: a CANCEL that matches nothing is forwarded without a transaction, and its response comes back (16.10). */
    @Test
    void forwardsAnUnmatchedCancelStatelessly() {
        scene.send(ALICE, Draft.of("CANCEL").text());
        Received cancel = scene.take(BOB);
        assertThat(cancel.values(SipHeader.VIA)).hasSize(2);
        assertThat(cancel.value(SipHeader.MAX_FORWARDS)).isEqualTo("69");
        assertThat(scene.core.transactions().serverCount()).isZero();
        scene.send(BOB, cancel.answer(481, "b"));
        Received answer = scene.take(ALICE);
        assertThat(answer.brief()).isEqualTo("481");
        assertThat(answer.values(SipHeader.VIA)).hasSize(1);
        scene.send(ALICE, Draft.of("CANCEL").text());
        assertThat(scene.take(BOB).branch()).isEqualTo(cancel.branch());
    }

    /** Nobody may use us to send responses to others. */
    @Test
    void passesNoResponsesButThoseToCancelWithoutATransaction() {
        scene.send(ALICE, Draft.of("CANCEL").text());
        Received cancel = scene.take(BOB);
        scene.send(BOB, cancel.answer(200, "b").replace("CSeq: 1 CANCEL", "CSeq: 1 INVITE"));
        assertThat(scene.isQuiet(ALICE)).isTrue();
    }

    /** A CANCEL while we still look the target's name up. */
    @Test
    void cancelsBeforeTheTargetIsKnown() {
        scene.lookups = new ArrayDeque<>();
        scene.names.put("bob.example.com", List.of(BOB));
        scene.send(ALICE, Draft.invite().uri("sip:bob@bob.example.com").text());
        scene.send(ALICE, Draft.of("CANCEL").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "487");
        Objects.requireNonNull(scene.lookups).remove().run();
        assertThat(scene.isQuiet(BOB)).isTrue();
    }

    /** A CANCEL before the policy has decided: what it decides then is of no effect. */
    @Test
    void cancelsBeforeTheDecision() {
        ResponseContext[] waiting = new ResponseContext[1];
        scene.decision = (context, request) -> waiting[0] = context;
        scene.send(ALICE, Draft.invite().text());
        long number = waiting[0].number();
        assertThat(waiting[0].isWaiting(number)).isTrue();
        scene.send(ALICE, Draft.of("CANCEL").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "487");
        assertThat(waiting[0].isWaiting(number)).isFalse();
        waiting[0].relay(scene.nowNs);
        assertThat(scene.isQuiet(BOB)).isTrue();
    }

    /** Targets that were to be tried later are not. */
    @Test
    void triesNoFurtherTargetAfterACancel() {
        scene.decision = (context, request) -> context.fork(
                List.of(List.of(ForkTarget.of("sip:b@" + BOB)), List.of(ForkTarget.of("sip:c@" + CAROL))), scene.nowNs);
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(180, "b"));
        scene.send(ALICE, Draft.of("CANCEL").text());
        scene.send(BOB, invite.answer(487, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "200", "487");
        assertThat(scene.isQuiet(CAROL)).isTrue();
    }
}
