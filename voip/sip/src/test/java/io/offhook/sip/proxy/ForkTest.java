package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static io.offhook.sip.proxy.Draft.DAVE;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several targets of one request: flows 11 to 15. */
class ForkTest {
    private ProxyScene scene = new ProxyScene();

    @AfterEach
    void nothingIsLeft() {
        scene.pass(300 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
        assertThat(scene.ended).isPositive();
    }

    private static ForkTarget at(String address) {
        return ForkTarget.of("sip:bob@" + address);
    }

    /** An INVITE goes to all these at once. */
    private void forkTo(String... addresses) {
        fork(List.of(Arrays.stream(addresses).map(ForkTest::at).toList()));
    }

    private void fork(List<List<ForkTarget>> sets) {
        scene.decision = (context, request) -> context.fork(sets, scene.nowNs);
        scene.send(ALICE, Draft.invite().uri("sip:bob@example.com").text());
    }

    /** Flow 11. */
    @Test
    void cancelsTheOthersOnTheFirst2xx() {
        forkTo(BOB, CAROL);
        Received bob = scene.take(BOB);
        Received carol = scene.take(CAROL);
        assertThat(bob.startLine()).isEqualTo("INVITE sip:bob@" + BOB + " SIP/2.0");
        assertThat(carol.startLine()).isEqualTo("INVITE sip:bob@" + CAROL + " SIP/2.0");
        assertThat(bob.branch()).isNotEqualTo(carol.branch());
        scene.send(BOB, bob.answer(180, "b"));
        scene.send(CAROL, carol.answer(180, "c"));
        scene.send(CAROL, carol.answer(200, "c"));
        Received cancel = scene.take(BOB);
        assertThat(cancel.brief()).isEqualTo("CANCEL");
        assertThat(cancel.value(SipHeader.REASON)).isEqualTo("SIP;cause=200;text=\"Call completed elsewhere\"");
        scene.send(BOB, cancel.answer(200, "b"));
        scene.send(BOB, bob.answer(487, "b"));
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "180", "200");
    }

    /** Flow 11: every late 2xx goes back, too. */
    @Test
    void forwardsTheLate2xxOfAnotherBranch() {
        forkTo(BOB, CAROL);
        Received bob = scene.take(BOB);
        Received carol = scene.take(CAROL);
        scene.send(BOB, bob.answer(180, "b"));
        scene.send(CAROL, carol.answer(200, "c"));
        scene.send(BOB, bob.answer(200, "b"));
        scene.takeAll(BOB);
        scene.take(ALICE);
        assertThat(scene.take(ALICE).view().toTag()).isEqualTo("c");
        assertThat(scene.take(ALICE).view().toTag()).isEqualTo("b");
        scene.send(BOB, bob.answer(200, "b"));
        assertThat(scene.take(ALICE).view().toTag()).isEqualTo("b");
    }

