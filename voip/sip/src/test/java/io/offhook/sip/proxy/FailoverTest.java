package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static io.offhook.sip.proxy.Draft.DAVE;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Places that fail, and long requests: flow 23 and the part of flow 27 about size. */
class FailoverTest {
    private static final String BOB_TCP = "TCP " + BOB;

    private ProxyScene scene = new ProxyScene();

    @AfterEach
    void nothingIsLeft() {
        scene.pass(300 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    private void callName(String... places) {
        scene.names.put("bob.example.com", List.of(places));
        scene.send(ALICE, Draft.invite().uri("sip:bob@bob.example.com").text());
    }

    /** Flow 23: RFC 3263, 4.3: a new branch at the next place. */
    @Test
    void triesTheNextPlaceAfterA503() {
        callName(BOB, CAROL);
        Received bob = scene.take(BOB);
        scene.send(BOB, bob.answer(503, "b"));
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
        Received carol = scene.take(CAROL);
        assertThat(carol.startLine()).isEqualTo("INVITE sip:bob@bob.example.com SIP/2.0");
        assertThat(carol.branch()).isNotEqualTo(bob.branch());
        assertThat(carol.values(SipHeader.VIA)).hasSize(2);
        assertThat(carol.value(SipHeader.MAX_FORWARDS)).isEqualTo("69");
        scene.send(CAROL, carol.answer(200, "c"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    /** RFC 3263, 4.3: so that what has failed can be tried last by the next requests. */
    @Test
    void reportsWhichPlacesOfANameFailed() {
        scene.broken.add(BOB);
        callName(BOB, CAROL, DAVE);
        scene.send(CAROL, scene.take(CAROL).answer(503, "c", "Retry-After: 20"));
        scene.send(DAVE, scene.take(DAVE).answer(486, "d"));
        assertThat(scene.placesHeard)
                .containsExactly(BOB + " failed 503 -1", CAROL + " failed 503 20", DAVE + " answered");
    }

    @Test
    void reportsAPlaceThatDoesNotAnswer() {
        callName(BOB);
        scene.pass(40 * ProxyScene.SECOND);
        assertThat(scene.placesHeard).containsExactly(BOB + " failed 408 -1");
    }

    /** As of a policy that has resolved the name itself, to see where it leads. */
    private void forkToPlaces(Draft request, String... places) {
        List<SipHop> hops = Arrays.stream(places).map(ProxyScene::hop).toList();
        scene.decision = (context, message) ->
                context.fork(List.of(List.of(ForkTarget.at("sip:bob@bob.example.com", hops))), scene.nowNs);
        scene.send(ALICE, request.text());
    }

    @Test
    void triesAndReportsThePlacesThatATargetBrings() {
        scene.broken.add(BOB);
        forkToPlaces(Draft.invite(), BOB, CAROL, DAVE);
        scene.send(CAROL, scene.take(CAROL).answer(503, "c", "Retry-After: 20"));
        Received dave = scene.take(DAVE);
        assertThat(dave.startLine()).isEqualTo("INVITE sip:bob@bob.example.com SIP/2.0");
        scene.send(DAVE, dave.answer(486, "d"));
        assertThat(scene.placesHeard)
                .containsExactly(BOB + " failed 503 -1", CAROL + " failed 503 20", DAVE + " answered");
    }

    /** Its sender has given up by then, so that no other place is tried; but the next request knows. */
    @Test
    void reportsAPlaceThatDoesNotAnswerAnythingElseThanAnInvite() {
        forkToPlaces(Draft.of("OPTIONS"), BOB, CAROL);
        scene.pass(40 * ProxyScene.SECOND);
        assertThat(scene.placesHeard).containsExactly(BOB + " failed 408 -1");
        assertThat(scene.isQuiet(CAROL)).isTrue();
    }

    /** Flow 23: any other final response is the answer of the target. */
    @Test
    void triesNoOtherPlaceAfterA480() {
        callName(BOB, CAROL);
        scene.send(BOB, scene.take(BOB).answer(480, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("480");
        assertThat(scene.isQuiet(CAROL)).isTrue();
    }

    /** Flow 23: what cannot be sent goes elsewhere at once (16.9). */
    @Test
    void triesTheNextPlaceWhenTheTransportFailsAtOnce() {
        scene.broken.addAll(List.of(BOB, CAROL));
        callName(BOB, CAROL, DAVE);
        scene.send(DAVE, scene.take(DAVE).answer(200, "d"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        assertThat(scene.core.transactions().counters().transportFailures()).isEqualTo(2);
        assertThat(scene.core.counters().undeliverable()).isEqualTo(2);
    }

    /** Flow 23: an ICMP error comes later. */
    @Test
    void triesTheNextPlaceWhenTheTransportFailsLater() {
        callName(BOB, CAROL);
        Received bob = scene.take(BOB);
        scene.passMs(5);
        scene.core.transactions().transportFailed(ProxyScene.hop(DAVE), scene.nowNs);
        assertThat(scene.isQuiet(CAROL)).isTrue();
        scene.core.transactions().transportFailed(ProxyScene.hop(BOB), scene.nowNs);
        scene.send(CAROL, scene.take(CAROL).answer(200, "c"));
        scene.passMs(1000);
        assertThat(scene.isQuiet(BOB)).isTrue();
        // what arrives from there after all is nobody's
        scene.send(BOB, bob.answer(180, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    /** Flow 23: who has answered is there: an error of another message does not end its call. */
    @Test
    void ignoresTransportErrorsOfWhoRings() {
        scene.send(ALICE, Draft.invite().text());
        Received bob = scene.take(BOB);
        scene.send(BOB, bob.answer(180, "b"));
        scene.core.transactions().transportFailed(ProxyScene.hop(BOB), scene.nowNs);
        scene.send(BOB, bob.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "200");
    }

    /** Flow 23: a failed transport counts as 503, which the caller gets as 500. */
    @Test
    void answers500WhenNoPlaceIsReached() {
        scene.broken.add(BOB);
        scene.send(ALICE, Draft.invite().text());
        assertThat(scene.takeAll(ALICE)).containsExactly("500");
        scene.send(ALICE, Draft.of("ACK").text());
        scene.send(
                ALICE,
                Draft.invite().branch("2").uri("sip:bob@nowhere.example.com").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("500");
        assertThat(scene.core.counters().unroutable()).isEqualTo(1);
    }

    /** Flow 23: an INVITE that times out goes to the next place; another request does not, whose sender has given up, too. */
    @Test
    void triesTheNextPlaceOfAnInviteAfterATimeout() {
        callName(BOB, CAROL);
        scene.passMs(32_100);
        assertThat(scene.takeAll(CAROL)).containsExactly("INVITE");
        scene.send(
                ALICE,
                Draft.of("OPTIONS").branch("2").uri("sip:bob@bob.example.com").text());
        scene.pass(40 * SECOND);
        assertThat(scene.takeAll(CAROL)).containsOnly("INVITE");
    }

    /** A cancelled request goes nowhere else. */
    @Test
    void triesNoOtherPlaceAfterACancel() {
        callName(BOB, CAROL);
        Received bob = scene.take(BOB);
        scene.send(BOB, bob.answer(180, "b"));
        scene.send(ALICE, Draft.of("CANCEL").uri("sip:bob@bob.example.com").text());
        scene.send(BOB, bob.answer(503, "b"));
        assertThat(scene.isQuiet(CAROL)).isTrue();
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "200", "500");
    }

    /** Names are looked up elsewhere, and the answer comes later. */
    @Test
    void waitsForTheResolver() {
        scene.lookups = new ArrayDeque<>();
        callName(BOB);
        scene.passMs(300);
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
        // another request in between, so that the answer must find its own
        scene.send(
                ALICE,
                Draft.invite()
                        .branch("2")
                        .callId("other")
                        .uri("sip:carol@" + CAROL)
                        .text());
        assertThat(scene.takeAll(CAROL)).containsExactly("INVITE");
        Objects.requireNonNull(scene.lookups).remove().run();
        Received invite = scene.take(BOB);
        assertThat(invite.view().callId()).isEqualTo("call-1");
        scene.send(BOB, invite.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).contains("200");
    }

    /** The ACK to a 2xx is sent by name, too. */
    @Test
    void resolvesTheNameOfAnAck() {
        scene.lookups = new ArrayDeque<>();
        scene.names.put("bob.example.com", List.of(BOB));
        scene.send(
                ALICE, Draft.of("ACK").uri("sip:bob@bob.example.com").toTag("b").text());
        scene.send(
                ALICE,
                Draft.of("ACK").branch("2").uri("sip:x@" + CAROL).toTag("b").text());
        Objects.requireNonNull(scene.lookups).remove().run();
        assertThat(scene.take(BOB).startLine()).isEqualTo("ACK sip:bob@bob.example.com SIP/2.0");
        scene.send(
                ALICE,
                Draft.of("ACK")
                        .branch("3")
                        .uri("sip:bob@nowhere.example.com")
                        .toTag("b")
                        .text());
        Objects.requireNonNull(scene.lookups).remove().run();
        assertThat(scene.core.counters().unroutable()).isEqualTo(1);
    }

    private static Draft longInvite() {
        return Draft.invite().body("x".repeat(1200));
    }

    /** RFC 3261, 18.1.1. */
    @Test
    void sendsALongRequestByTcp() {
        scene.send(ALICE, longInvite().text());
        Received invite = scene.take(BOB_TCP);
        assertThat(invite.values(SipHeader.VIA).getFirst()).startsWith("SIP/2.0/TCP 192.0.2.1:5060;");
        assertThat(invite.recorded())
                .containsExactly("<sip:192.0.2.1:5060;transport=tcp;lr>", "<sip:192.0.2.1:5060;lr>");
        assertThat(scene.isQuiet(BOB)).isTrue();
        scene.send(BOB_TCP, invite.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    /** RFC 3261, 18.1.1: if TCP fails, at once or later, by UDP. */
    @Test
    void sendsALongRequestByUdpWhenTcpFails() {
        scene.broken.add(BOB_TCP);
        scene.send(ALICE, longInvite().text());
        Received invite = scene.take(BOB);
        assertThat(invite.values(SipHeader.VIA).getFirst()).startsWith("SIP/2.0/UDP 192.0.2.1:5060;");
        scene.send(BOB, invite.answer(486, "b"));
        scene.broken.clear();

        scene.send(ALICE, longInvite().branch("2").text());
        scene.take(BOB_TCP);
        scene.take(BOB);
        scene.core.transactions().transportFailed(ProxyScene.hop(BOB_TCP), scene.nowNs);
        scene.send(BOB, scene.take(BOB).answer(486, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("486", "486");

        // by UDP in vain, too: the next place again by TCP first
        scene.broken.addAll(List.of(BOB, BOB_TCP));
        scene.names.put("bob.example.com", List.of(BOB, CAROL));
        scene.send(
                ALICE, longInvite().branch("3").uri("sip:bob@bob.example.com").text());
        scene.send("TCP " + CAROL, scene.take("TCP " + CAROL).answer(486, "c"));
        assertThat(scene.takeAll(ALICE)).containsExactly("486");
    }

    /** The URI, or where a binding came from, may ask for UDP. */
    @Test
    void sendsALongRequestByUdpWhereItIsAskedFor() {
        scene.send(ALICE, longInvite().uri("sip:bob@" + BOB + ";transport=UDP").text());
        scene.send(BOB, scene.take(BOB).answer(486, "b"));
        scene.decision = (context, request) -> context.fork(
                List.of(List.of(
                        new ForkTarget("sip:bob@10.0.0.1", List.of(), ProxyScene.hop(BOB), HeaderChanges.NONE))),
                scene.nowNs);
        scene.send(ALICE, longInvite().branch("2").text());
        scene.take(BOB);
        assertThat(scene.takeAll(BOB)).containsExactly("INVITE");
        assertThat(scene.isQuiet(BOB_TCP)).isTrue();
    }

    @Test
    void neverSendsALongRequestByTcpIfTheSettingSaysSo() {
        scene = new ProxyScene(ProxySettings.standard(1).withTcpAbove(65_535));
        scene.send(ALICE, longInvite().text());
        assertThat(scene.takeAll(BOB)).containsExactly("INVITE");
    }
}
