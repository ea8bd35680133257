package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is refused before it is forwarded: flows 16 to 18. */
class RequestCheckTest {
    private static final String SELF = "192.0.2.1:5060";

    private ProxyScene scene = new ProxyScene();

    private Received answer(Draft request) {
        scene.send(ALICE, request.text());
        assertThat(scene.isQuiet(BOB)).isTrue();
        return scene.take(ALICE);
    }

    /** Flow 16. */
    @Test
    void refusesARequestWithoutHopsLeft() {
        Received answer = answer(Draft.invite().maxForwards("0"));
        assertThat(answer.startLine()).isEqualTo("SIP/2.0 483 Too Many Hops");
        assertThat(answer.view().toTag()).hasSize(16);
        assertThat(scene.core.counters().refused()).isEqualTo(1);
        assertThat(answer(Draft.of("OPTIONS").branch("2").maxForwards("zero")).brief())
                .isEqualTo("400");
    }

    /** Flow 16: an ACK without hops left ends here, because it cannot be answered. */
    @Test
    void dropsAnAckWithoutHopsLeft() {
        scene.send(ALICE, Draft.of("ACK").toTag("b").maxForwards("0").text());
        assertThat(scene.log).isEmpty();
    }

    /** Flow 16. */
    @Test
    void adds70HopsToARequestWithoutMaxForwards() {
        scene.send(ALICE, Draft.invite().maxForwards(null).text());
        assertThat(scene.take(BOB).value(SipHeader.MAX_FORWARDS)).isEqualTo("70");
        scene.send(ALICE, Draft.invite().branch("2").maxForwards("1").text());
        assertThat(scene.take(BOB).value(SipHeader.MAX_FORWARDS)).isEqualTo("0");
    }

    /** Flow 17: what comes back unchanged is in a loop, whatever others put before it. */
    @Test
    void refusesARequestThatComesBackUnchanged() {
        scene.send(ALICE, Draft.invite().text());
        String again = scene.take(BOB)
                .text()
                .replaceFirst("Via: ", "Via: SIP/2.0/UDP 203.0.113.2:5070;branch=z9hG4bK-bob\r\nVia: ");
        scene.send(BOB, again);
        assertThat(scene.take(BOB).startLine()).isEqualTo("SIP/2.0 482 Loop Detected");
        assertThat(scene.core.counters().loops()).isEqualTo(1);
    }