    /** Flow 11: a branch without any response is cancelled when the first one comes. */
    @Test
    void cancelsASilentBranchOnceItRings() {
        forkTo(BOB, CAROL);
        Received bob = scene.take(BOB);
        scene.send(CAROL, scene.take(CAROL).answer(200, "c"));
        assertThat(scene.isQuiet(BOB)).isTrue();
        scene.send(BOB, bob.answer(180, "b"));
        assertThat(scene.takeAll(BOB)).containsExactly("CANCEL");
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    /** Other requests have no CANCEL, and one 2xx only. */
    @Test
    void forwardsTheFirst2xxOfAnotherRequestOnly() {
        scene.decision = (context, request) -> context.fork(List.of(List.of(at(BOB), at(CAROL))), scene.nowNs);
        scene.send(ALICE, Draft.of("MESSAGE").text());
        scene.send(BOB, scene.take(BOB).answer(200, "b"));
        scene.send(CAROL, scene.take(CAROL).answer(200, "c"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        assertThat(scene.isQuiet(BOB)).isTrue();
    }

    /** Flow 12. */
    @Test
    void a6xxCancelsThePendingBranchesAndWins() {
        forkTo(BOB, CAROL, DAVE);
        Received bob = scene.take(BOB);
        scene.send(BOB, bob.answer(180, "b"));
        scene.send(DAVE, scene.take(DAVE).answer(302, "d", "Contact: <sip:x@example.com>"));
        scene.send(CAROL, scene.take(CAROL).answer(603, "c"));
        assertThat(scene.takeAll(ALICE)).containsExactly("180");
        Received cancel = scene.take(BOB);
        assertThat(cancel.brief()).isEqualTo("CANCEL");
        scene.send(BOB, bob.answer(487, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("603");
    }

    /** Flow 12: a 2xx of a pending branch after a 6xx still goes back (16.7 step 5). */
    @Test
    void a2xxAfterA6xxWins() {
        forkTo(BOB, CAROL);
        Received bob = scene.take(BOB);
        scene.send(BOB, bob.answer(180, "b"));
        scene.send(CAROL, scene.take(CAROL).answer(600, "c"));
        scene.send(BOB, bob.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "200");
    }

    /** Flow 12: later sets are not tried after a 6xx. */
    @Test
    void a6xxEndsASerialFork() {
        fork(List.of(List.of(at(BOB)), List.of(at(CAROL))));
        scene.send(BOB, scene.take(BOB).answer(600, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("600");
        assertThat(scene.isQuiet(CAROL)).isTrue();
    }

    /** Flow 13: the lowest class; within 4xx what the caller can do something about. */
    @Test
    void choosesTheBestResponse() {
        assertThat(best(500, 404)).isEqualTo("404");
        assertThat(best(404, 302)).isEqualTo("302");
        assertThat(best(486, 415)).isEqualTo("415");
        assertThat(best(404, 484)).isEqualTo("484");
        assertThat(best(503, 500)).isEqualTo("500");
        assertThat(best(503, 501)).isEqualTo("501");
        assertThat(best(480, 486)).isEqualTo("480");
    }

    private String best(int first, int second) {
        scene = new ProxyScene();
        forkTo(BOB, CAROL);
        scene.send(BOB, scene.take(BOB).answer(first, "b"));
        assertThat(scene.isQuiet(ALICE)).isTrue();
        scene.send(CAROL, scene.take(CAROL).answer(second, "c"));
        return scene.take(ALICE).brief();
    }

    /** Flow 13. */
    @Test
    void gathersTheChallengesOfAllBranches() {
        forkTo(BOB, CAROL, DAVE);
        scene.send(BOB, scene.take(BOB).answer(401, "b", "WWW-Authenticate: Digest realm=\"b\""));
        scene.send(
                CAROL,
                scene.take(CAROL)
                        .answer(
                                407,
                                "c",
                                "Proxy-Authenticate: Digest realm=\"c1\"",
                                "Proxy-Authenticate: Digest realm=\"c2\""));
        scene.send(DAVE, scene.take(DAVE).answer(404, "d", "WWW-Authenticate: Digest realm=\"d\""));
        Received answer = scene.take(ALICE);
        assertThat(answer.brief()).isEqualTo("401");
        assertThat(answer.values(SipHeader.WWW_AUTHENTICATE)).containsExactly("Digest realm=\"b\"");
        assertThat(answer.values(SipHeader.PROXY_AUTHENTICATE))
                .containsExactly("Digest realm=\"c1\"", "Digest realm=\"c2\"");
    }

    /** Flow 13: a lone 503 becomes a 500, of one branch or several. */
    @Test
    void makesA500OfALone503() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(503, "b", "Retry-After: 10"));
        Received answer = scene.take(ALICE);
        assertThat(answer.startLine()).isEqualTo("SIP/2.0 500 Server Internal Error");
        scene.send(ALICE, Draft.of("ACK").toTag("b").text());
        assertThat(best(503, 503)).isEqualTo("500");
    }

    /** Flow 13: a response from there is better than our own conclusion of the same class. */
    @Test
    void prefersAResponseToATimeoutOfOurOwn() {
        forkTo(BOB, CAROL);
        scene.send(BOB, scene.take(BOB).answer(404, "b"));
        scene.pass(33 * SECOND);
        assertThat(scene.takeAll(ALICE)).startsWith("100", "404").doesNotContain("408");
    }

    /** Flow 24 with forks: a 408 never is the best response to a request other than INVITE. */
    @Test
    void forwardsAnyResponseToAnotherRequestRatherThan408() {
        scene.decision = (context, request) -> context.fork(List.of(List.of(at(BOB), at(CAROL))), scene.nowNs);
        scene.send(ALICE, Draft.of("MESSAGE").text());
        scene.send(BOB, scene.take(BOB).answer(408, "b"));
        scene.send(CAROL, scene.take(CAROL).answer(500, "c"));
        assertThat(scene.takeAll(ALICE)).containsExactly("500");
    }

    /** Flow 14. */
    @Test
    void triesTheNextSetWhenAllOfOneHaveFailed() {
        fork(List.of(List.of(at(BOB), at(CAROL)), List.of(at(DAVE))));
        scene.send(BOB, scene.take(BOB).answer(486, "b"));
        assertThat(scene.isQuiet(DAVE)).isTrue();
        scene.send(CAROL, scene.take(CAROL).answer(480, "c"));
        scene.send(DAVE, scene.take(DAVE).answer(200, "d"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    private void recurse() {
        scene = new ProxyScene(ProxySettings.standard(1).with(new ProxySettings.Forking(true, 10)));
    }

    /** Flow 14: the contacts of a 3xx, the highest q first, none twice. */
    @Test
    void triesTheContactsOfA3xxInTheOrderOfQ() {
        recurse();
        scene.send(ALICE, Draft.invite().text());
        scene.send(
                BOB,
                scene.take(BOB)
                        .answer(
                                302,
                                "b",
                                "Contact: <sip:x@" + CAROL + ">;q=0.2, <sip:x@" + DAVE + ">;q=0.9",
                                "Contact: <sip:x@" + DAVE + ">;q=0.1, <sip:bob@" + BOB
                                        + ">, <mailto:bob@example.com>"));
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
        assertThat(scene.isQuiet(CAROL)).isTrue();
        scene.send(DAVE, scene.take(DAVE).answer(302, "d", "Contact: <sip:x@" + CAROL + ">"));
        scene.takeAll(DAVE);
        Received carol = scene.take(CAROL);
        assertThat(carol.startLine()).isEqualTo("INVITE sip:x@" + CAROL + " SIP/2.0");
        scene.send(CAROL, carol.answer(486, "c"));
        assertThat(scene.takeAll(CAROL)).containsExactly("ACK");
        assertThat(scene.isQuiet(DAVE)).isTrue();
        // the 302 of Dave, who named nobody new, is of the better class
        assertThat(scene.takeAll(ALICE)).containsExactly("302");
    }

    /** Flow 14: without the setting, a 3xx goes back. */
    @Test
    void forwardsA3xxUnlessItRecurses() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(302, "b", "Contact: <sip:x@" + CAROL + ">"));
        assertThat(scene.takeAll(ALICE)).containsExactly("302");
        assertThat(scene.isQuiet(CAROL)).isTrue();
    }

    /** Flow 14: redirections to ever new places end at the limit of branches. */
    @Test
    void recursesNoMoreThanTheLimitOfBranches() {
        recurse();
        scene.send(ALICE, Draft.invite().text());
        for (int i = 1; i <= ProxySettings.standard(1).mostBranches(); i++) {
            scene.send(BOB, scene.take(BOB).answer(302, "b", "Contact: <sip:bob" + i + "@" + BOB + ">"));
            scene.take(BOB);
        }
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(scene.takeAll(ALICE)).endsWith("302");
    }

    /** Flow 15. */
    @Test
    void cancelsWhoRingsLongerThanTimerC() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(180, "b"));
        scene.pass(170 * SECOND);
        scene.send(BOB, invite.answer(180, "b"));
        scene.pass(180 * SECOND);
        assertThat(scene.isQuiet(BOB)).isTrue();
        scene.pass(2 * SECOND);
        assertThat(scene.takeAll(BOB)).startsWith("CANCEL");
        scene.send(BOB, invite.answer(487, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "180", "487");
    }

    /** Flow 15: a 100 does not start timer C anew (16.7 step 2). */
    @Test
    void restartsTimerCFor101To199Only() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(100, "b"));
        scene.pass(170 * SECOND);
        scene.send(BOB, invite.answer(100, "b"));
        scene.pass(12 * SECOND);
        assertThat(scene.takeAll(BOB)).startsWith("CANCEL");
    }

    /** Flow 15: who does not answer the CANCEL either has timed out; the next target is tried. */
    @Test
    void answers408AfterTimerCAndACancelThatNobodyAnswers() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(180, "b"));
        scene.passMs(181_000 + 32_300);
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "408");
        scene.send(ALICE, Draft.of("ACK").text());
    }

