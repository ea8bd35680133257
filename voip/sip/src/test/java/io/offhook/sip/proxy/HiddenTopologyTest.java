package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import org.junit.jupiter.api.Test;

/** A dialog between two sides, each with a proxy in front of it, that do not see each other. */
class HiddenTopologyTest {
    /** Alice at 10.1.1.1 behind a proxy at ALICE calls Bob at 10.9.9.9 behind a proxy at CAROL. */
    private static final String INVITE = """
            INVITE sip:bob@203.0.113.3:5070 SIP/2.0
            Via: SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK-u;rport
            Via: SIP/2.0/UDP 10.1.1.1:5060;branch=z9hG4bK-a;received=10.1.1.7
            Record-Route: <sip:198.51.100.1;lr>, <sip:10.1.1.2;lr>
            Max-Forwards: 69
            From: <sip:alice@a.example>;tag=a
            To: <sip:bob@b.example>
            Call-ID: hidden
            CSeq: 1 INVITE
            Contact: "Alice" <sip:alice@10.1.1.1:5060;ob>;+sip.instance="<urn:uuid:1>"
            Content-Length: 0

            """.replace("\n", "\r\n");

    private final ProxyScene scene = new ProxyScene(settings(true));

    private static ProxySettings settings(boolean isHidden) {
        return ProxySettings.standard(1).with(new ProxySettings.Presence(true, isHidden));
    }

    private Received invited() {
        scene.send(ALICE, INVITE);
        return scene.take(CAROL);
    }

    /** What Bob's proxy passes on: its Record-Route before those that it has received. */
    private static String answer(Received request, String status, String contact) {
        StringBuilder text = new StringBuilder("SIP/2.0 " + status + "\r\n");
        request.values(SipHeader.VIA)
                .forEach(via -> text.append("Via: ").append(via).append("\r\n"));
        text.append("Record-Route: <sip:10.9.9.8;lr>\r\nRecord-Route: <sip:203.0.113.3:5070;lr>\r\n");
        request.values(SipHeader.RECORD_ROUTE)
                .forEach(route -> text.append("Record-Route: ").append(route).append("\r\n"));
        return text + "From: <sip:alice@a.example>;tag=a\r\nTo: <sip:bob@b.example>;tag=b\r\nCall-ID: hidden\r\nCSeq: "
                + request.value(SipHeader.CSEQ) + "\r\nContact: " + contact + "\r\nContent-Length: 0\r\n\r\n";
    }

    private static String inDialog(String method, String contact, String route, String via) {
        String uri = contact.replaceFirst("^[^<]*<", "").replaceFirst(">.*$", "");
        return method + " " + uri + " SIP/2.0\r\nVia: SIP/2.0/UDP " + via + ";branch=z9hG4bK-" + method + "\r\nRoute: "
                + route + "\r\nMax-Forwards: 70\r\nFrom: <sip:x@a.example>;tag=a\r\nTo: <sip:y@b.example>;tag=b\r\n"
                + "Call-ID: hidden\r\nCSeq: 2 " + method + "\r\nContent-Length: 0\r\n\r\n";
    }

    @Test
    void aRequestHasOurAddressesOnly() {
        Received invite = invited();
        assertThat(invite.values(SipHeader.VIA)).hasSize(1);
        assertThat(invite.values(SipHeader.RECORD_ROUTE))
                .singleElement()
                .asString()
                .startsWith("<sip:192.0.2.1:5060;lr;k=");
        assertThat(invite.value(SipHeader.CONTACT))
                .matches("\"Alice\" <sip:alice@192\\.0\\.2\\.1:5060;th=[\\w-]+>;\\+sip\\.instance=\"<urn:uuid:1>\"");
        assertThat(invite.text()).doesNotContain("10.1.1.", "198.51.100");
    }

