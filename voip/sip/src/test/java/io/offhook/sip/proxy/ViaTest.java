package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import org.junit.jupiter.api.Test;

/** Via and where responses go: flows 19 and 22. */
class ViaTest {
    private static final String NAT = "198.51.100.99:40000";

    private final ProxyScene scene = new ProxyScene();

    private String forwardedVia(String from, String via) {
        scene.send(from, Draft.of("OPTIONS").via(via).text());
        Received forwarded = scene.take(BOB);
        scene.send(BOB, forwarded.answer(200, "b"));
        return forwarded.values(SipHeader.VIA).getLast();
    }

    /** Flow 19: RFC 3261, 18.2.1 and 18.2.2. */
    @Test
    void addsReceivedAndAnswersToThePortOfSentBy() {
        String via = forwardedVia(NAT, "SIP/2.0/UDP 10.0.0.1:5062;branch=z9hG4bK-1");
        assertThat(via).isEqualTo("SIP/2.0/UDP 10.0.0.1:5062;branch=z9hG4bK-1;received=198.51.100.99");
        assertThat(scene.takeAll("198.51.100.99:5062")).containsExactly("200");
    }

    @Test
    void answersToPort5060WithoutAPortInSentBy() {
        forwardedVia(NAT, "SIP/2.0/UDP pc.example.com;branch=z9hG4bK-1");
        assertThat(scene.takeAll("198.51.100.99:5060")).containsExactly("200");
    }

