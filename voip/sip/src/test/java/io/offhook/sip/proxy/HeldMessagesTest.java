package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages whose bodies are changed on their way, which takes time; and those that follow them. */
class HeldMessagesTest {
    private static final byte[] OTHER = "a longer body".getBytes(StandardCharsets.US_ASCII);
    private static final String CONTACT = "Contact: <sip:bob@" + BOB + ">";

    private final HeldBodies bodies = new HeldBodies();
    private final ProxyScene scene = new ProxyScene(bodies);

    /** Whatever was held: nothing of it stays. */
    @AfterEach
    void nothingIsLeft() {
        scene.pass(300 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    private static Draft offer() {
        return Draft.invite().body("body");
    }

    private Received heldInvite() {
        scene.send(ALICE, offer().text());
        bodies.held.getLast().pass(scene.nowNs);
        return scene.take(BOB);
    }

    private ProxyCounters counters() {
        return scene.core.counters();
    }

    /** A call without bodies up to its ACK. */
    private void establish() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(200, "b", CONTACT));
        scene.send(ALICE, Draft.of("ACK").branch("ack").toTag("b").text());
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    @Test
    void holdsARequestUntilItsBodyIsChanged() {
        String invite = offer().text();
        scene.send(ALICE, invite);
        scene.send(ALICE, invite);
        scene.passMs(300);
        assertThat(scene.takeAll(ALICE)).as("an INVITE that comes again").containsExactly("100");
        assertThat(scene.isQuiet(BOB)).isTrue();

        bodies.held.getFirst().replace(1, 2, OTHER, scene.nowNs);
        Received forwarded = scene.take(BOB);
        assertThat(forwarded.body()).isEqualTo("ba longer bodyy");
        assertThat(forwarded.value(SipHeader.CONTENT_LENGTH)).isEqualTo("15");
        assertThat(bodies.log).containsExactly("INVITE to branch 1");
        assertThat(counters().held()).isEqualTo(1);
        scene.send(BOB, forwarded.answer(486, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("486");
        assertThat(bodies.failed).isEqualTo(1);
    }

    @Test
    void givesAChangedBodyItsLengthWhereItHadNone() {
        scene.send(ALICE, offer().text().replace("Content-Length: 4\r\n", ""));
        bodies.held.getFirst().replace(0, 4, OTHER, scene.nowNs);
        assertThat(scene.take(BOB).value(SipHeader.CONTENT_LENGTH)).isEqualTo("13");
    }

    @Test
    void asksOnceHoweverOftenARequestIsRepeated() {
        scene.send(ALICE, offer().text());
        bodies.held.getFirst().replace(0, 4, OTHER, scene.nowNs);
        scene.pass(4 * SECOND);
        assertThat(scene.takeAll(BOB)).containsExactly("INVITE", "INVITE", "INVITE", "INVITE");
        assertThat(bodies.log).hasSize(1);
    }

    @Test
    void keepsResponsesBehindAHeldOneInTheirOrder() {
        Received invite = heldInvite();
        String progress = invite.answerWithBody(183, "b", "body");
        scene.send(BOB, progress);
        scene.send(BOB, progress);
        scene.send(BOB, invite.answer(180, "b"));
        String ok = invite.answer(200, "b", CONTACT);
        scene.send(BOB, ok);
        scene.send(BOB, ok);
        assertThat(scene.takeAll(ALICE)).isEmpty();

        bodies.held.getLast().replace(0, 4, OTHER, scene.nowNs);
        Received changed = scene.take(ALICE);
        assertThat(changed.startLine()).startsWith("SIP/2.0 183");
        assertThat(changed.body()).isEqualTo("a longer body");
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "200");
        assertThat(counters().heldBehind()).isEqualTo(2);
        assertThat(counters().heldAgain()).isEqualTo(2);
    }

    @Test
    void changesA2xxEachTimeThatItComes() {
        String ok = heldInvite().answerWithBody(200, "b", "body", CONTACT);
        for (int i = 0; i < 2; i++) {
            scene.send(BOB, ok);
            bodies.held.getLast().replace(0, 4, OTHER, scene.nowNs);
            assertThat(scene.take(ALICE).body()).isEqualTo("a longer body");
        }
        assertThat(bodies.log).containsExactly("INVITE to branch 1", "200 of branch 1", "200 of branch 1");
    }

    @Test
    void keepsRequestsOfADialogBehindAHeldOne() {
        establish();
        scene.send(ALICE, offer().branch("2").cseq(2).toTag("b").text());
        String bye = Draft.of("BYE").branch("3").cseq(3).toTag("b").text();
        scene.send(ALICE, bye);
        scene.send(ALICE, bye);
        scene.send(ALICE, Draft.invite().branch("4").callId("other").text());
        assertThat(scene.takeAll(BOB)).as("another call").containsExactly("INVITE");

        bodies.held.getLast().pass(scene.nowNs);
        assertThat(scene.takeAll(BOB)).containsExactly("INVITE", "BYE");
    }

    @Test
    void holdsOneAfterTheOtherOfADialog() {
        establish();
        scene.send(ALICE, offer().branch("2").cseq(2).toTag("b").text());
        scene.send(
                ALICE,
                Draft.of("UPDATE").branch("3").cseq(3).toTag("b").body("body").text());
        scene.send(ALICE, Draft.of("BYE").branch("4").cseq(4).toTag("b").text());
        bodies.held.getLast().pass(scene.nowNs);
        assertThat(scene.takeAll(BOB)).containsExactly("INVITE");
        bodies.held.getLast().pass(scene.nowNs);
        assertThat(scene.takeAll(BOB)).containsExactly("UPDATE", "BYE");
    }

    @Test
    void holdsAnAckAndAbsorbsItsRepetition() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(200, "b", CONTACT));
        String ack = Draft.of("ACK").branch("ack").toTag("b").body("body").text();
        scene.send(ALICE, ack);
        scene.send(ALICE, ack);
        scene.send(ALICE, Draft.of("BYE").branch("3").cseq(2).toTag("b").text());
        assertThat(scene.isQuiet(BOB)).isTrue();
        bodies.held.getLast().replace(0, 4, OTHER, scene.nowNs);
        Received forwarded = scene.take(BOB);
        assertThat(forwarded.brief()).isEqualTo("ACK");
        assertThat(forwarded.body()).isEqualTo("a longer body");
        assertThat(scene.takeAll(BOB)).containsExactly("BYE");
    }