    /** Flow 15: the serial fork goes on after timer C. */
    @Test
    void triesTheNextSetAfterTimerC() {
        fork(List.of(List.of(at(BOB)), List.of(at(CAROL))));
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(180, "b"));
        scene.pass(182 * SECOND);
        scene.send(BOB, invite.answer(487, "b"));
        scene.send(CAROL, scene.take(CAROL).answer(200, "c"));
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "200");
    }

    /** Flow 17: RFC 5393, 5.3: branches at once share the breadth; those one after the other each have all of it. */
    @Test
    void sharesMaxBreadthAmongBranches() {
        scene.decision =
                (context, request) -> context.fork(List.of(List.of(at(BOB), at(CAROL), at(DAVE))), scene.nowNs);
        scene.send(ALICE, Draft.invite().header("Max-Breadth: 2").text());
        Received bob = scene.take(BOB);
        Received carol = scene.take(CAROL);
        assertThat(bob.value(SipHeader.MAX_BREADTH)).isEqualTo("1");
        assertThat(carol.value(SipHeader.MAX_BREADTH)).isEqualTo("1");
        assertThat(scene.isQuiet(DAVE)).isTrue();
        scene.send(BOB, bob.answer(486, "b"));
        scene.send(CAROL, carol.answer(486, "c"));
        Received dave = scene.take(DAVE);
        assertThat(dave.value(SipHeader.MAX_BREADTH)).isEqualTo("2");
        scene.send(DAVE, dave.answer(486, "d"));
    }

    /** Targets with their own routes, headers and place. */
    @Test
    void appliesRoutesAndHeadersOfATarget() {
        ForkTarget target = new ForkTarget(
                "sip:bob@10.0.0.2",
                List.of("sip:" + CAROL + ";lr", "sip:edge.example.com;lr"),
                null,
                "P-Called-Party-ID: <sip:bob@example.com>\r\n");
        scene.decision = (context, request) -> context.fork(List.of(List.of(target)), scene.nowNs);
        scene.send(ALICE, Draft.invite().header("Route: <sip:192.0.2.1;lr>").text());
        Received invite = scene.take(CAROL);
        assertThat(invite.startLine()).isEqualTo("INVITE sip:bob@10.0.0.2 SIP/2.0");
        assertThat(invite.values(SipHeader.ROUTE))
                .containsExactly("<sip:" + CAROL + ";lr>", "<sip:edge.example.com;lr>");
        assertThat(invite.value(SipHeader.P_CALLED_PARTY_ID)).isEqualTo("<sip:bob@example.com>");
        scene.send(CAROL, invite.answer(486, "c"));
    }

    /** A request without any target. */
    @Test
    void answers480WithoutTargets() {
        fork(List.of());
        assertThat(scene.takeAll(ALICE)).containsExactly("480");
    }
}