    @Test
    void aResponseHasTheViasAndRoutesOfItsSideAndNoneOfTheOther() {
        Received invite = invited();
        scene.send(CAROL, answer(invite, "200 OK", "<sip:bob@10.9.9.9>"));
        Received ok = scene.take(ALICE);
        assertThat(ok.values(SipHeader.VIA))
                .containsExactly(
                        "SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK-u;rport=5060;received=198.51.100.1",
                        "SIP/2.0/UDP 10.1.1.1:5060;branch=z9hG4bK-a;received=10.1.1.7");
        assertThat(ok.values(SipHeader.RECORD_ROUTE).subList(1, 3))
                .containsExactly("<sip:198.51.100.1;lr>", "<sip:10.1.1.2;lr>");
        assertThat(ok.values(SipHeader.RECORD_ROUTE)).hasSize(3);
        assertThat(ok.value(SipHeader.CONTACT)).matches("<sip:bob@192\\.0\\.2\\.1:5060;th=[\\w-]+>");
        assertThat(ok.text()).doesNotContain("10.9.9.", "203.0.113");
    }

    @Test
    void requestsInTheDialogFindBothSides() {
        Received invite = invited();
        scene.send(CAROL, answer(invite, "200 OK", "<sip:bob@10.9.9.9>"));
        Received ok = scene.take(ALICE);

        // Alice's proxies have taken themselves out of the Route
        String ours = ok.values(SipHeader.RECORD_ROUTE).getFirst();
        scene.send(ALICE, inDialog("ACK", ok.value(SipHeader.CONTACT), ours, "198.51.100.1:5060"));
        Received ack = scene.take(CAROL);
        assertThat(ack.startLine()).isEqualTo("ACK sip:bob@10.9.9.9 SIP/2.0");
        assertThat(ack.values(SipHeader.ROUTE)).containsExactly("<sip:203.0.113.3:5070;lr>", "<sip:10.9.9.8;lr>");

        String route = invite.values(SipHeader.RECORD_ROUTE).getFirst();
        scene.send(CAROL, inDialog("BYE", invite.value(SipHeader.CONTACT), route, CAROL));
        Received bye = scene.take(ALICE);
        assertThat(bye.startLine()).isEqualTo("BYE sip:alice@10.1.1.1:5060;ob SIP/2.0");
        assertThat(bye.values(SipHeader.ROUTE)).containsExactly("<sip:198.51.100.1;lr>", "<sip:10.1.1.2;lr>");
        assertThat(bye.values(SipHeader.VIA)).hasSize(1);
        assertThat(bye.text()).doesNotContain("203.0.113");
    }

    /** A callee tells a repeated request from another one by its text, too. */
    @Test
    void whatIsSentAgainIsTheSame() {
        Received invite = invited();
        scene.passMs(600);
        assertThat(scene.take(CAROL).text()).isEqualTo(invite.text());
    }

    /** Also outside of the dialog, as after a transfer. */
    @Test
    void aHiddenContactLeadsToThePhoneWithTheSameKeyOnly() {
        String contact = invited().value(SipHeader.CONTACT);
        String options = inDialog("OPTIONS", contact, "", CAROL).replaceFirst("Route: \r\n", "");
        scene.send(CAROL, options);
        assertThat(scene.take("10.1.1.1:5060").startLine()).isEqualTo("OPTIONS sip:alice@10.1.1.1:5060;ob SIP/2.0");

        ProxyScene other = new ProxyScene(settings(true).with(new ProxySettings.Secrets(1, new RouteKey(8, 9))));
        other.send(CAROL, options);
        assertThat(other.isQuiet("10.1.1.1:5060")).isTrue();
    }

    @Test
    void contactsOfRegistrationsAndRedirectionsStay() {
        scene.send(ALICE, INVITE.replace("INVITE", "REGISTER"));
        assertThat(scene.take(CAROL).value(SipHeader.CONTACT)).contains("<sip:alice@10.1.1.1:5060;ob>");

        ProxyScene redirected = new ProxyScene(settings(true));
        redirected.send(ALICE, INVITE);
        Received invite = redirected.take(CAROL);
        redirected.send(CAROL, answer(invite, "302 Moved Temporarily", "<sip:bob@elsewhere.example>"));
        assertThat(redirected.take(ALICE).value(SipHeader.CONTACT)).isEqualTo("<sip:bob@elsewhere.example>");
    }

    @Test
    void withoutTheSettingNothingIsHidden() {
        ProxyScene open = new ProxyScene(settings(false));
        open.send(ALICE, INVITE);
        assertThat(open.take(CAROL).text()).contains("10.1.1.1", "198.51.100.1");
    }
}