    @Test
    void leavesTheViaOfWhoSaysItsAddressAsItIs() {
        String via = forwardedVia(ALICE, "SIP/2.0/UDP 198.51.100.1:5060 ;branch=z9hG4bK-1;x=y");
        assertThat(via).isEqualTo("SIP/2.0/UDP 198.51.100.1:5060 ;branch=z9hG4bK-1;x=y");
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    /** Flow 19: RFC 3581, 4. */
    @Test
    void fillsRportAndAnswersToTheSourcePort() {
        String via = forwardedVia(NAT, "SIP/2.0/UDP 10.0.0.1:5060;rport;branch=z9hG4bK-1");
        assertThat(via).isEqualTo("SIP/2.0/UDP 10.0.0.1:5060;rport=40000;branch=z9hG4bK-1;received=198.51.100.99");
        assertThat(scene.takeAll(NAT)).containsExactly("200");
    }

    /** Flow 19: what a sender claims about itself is replaced. */
    @Test
    void replacesReceivedAndRportThatAreThere() {
        assertThat(forwardedVia(NAT, "SIP/2.0/UDP 10.0.0.1;received=10.9.9.9;rport=1;branch=z9hG4bK-1"))
                .isEqualTo("SIP/2.0/UDP 10.0.0.1;received=198.51.100.99;rport=40000;branch=z9hG4bK-1");
        assertThat(forwardedVia(NAT, "SIP/2.0/UDP 10.0.0.1;rport = 1 ;branch=z9hG4bK-2;received=10.9.9.9"))
                .isEqualTo("SIP/2.0/UDP 10.0.0.1;rport = 40000 ;branch=z9hG4bK-2;received=198.51.100.99");
        assertThat(forwardedVia(NAT, "SIP/2.0/UDP 10.0.0.1;received;rport=;branch=z9hG4bK-3"))
                .isEqualTo("SIP/2.0/UDP 10.0.0.1;received=198.51.100.99;rport=40000;branch=z9hG4bK-3");
        assertThat(forwardedVia(ALICE, "SIP/2.0/UDP 198.51.100.1:5060;received=10.9.9.9;branch=z9hG4bK-4"))
                .isEqualTo("SIP/2.0/UDP 198.51.100.1:5060;received=198.51.100.1;branch=z9hG4bK-4");
        scene.takeAll(NAT);
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
    }

    /** Flow 19. */
    @Test
    void answersToMaddr() {
        forwardedVia(NAT, "SIP/2.0/UDP 10.0.0.1:5064;maddr=198.51.100.50;branch=z9hG4bK-1");
        assertThat(scene.takeAll("198.51.100.50:5064")).containsExactly("200");
    }

    /** No answer goes to many: who forges the maddr gets it himself. */
    @Test
    void ignoresAMulticastMaddr() {
        forwardedVia(NAT, "SIP/2.0/UDP 10.0.0.1:5064;maddr=224.0.1.75;branch=z9hG4bK-1");
        forwardedVia(NAT, "SIP/2.0/UDP 10.0.0.1:5064;maddr=255.255.255.255;branch=z9hG4bK-2");
        assertThat(scene.takeAll("198.51.100.99:5064")).containsExactly("200", "200");
    }

    /** Flow 19: over TCP on the connection of the request; if that is gone, to the port of sent-by. */
    @Test
    void answersOnTheConnectionElseToThePortOfSentBy() {
        String tcp = "TCP 198.51.100.1:33333";
        scene.send(tcp, Draft.of("OPTIONS").byTcp().text());
        Received options = scene.take(BOB);
        scene.send(BOB, options.answer(200, "b"));
        assertThat(scene.takeAll(tcp)).containsExactly("200");

        scene.send(
                tcp,
                Draft.of("OPTIONS")
                        .via("SIP/2.0/TCP 198.51.100.1:5066;branch=z9hG4bK-2")
                        .text());
        scene.broken.add(tcp);
        scene.send(BOB, scene.take(BOB).answer(200, "b"));
        assertThat(scene.takeAll("TCP 198.51.100.1:5066")).containsExactly("200");
        assertThat(scene.core.transactions().serverCount()).isZero();
    }

    /** Our own responses go the same way. */
    @Test
    void sendsItsOwnResponsesToTheSourcePort() {
        scene.decision = (context, request) -> context.reply(404, "Not Found", "", scene.nowNs);
        scene.send(
                NAT,
                Draft.of("OPTIONS")
                        .via("SIP/2.0/UDP 10.0.0.1;rport;branch=z9hG4bK-1")
                        .text());
        Received answer = scene.take(NAT);
        assertThat(answer.values(SipHeader.VIA))
                .containsExactly("SIP/2.0/UDP 10.0.0.1;rport=40000;branch=z9hG4bK-1;received=198.51.100.99");
        scene.send(
                NAT,
                Draft.of("OPTIONS").via("SIP/2.0/UDP 10.0.0.1;rport").text().replace("CSeq: 1 OPTIONS\r\n", ""));
        assertThat(scene.takeAll(NAT)).containsExactly("400");
    }

    /** Several Via in one line, and compact. */
    @Test
    void removesItsViaFromALineWithOthers() {
        scene.send(ALICE, Draft.of("OPTIONS").text());
        Received options = scene.take(BOB);
        String joined = "v: " + String.join(" , ", options.values(SipHeader.VIA)) + "\r\n";
        String answer = options.answer(200, "b").replaceFirst("Via: [^\r]*\r\nVia: [^\r]*\r\n", joined);
        assertThat(answer).contains(joined);
        scene.send(BOB, answer);
        assertThat(scene.take(ALICE).text()).contains("\r\nv: SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK-1\r\n");
    }

    /** A crash that mutated messages found: the topmost value need not be in the first line. */
    @Test
    void findsTheTopmostViaBehindALineWithoutAValue() {
        scene.send(ALICE, Draft.of("OPTIONS").text().replaceFirst("Via: ", "Via: ,\r\nVia: "));
        Received options = scene.take(BOB);
        String via = options.values(SipHeader.VIA).getFirst();
        scene.send(BOB, options.answer(200, "b").replaceFirst("Via: ", "Via:\r\nVia: "));
        Received answer = scene.take(ALICE);
        assertThat(answer.brief()).isEqualTo("200");
        assertThat(answer.text()).doesNotContain(via);
        scene.decision = (context, request) -> context.reply(404, "Not Found", "", scene.nowNs);
        scene.send(ALICE, Draft.of("OPTIONS").branch("2").text().replaceFirst("Via: ", "Via: ,\r\nVia: "));
        assertThat(scene.take(ALICE).values(SipHeader.VIA))
                .containsExactly("SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK-2");
    }

    /** Flow 22: RFC 3261, 17.2.3. */
    @Test
    void matchesRequestsWithoutTheCookieAsRfc2543Did() {
        String via = "SIP/2.0/UDP 198.51.100.1:5060;branch=1";
        String invite = Draft.invite().via(via).text();
        scene.send(ALICE, invite);
        Received forwarded = scene.take(BOB);
        scene.send(ALICE, invite);
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
        // the same branch in another call
        scene.send(ALICE, Draft.invite().via(via).callId("call-2").text());
        scene.send(ALICE, Draft.invite().via(via).cseq(2).text());
        assertThat(scene.takeAll(BOB)).containsExactly("INVITE", "INVITE");

        scene.send(BOB, forwarded.answer(180, "b"));
        scene.send(ALICE, Draft.of("CANCEL").via(via).text());
        assertThat(scene.takeAll(BOB)).containsExactly("CANCEL");
        scene.send(BOB, forwarded.answer(487, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "200", "487");
        scene.takeAll(BOB);
        // the ACK has the tag of the response
        scene.send(ALICE, Draft.of("ACK").via(via).toTag("b").text());
        scene.passMs(100);
        assertThat(scene.isQuiet(BOB)).isTrue();
        scene.pass(4 * SECOND);
        assertThat(scene.takeAll(ALICE)).doesNotContain("487");
    }

    /** Flow 22: a cookie without anything after it identifies nothing (RFC 4475, 3.2.1). */
    @Test
    void treatsABareCookieAsNone() {
        String via = "SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK";
        scene.send(ALICE, Draft.of("OPTIONS").via(via).text());
        scene.send(ALICE, Draft.of("OPTIONS").via(via).callId("call-2").text());
        assertThat(scene.takeAll(BOB)).containsExactly("OPTIONS", "OPTIONS");
    }

    /** Flow 22: the same branch from two senders is two transactions; another case of sent-by is not. */
    @Test
    void matchesSentByToo() {
        scene.send(
                ALICE,
                Draft.of("OPTIONS")
                        .via("SIP/2.0/UDP pc1.example.com;branch=z9hG4bK-x")
                        .text());
        scene.send(
                ALICE,
                Draft.of("OPTIONS")
                        .via("SIP/2.0/UDP pc2.example.com;branch=z9hG4bK-x")
                        .text());
        scene.send(
                ALICE,
                Draft.of("OPTIONS")
                        .via("SIP/2.0/UDP PC1.example.com;branch=z9hG4bK-x")
                        .text());
        assertThat(scene.takeAll(BOB)).containsExactly("OPTIONS", "OPTIONS");
    }

    /** Flow 28: methods that nobody knows are told apart by name. */
    @Test
    void matchesUnknownMethodsByName() {
        scene.send(ALICE, Draft.of("FOO").text());
        scene.send(ALICE, Draft.of("BAR").text());
        scene.send(ALICE, Draft.of("FOO").text());
        assertThat(scene.takeAll(BOB)).containsExactly("FOO", "BAR");
    }
}
