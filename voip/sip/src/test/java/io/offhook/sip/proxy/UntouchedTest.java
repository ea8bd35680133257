package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is not the proxy's leaves as it came, unless a policy changes it: flow 28. */
class UntouchedTest {
    private static final String ODD = "X-Odd:  one ,two;;\t\r\n  folded\r\n"
            + "uNKNOWN-header-with-\u00fcnicode \t: \u0440\u0430\r\n"
            + "y: eyJhbGciOiJFUzI1NiJ9..abc;info=<https://cert.example.org/a.crt>;alg=ES256\r\n"
            + "Subject:\r\n"
            + "Max-Forwards-Not: 1";

    private final ProxyScene scene = new ProxyScene();

    /** Flow 28. */
    @Test
    void forwardsUnknownHeadersAndMethodsByteForByte() {
        String request = Draft.of("!odd-Method")
                .header(ODD)
                .body("\u0000\u0001binary\r\n")
                .text();
        scene.send(ALICE, request);
        String forwarded = scene.take(BOB).text();
        String back = forwarded
                .replaceFirst("Via: SIP/2.0/UDP 192.0.2.1:5060;branch=[^\r]*\r\n", "")
                .replaceFirst("Max-Breadth: 60\r\n", "")
                .replaceFirst("Max-Forwards: 69", "Max-Forwards: 70");
        assertThat(back).isEqualTo(request);
    }

    /** Flow 28: responses. */
    @Test
    void forwardsResponsesByteForByte() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        String answer = invite.answer(200, "b", ODD, "Contact: <sip:bob@" + BOB + ">")
                .replace("Content-Length: 0\r\n\r\n", "Content-Length: 3\r\n\r\nabc");
        scene.send(BOB, answer);
        String via = "Via: " + invite.values(SipHeader.VIA).getFirst() + "\r\n";
        assertThat(scene.take(ALICE).text()).isEqualTo(answer.replace(via, ""));
    }

    /** Bytes after the body of a datagram are no part of the message (18.3). */
    @Test
    void leavesOutWhatFollowsTheBody() {
        scene.send(ALICE, Draft.invite().body("abc").text() + "INVITE again");
        assertThat(scene.take(BOB).text()).endsWith("\r\n\r\nabc");
    }

    /** A stream needs Content-Length, which a datagram may lack (18.3). */
    @Test
    void addsContentLengthForAStream() {
        String request = Draft.of("MESSAGE")
                .uri("sip:bob@" + BOB + ";transport=tcp")
                .body("hello")
                .text();
        scene.send(ALICE, request.replace("Content-Length: 5\r\n", ""));
        Received forwarded = scene.take("TCP " + BOB);
        assertThat(forwarded.value(SipHeader.CONTENT_LENGTH)).isEqualTo("5");
        assertThat(forwarded.text()).endsWith("\r\n\r\nhello");
    }

    /** Topology is hidden, and headers replaced, where a policy asks for it. */
    @Test
    void changesTheHeadersThatAPolicyNames() {
        HeaderChanges changes =
                new HeaderChanges(Set.of("user-agent", "x-inner", "k"), "User-Agent: edge\r\nX-Trunk: 7\r\n");
        HeaderChanges answers = new HeaderChanges(Set.of("Server", "X-Inner"), "");
        HeaderChanges branch = new HeaderChanges(Set.of("Subject"), "X-Branch: 1\r\n");
        scene.decision = (context, request) -> {
            context.requestChanges(changes);
            context.responseChanges(answers);
            context.fork(List.of(List.of(new ForkTarget("sip:bob@" + BOB, List.of(), null, branch))), scene.nowNs);
        };
        scene.send(
                ALICE,
                Draft.invite()
                        .header("X-Inner: 10.0.0.1")
                        .header("User-Agent: phone")
                        .header("Supported: path\r\nSUPPORTED: gruu")
                        .header("X-Inner-2: stays")
                        .header("s: secret")
                        .header("x-INNER: folded,\r\n 10.0.0.2")
                        .body("body")
                        .text());
        Received invite = scene.take(BOB);
        assertThat(invite.text())
                .doesNotContain("10.0.0.")
                .doesNotContain("phone")
                .doesNotContain("gruu")
                .doesNotContain("secret")
                .contains("\r\nX-Inner-2: stays\r\n")
                .endsWith("\r\nUser-Agent: edge\r\nX-Trunk: 7\r\nX-Branch: 1\r\n\r\nbody");
        scene.send(BOB, invite.answer(180, "b", "Server: inner", "X-Inner: 1", "X-Other: 2"));
        scene.send(BOB, invite.answer(486, "b", "X-Inner: 1", "Server: inner"));
        assertThat(scene.take(ALICE).text())
                .contains("X-Other: 2")
                .doesNotContain("inner")
                .doesNotContain("X-Inner");
        assertThat(scene.take(ALICE).text()).doesNotContain("inner").doesNotContain("X-Inner");

        // the next request has none of it
        scene.decision = (context, request) -> context.relay(scene.nowNs);
        scene.send(ALICE, Draft.invite().branch("2").header("X-Inner: 1").text());
        scene.take(BOB);
        assertThat(scene.take(BOB).text()).contains("X-Inner: 1").doesNotContain("X-Trunk");
    }

    @Test
    void refusesChangesThatWouldBreakRouting() {
        for (String name : List.of("Via", "v", "CALL-ID", "l", "Record-Route", "cseq", "Max-Forwards")) {
            assertThatThrownBy(() -> new HeaderChanges(Set.of(name), ""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name);
        }
        for (String lines : List.of("X: 1", "X: 1\r\n\r\n", "\r\nX: 1\r\n", "X: 1\r\n\r\nY: 2\r\n")) {
            assertThatThrownBy(() -> HeaderChanges.adding(lines)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(HeaderChanges.adding("")).isSameAs(HeaderChanges.NONE);
    }
}