    /** Flow 17: a request whose target has changed on the way is a spiral, and passes. */
    @Test
    void passesASpiral() {
        scene.send(ALICE, Draft.invite().text());
        String again = scene.take(BOB)
                .text()
                .replaceFirst("INVITE sip:bob@" + BOB, "INVITE sip:carol@" + CAROL)
                .replaceFirst("Via: ", "Via: SIP/2.0/UDP 203.0.113.2:5070;branch=z9hG4bK-bob\r\nVia: ");
        scene.send(BOB, again);
        Received carol = scene.take(CAROL);
        assertThat(carol.values(SipHeader.VIA)).hasSize(4);
        assertThat(carol.value(SipHeader.MAX_FORWARDS)).isEqualTo("68");
        scene.send(CAROL, carol.answer(200, "c"));
        Received back = scene.take(BOB);
        assertThat(back.values(SipHeader.VIA)).hasSize(3);
        assertThat(scene.isQuiet(ALICE)).isTrue();
        scene.send(BOB, back.text().replaceFirst("Via: [^\r]*\r\n", ""));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    /** Flow 17: a request that leads to ourselves ends after one turn. */
    @Test
    void refusesALoopThroughItself() {
        scene.send(ALICE, Draft.invite().uri("sip:bob@192.0.2.1").text());
        scene.send(SELF, scene.take(SELF).text());
        assertThat(scene.takeAll(SELF)).containsExactly("482");
    }

    /** Flow 17: RFC 5393, 5.3. */
    @Test
    void refusesARequestWithoutBreadth() {
        assertThat(answer(Draft.invite().header("Max-Breadth: 0")).startLine())
                .isEqualTo("SIP/2.0 440 Max-Breadth Exceeded");
        assertThat(answer(Draft.invite().branch("2").header("Max-Breadth: many"))
                        .brief())
                .isEqualTo("400");
        scene.send(ALICE, Draft.invite().branch("3").text());
        assertThat(scene.take(BOB).value(SipHeader.MAX_BREADTH)).isEqualTo("60");
        scene.send(ALICE, Draft.invite().branch("4").header("Max-Breadth: 7").text());
        assertThat(scene.take(BOB).value(SipHeader.MAX_BREADTH)).isEqualTo("7");
    }

    /** Flow 18. */
    @Test
    void refusesUnknownSchemesAndBadUris() {
        assertThat(answer(Draft.of("OPTIONS").branch("1").uri("nobodyKnowsThisScheme:totallyopaquecontent"))
                        .startLine())
                .isEqualTo("SIP/2.0 416 Unsupported URI Scheme");
        assertThat(answer(Draft.of("OPTIONS").branch("2").uri("http://example.com/bob"))
                        .brief())
                .isEqualTo("416");
        assertThat(answer(Draft.of("OPTIONS").branch("3").uri("sip:bob@host:port"))
                        .brief())
                .isEqualTo("400");
        assertThat(answer(Draft.of("OPTIONS").branch("4").uri("sip:bob@" + BOB + "?Route=%3Csip:x%3E"))
                        .brief())
                .isEqualTo("400");
        assertThat(answer(Draft.of("OPTIONS").branch("5").uri("<sip:bob@" + BOB + ">"))
                        .brief())
                .isEqualTo("400");
        assertThat(answer(Draft.of("OPTIONS").branch("6").uri("sip:bob@" + BOB + "; lr"))
                        .brief())
                .isEqualTo("400");
    }

    /** A scheme that a policy may translate is not refused by the checks. */
    @Test
    void givesTelUrisToThePolicy() {
        scene.decision =
                (context, request) -> context.fork(List.of(List.of(ForkTarget.of("sip:+4930@" + BOB))), scene.nowNs);
        scene.send(ALICE, Draft.invite().uri("tel:+4930").text());
        assertThat(scene.take(BOB).startLine()).isEqualTo("INVITE sip:+4930@203.0.113.2:5070 SIP/2.0");
        scene.decision = (context, request) -> context.relay(scene.nowNs);
        assertThat(answer(Draft.invite().branch("2").uri("tel:+4930")).brief()).isEqualTo("416");
    }

    /** Flow 18. */
    @Test
    void refusesExtensionsThatItDoesNotSupport() {
        Received answer =
                answer(Draft.of("OPTIONS").header("Proxy-Require: privacy, foo").header("Proxy-Require: bar"));
        assertThat(answer.startLine()).isEqualTo("SIP/2.0 420 Bad Extension");
        assertThat(answer.values(SipHeader.UNSUPPORTED)).containsExactly("privacy", "foo", "bar");

        scene = new ProxyScene(ProxySettings.standard(1).withSupported(Set.of("privacy", "foo")));
        scene.send(
                ALICE, Draft.of("OPTIONS").header("Proxy-Require: privacy, FOO").text());
        assertThat(scene.take(BOB).value(SipHeader.PROXY_REQUIRE)).isEqualTo("privacy, FOO");
        // Require is for the callee only
        scene.send(
                ALICE, Draft.of("OPTIONS").branch("2").header("Require: 100rel").text());
        assertThat(scene.take(BOB).value(SipHeader.REQUIRE)).isEqualTo("100rel");
    }

    /** Flow 18: Proxy-Require is ignored in ACK and CANCEL (RFC 3261, 8.2.2.3). */
    @Test
    void ignoresProxyRequireInAckAndCancel() {
        scene.send(
                ALICE, Draft.of("ACK").toTag("b").header("Proxy-Require: foo").text());
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
        scene.send(ALICE, Draft.of("CANCEL").header("Proxy-Require: foo").text());
        assertThat(scene.takeAll(BOB)).containsExactly("CANCEL");
    }

    /** The checks of a message itself (16.3 step 1). */
    @Test
    void answers400ToWhatLacksAHeader() {
        String request = Draft.of("OPTIONS").text();
        for (String line : List.of(
                "From: <sip:alice@example.com>;tag=a\r\n",
                "To: <sip:bob@example.com>\r\n",
                "Call-ID: call-1\r\n",
                "CSeq: 1 OPTIONS\r\n")) {
            assertThat(request).contains(line);
            scene.send(ALICE, request.replace(line, ""));
            assertThat(scene.takeAll(ALICE)).containsExactly("400");
            scene.send(ALICE, request.replace(line, line + line));
            assertThat(scene.takeAll(ALICE)).containsExactly("400");
        }
        scene.send(ALICE, request.replace("1 OPTIONS", "1 INVITE"));
        scene.send(ALICE, request.replace("1 OPTIONS", "one OPTIONS"));
        scene.send(ALICE, request.replace("Content-Length: 0", "Content-Length: 5"));
        scene.send(ALICE, request.replace("Content-Length: 0", "Content-Length: -1"));
        scene.send(ALICE, request.replace("Content-Length: 0", "Content-Length: 0\r\nContent-Length: 1"));
        assertThat(scene.takeAll(ALICE)).hasSize(5).containsOnly("400");
        scene.send(ALICE, request.replace("OPTIONS", "FOO").replace("1 FOO", "1 BAR"));
        assertThat(scene.takeAll(ALICE)).containsExactly("400");
        assertThat(scene.core.transactions().counters().rejected()).isEqualTo(14);
        assertThat(scene.core.counters().badRequests()).isEqualTo(14);
        assertThat(scene.rejected).as("as the policy learned").hasSize(14).allMatch(one -> one.startsWith(ALICE + " "));
        assertThat(scene.isQuiet(BOB)).isTrue();
    }

    /** Neither ACK nor a response is ever answered, nor what has no Via. */
    @Test
    void answersNothingThatCannotBeAnswered() {
        scene.send(ALICE, Draft.of("ACK").text().replace("Call-ID: call-1\r\n", ""));
        scene.send(ALICE, "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1\r\n\r\n");
        scene.send(ALICE, Draft.invite().text().replaceFirst("Via: [^\r]*\r\n", ""));
        scene.send(ALICE, "\r\n\r\n");
        scene.send(ALICE, "GET / HTTP/1.1\r\n\r\n");
        scene.send(ALICE, "");
        assertThat(scene.log).isEmpty();
        scene.pass(SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }
}