    @Test
    void refusesARequestInThePlaceOfPassingItOn() {
        scene.send(ALICE, offer().text());
        bodies.held.getFirst().refuse(503, "No Media Relay", scene.nowNs);
        assertThat(scene.take(ALICE).startLine()).isEqualTo("SIP/2.0 503 No Media Relay");
        assertThat(bodies.failed).isEqualTo(1);
        assertThat(scene.isQuiet(BOB)).isTrue();
    }

    @Test
    void givesUpAllBranchesWhenOneIsRefused() {
        scene.decision = (context, request) ->
                context.fork(List.of(List.of(target(BOB), target(CAROL)), List.of(target(Draft.DAVE))), scene.nowNs);
        scene.send(ALICE, offer().text());
        bodies.held.getFirst().pass(scene.nowNs);
        scene.send(BOB, scene.take(BOB).answer(180, "b"));
        bodies.held.getLast().refuse(503, "No Media Relay", scene.nowNs);
        assertThat(scene.takeAll(ALICE)).as("what waited comes too late").containsExactly("503");
        assertThat(scene.takeAll(BOB)).containsExactly("CANCEL");
        assertThat(scene.isQuiet(CAROL)).isTrue();
        assertThat(scene.isQuiet(Draft.DAVE)).isTrue();
    }

    private static ForkTarget target(String place) {
        return new ForkTarget("sip:bob@" + place, List.of(), null, "");
    }

