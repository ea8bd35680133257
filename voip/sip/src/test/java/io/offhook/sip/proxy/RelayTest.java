package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import org.junit.jupiter.api.Test;

/** Calls through a proxy that relays by Request-URI and Route: flows 1 to 3 and 6 to 8. */
class RelayTest {
    private final ProxyScene scene = new ProxyScene();

    /** Flow 1. */
    @Test
    void carriesACallFromInviteToBye() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        assertThat(invite.startLine()).isEqualTo("INVITE sip:bob@203.0.113.2:5070 SIP/2.0");
        assertThat(invite.values(SipHeader.VIA)).hasSize(2);
        assertThat(invite.values(SipHeader.VIA).getFirst())
                .startsWith("SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKoh00f");
        assertThat(invite.value(SipHeader.MAX_FORWARDS)).isEqualTo("69");
        assertThat(invite.recorded()).containsExactly("<sip:192.0.2.1:5060;lr>");

        scene.send(BOB, invite.answer(180, "b"));
        assertThat(scene.take(ALICE).startLine()).isEqualTo("SIP/2.0 180 Reason");
        scene.send(BOB, invite.answer(200, "b", "Contact: <sip:bob@203.0.113.2:5070>"));
        Received ok = scene.take(ALICE);
        assertThat(ok.startLine()).isEqualTo("SIP/2.0 200 Reason");
        assertThat(ok.values(SipHeader.VIA)).containsExactly("SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK-1");

        String route = "Route: " + ok.value(SipHeader.RECORD_ROUTE);
        scene.send(ALICE, Draft.of("ACK").branch("2").toTag("b").header(route).text());
        Received ack = scene.take(BOB);
        assertThat(ack.startLine()).isEqualTo("ACK sip:bob@203.0.113.2:5070 SIP/2.0");
        assertThat(ack.values(SipHeader.ROUTE)).isEmpty();
        scene.send(
                ALICE,
                Draft.of("BYE").branch("3").cseq(2).toTag("b").header(route).text());
        Received bye = scene.take(BOB);
        scene.send(BOB, bye.answer(200, "b"));
        assertThat(scene.take(ALICE).startLine()).isEqualTo("SIP/2.0 200 Reason");

        scene.pass(40 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
        assertThat(scene.isQuiet(ALICE)).isTrue();
        assertThat(scene.isQuiet(BOB)).isTrue();
    }

    /** Flow 1: the 100 of our own, which has no tag in To. */
    @Test
    void answers100ByItselfWhenNothingCameWithin200Ms() {
        scene.send(ALICE, Draft.invite().text());
        scene.passMs(190);
        assertThat(scene.isQuiet(ALICE)).isTrue();
        scene.passMs(20);
        Received trying = scene.take(ALICE);
        assertThat(trying.startLine()).isEqualTo("SIP/2.0 100 Trying");
        assertThat(trying.view().toTag()).isEmpty();
        scene.passMs(2000);
        assertThat(scene.isQuiet(ALICE)).isTrue();
    }

