package io.offhook.sip.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import org.junit.jupiter.api.Test;

/** Calls through a proxy that relays by Request-URI and Route. */
class RelayTest {
    private static final String ALICE = "198.51.100.1:5060";
    private static final String BOB = "203.0.113.2:5070";

    private final ProxyScene scene = new ProxyScene();

    static String request(String method, String uri, String branch, int cseq, String toTag, String... headers) {
        return method + " " + uri + " SIP/2.0\r\n"
                + "Via: SIP/2.0/UDP 198.51.100.1:5060;branch=" + branch + "\r\n"
                + "Max-Forwards: 70\r\n"
                + "From: <sip:alice@example.com>;tag=a\r\n"
                + "To: <sip:bob@example.com>" + (toTag.isEmpty() ? "" : ";tag=" + toTag) + "\r\n"
                + "Call-ID: call-1\r\n"
                + "CSeq: " + cseq + " " + method + "\r\n"
                + String.join(
                        "",
                        java.util.Arrays.stream(headers)
                                .map(line -> line + "\r\n")
                                .toList())
                + "Content-Length: 0\r\n\r\n";
    }

    /** Flow 1. */
    @Test
    void carriesACallFromInviteToBye() {
        scene.send(ALICE, request("INVITE", "sip:bob@203.0.113.2:5070", "z9hG4bK1", 1, ""));
        Received invite = scene.take(BOB);
        assertThat(invite.startLine()).isEqualTo("INVITE sip:bob@203.0.113.2:5070 SIP/2.0");
        assertThat(invite.values(SipHeader.VIA)).hasSize(2);
        assertThat(invite.values(SipHeader.VIA).getFirst())
                .startsWith("SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKoh00f");
        assertThat(invite.value(SipHeader.MAX_FORWARDS)).isEqualTo("69");
        assertThat(invite.values(SipHeader.RECORD_ROUTE)).containsExactly("<sip:192.0.2.1:5060;lr>");

        scene.send(BOB, invite.answer(180, "Ringing", "b"));
        assertThat(scene.take(ALICE).startLine()).isEqualTo("SIP/2.0 180 Ringing");
        scene.send(BOB, invite.answer(200, "OK", "b", "Contact: <sip:bob@203.0.113.2:5070>"));
        Received ok = scene.take(ALICE);
        assertThat(ok.startLine()).isEqualTo("SIP/2.0 200 OK");
        assertThat(ok.values(SipHeader.VIA)).containsExactly("SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK1");

        String route = "Route: " + ok.value(SipHeader.RECORD_ROUTE);
        scene.send(ALICE, request("ACK", "sip:bob@203.0.113.2:5070", "z9hG4bK2", 1, "b", route));
        Received ack = scene.take(BOB);
        assertThat(ack.startLine()).isEqualTo("ACK sip:bob@203.0.113.2:5070 SIP/2.0");
        assertThat(ack.values(SipHeader.ROUTE)).isEmpty();
        scene.send(ALICE, request("BYE", "sip:bob@203.0.113.2:5070", "z9hG4bK3", 2, "b", route));
        Received bye = scene.take(BOB);
        scene.send(BOB, bye.answer(200, "OK", "b"));
        assertThat(scene.take(ALICE).startLine()).isEqualTo("SIP/2.0 200 OK");

        scene.pass(40 * ProxyScene.SECOND);
        assertThat(scene.core.transactions().serverCount()).isZero();
        assertThat(scene.core.transactions().clientCount()).isZero();
        assertThat(scene.core.contextCount()).isZero();
        assertThat(scene.core.transactions().keptBytes()).isZero();
        assertThat(scene.hasNothingFor(ALICE)).isTrue();
        assertThat(scene.hasNothingFor(BOB)).isTrue();
    }
}