    @Test
    void changesEachBranchByItself() {
        scene.decision = (context, request) -> context.fork(List.of(List.of(target(BOB), target(CAROL))), scene.nowNs);
        scene.send(ALICE, offer().text());
        assertThat(bodies.log).containsExactly("INVITE to branch 1", "INVITE to branch 2");
        bodies.held.get(1).replace(0, 4, OTHER, scene.nowNs);
        assertThat(scene.take(CAROL).body()).isEqualTo("a longer body");
        assertThat(scene.isQuiet(BOB)).isTrue();
        bodies.held.get(0).pass(scene.nowNs);
        assertThat(scene.take(BOB).body()).isEqualTo("body");
    }

    @Test
    void cancelsWhatIsHeld() {
        scene.send(ALICE, offer().text());
        scene.send(ALICE, Draft.of("CANCEL").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "487");
        scene.send(ALICE, Draft.of("ACK").toTag("x").text());
        scene.pass(SECOND);
        bodies.held.getFirst().replace(0, 4, OTHER, scene.nowNs);
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(bodies.failed).isEqualTo(1);
    }

    @Test
    void passesA2xxThatACancelCrosses() {
        scene.send(BOB, heldInvite().answerWithBody(200, "b", "body", CONTACT));
        scene.send(ALICE, Draft.of("CANCEL").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        bodies.held.getLast().pass(scene.nowNs);
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        assertThat(scene.isQuiet(BOB)).as("no CANCEL to who has answered").isTrue();
    }

    @Test
    void cancelsAnInviteThatIsKeptBehind() {
        establish();
        scene.send(
                ALICE,
                Draft.of("UPDATE").branch("2").cseq(2).toTag("b").body("body").text());
        scene.send(ALICE, Draft.invite().branch("3").cseq(3).toTag("b").text());
        scene.send(ALICE, Draft.of("CANCEL").branch("3").cseq(3).toTag("b").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "487");
        bodies.held.getFirst().pass(scene.nowNs);
        assertThat(scene.takeAll(BOB)).containsExactly("UPDATE");
    }

    @Test
    void letsGoWhatWasHeldTooLong() {
        scene.send(ALICE, offer().text());
        scene.passMs(1900);
        assertThat(bodies.log).doesNotContain("expired");
        scene.passMs(200);
        assertThat(bodies.log).endsWith("expired");
        assertThat(scene.takeAll(BOB)).containsExactly("INVITE");
        assertThat(counters().heldExpired()).isEqualTo(1);
        bodies.held.getFirst().replace(0, 4, OTHER, scene.nowNs);
        assertThat(scene.isQuiet(BOB)).as("too late").isTrue();
    }

    @Test
    void passesAFinalResponseWhoseTransactionHasEnded() {
        scene.send(ALICE, offer().uri("sip:bob@" + BOB + ";transport=tcp").text());
        bodies.held.getFirst().pass(scene.nowNs);
        Received invite = scene.take("TCP " + BOB);
        scene.send("TCP " + BOB, invite.answerWithBody(486, "b", "body"));
        assertThat(scene.core.transactions().clientCount()).isZero();
        assertThat(scene.isQuiet(ALICE)).isTrue();
        bodies.held.getLast().replace(0, 4, OTHER, scene.nowNs);
        assertThat(scene.take(ALICE).body()).isEqualTo("a longer body");
    }

    @Test
    void limitsWhatIsKeptBehind() {
        establish();
        scene.send(ALICE, offer().branch("2").cseq(2).toTag("b").text());
        for (int i = 0; i < HeldMessages.MOST_BEHIND; i++) {
            scene.send(
                    ALICE,
                    Draft.of("INFO").branch("i" + i).cseq(3 + i).toTag("b").text());
        }
        scene.send(ALICE, Draft.of("INFO").branch("last").cseq(99).toTag("b").text());
        Received refused = scene.take(ALICE);
        assertThat(refused.startLine()).startsWith("SIP/2.0 503");
        assertThat(refused.value(SipHeader.CSEQ)).isEqualTo("99 INFO");
        assertThat(counters().heldRefused()).isEqualTo(1);
        bodies.held.getLast().pass(scene.nowNs);
        assertThat(scene.takeAll(BOB)).hasSize(1 + HeldMessages.MOST_BEHIND);
    }
}