    /** Flow 1: whoever was answered needs no 100. */
    @Test
    void sendsNo100AfterAnotherResponse() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.passMs(100);
        scene.send(BOB, invite.answer(180, "b"));
        scene.passMs(1000);
        assertThat(scene.takeAll(ALICE)).containsExactly("180");
    }

    /** Flow 2. */
    @Test
    void neverForwardsA100() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(100, ""));
        assertThat(scene.isQuiet(ALICE)).isTrue();
        scene.passMs(400);
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
        scene.send(BOB, invite.answer(183, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("183");
    }

    /** Flow 3. */
    @Test
    void absorbsARetransmittedInviteAndRepeatsTheLastReply() {
        String invite = Draft.invite().text();
        scene.send(ALICE, invite);
        Received forwarded = scene.take(BOB);
        scene.send(ALICE, invite);
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
        scene.send(BOB, forwarded.answer(180, "b"));
        scene.send(ALICE, invite);
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "180");
        scene.send(BOB, forwarded.answer(486, "b"));
        scene.send(ALICE, invite);
        assertThat(scene.takeAll(ALICE)).containsExactly("486", "486");
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
    }

    /** Flow 6: our ACK has the branch of the INVITE, and the caller's ACK ends with us. */
    @Test
    void acknowledgesARejectionHopByHop() {
        scene.send(ALICE, Draft.invite().header("Route: <sip:192.0.2.1;lr>").text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(486, "b"));
        Received ack = scene.take(BOB);
        assertThat(ack.startLine()).isEqualTo("ACK sip:bob@203.0.113.2:5070 SIP/2.0");
        assertThat(ack.values(SipHeader.VIA))
                .containsExactly(invite.values(SipHeader.VIA).getFirst());
        assertThat(ack.view().toTag()).isEqualTo("b");
        assertThat(ack.value(SipHeader.CSEQ)).isEqualTo("1 ACK");
        assertThat(scene.takeAll(ALICE)).containsExactly("486");

        scene.send(ALICE, Draft.of("ACK").toTag("b").text());
        scene.pass(4 * SECOND);
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(scene.isQuiet(ALICE)).isTrue();
        // the callee missed our ACK
        scene.send(BOB, invite.answer(486, "b"));
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
        scene.pass(40 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 6: timers G and H. */
    @Test
    void repeatsARejectionUntilTimerHWhenItsAckIsMissing() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(486, "b"));
        scene.pass(31 * SECOND);
        // at 0, 0.5, 1.5, 3.5, 7.5, then every 4 s
        assertThat(scene.takeAll(ALICE)).hasSize(10).containsOnly("486");
        scene.pass(10 * SECOND);
        assertThat(scene.takeAll(ALICE)).hasSizeLessThanOrEqualTo(1);
        assertThat(scene.core.transactions().counters().unacknowledged()).isEqualTo(1);
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 6: the ACK to a response of ours, whose transaction is over, is for nobody else. */
    @Test
    void forwardsNoAckToAResponseOfOurOwn() {
        scene.decision = (context, request) -> context.reply(404, "Not Found", "", scene.nowNs);
        scene.send(ALICE, Draft.invite().text());
        String tag = scene.take(ALICE).view().toTag();
        String ack = Draft.of("ACK").toTag(tag).text();
        scene.send(ALICE, ack);
        scene.pass(6 * SECOND);
        scene.send(ALICE, ack);
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 7. */
    @Test
    void forwardsTheAckToA2xxAlongTheRouteSet() {
        scene.send(
                ALICE,
                Draft.of("ACK")
                        .uri("sip:bob@203.0.113.9")
                        .toTag("b")
                        .header("Route: <sip:192.0.2.1:5060;lr>, <sip:" + BOB + ";lr>")
                        .text());
        Received ack = scene.take(BOB);
        assertThat(ack.startLine()).isEqualTo("ACK sip:bob@203.0.113.9 SIP/2.0");
        assertThat(ack.values(SipHeader.ROUTE)).containsExactly("<sip:" + BOB + ";lr>");
        assertThat(ack.values(SipHeader.VIA)).hasSize(2);
        assertThat(ack.value(SipHeader.MAX_FORWARDS)).isEqualTo("69");
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 7: who repeats an ACK gets the same branch for it, so that it matches further on. */
    @Test
    void forwardsARepeatedAckWithTheSameBranch() {
        String ack = Draft.of("ACK").branch("ack").toTag("b").text();
        scene.send(ALICE, ack);
        scene.passMs(500);
        scene.send(ALICE, ack);
        String first = scene.take(BOB).branch();
        assertThat(scene.take(BOB).branch()).isEqualTo(first);
        scene.send(ALICE, Draft.of("ACK").branch("other").toTag("b").text());
        assertThat(scene.take(BOB).branch()).isNotEqualTo(first);
    }

    /** Flow 8: timers L and M. */
    @Test
    void passesRepeated2xxFor32SecondsAndDropsThemLater() {
        scene.send(ALICE, Draft.invite().text());
        String ok = scene.take(BOB).answer(200, "b");
        scene.send(BOB, ok);
        scene.passMs(500);
        scene.send(BOB, ok);
        scene.pass(31 * SECOND);
        scene.send(BOB, ok);
        assertThat(scene.takeAll(ALICE)).containsExactly("200", "200", "200");
        scene.pass(SECOND);
        assertThat(scene.isEmpty()).isTrue();
        scene.send(BOB, ok);
        assertThat(scene.isQuiet(ALICE)).isTrue();
        assertThat(scene.core.transactions().counters().strays()).isEqualTo(1);
    }

    /** Flow 8: an INVITE that comes again after its 2xx is neither answered nor forwarded (RFC 6026, 7.1). */
    @Test
    void absorbsAnInviteThatComesAgainAfterIts2xx() {
        String invite = Draft.invite().text();
        scene.send(ALICE, invite);
        scene.send(BOB, scene.take(BOB).answer(200, "b"));
        scene.takeAll(ALICE);
        scene.send(ALICE, invite);
        assertThat(scene.isQuiet(ALICE)).isTrue();
        assertThat(scene.isQuiet(BOB)).isTrue();
    }

    /** Flow 8. */
    @Test
    void dropsResponsesThatNobodyAskedFor() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        String forged = invite.branch().replaceFirst("f000000.", "f000000" + "0123456789abcdef".charAt(7));
        assertThat(forged).isNotEqualTo(invite.branch());
        scene.send(BOB, invite.answer(200, "b").replace(invite.branch(), forged));
        scene.send(BOB, invite.answer(200, "b").replace(invite.branch(), "z9hG4bK-foreign"));
        scene.send(BOB, invite.answer(200, "b").replace("1 INVITE", "1 BYE"));
        assertThat(scene.isQuiet(ALICE)).isTrue();
        assertThat(scene.core.transactions().counters().strays()).isEqualTo(3);
    }

    /** Nothing of what a callee sends may leave a transaction without its end. */
    @Test
    void answers502WhenAResponseHasLostTheCallersVia() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        String via = "Via: " + invite.values(SipHeader.VIA).getLast() + "\r\n";
        scene.send(BOB, invite.answer(486, "b").replace(via, ""));
        assertThat(scene.takeAll(ALICE)).containsExactly("502");
        scene.pass(40 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }
}
