package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static io.offhook.sip.proxy.Draft.DAVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only what comes along a Record-Route of ours, of its own dialog, is within a dialog; with a policy that lets nothing else in. */
class RouteSignatureTest {
    private static final String NAT = "198.51.100.99:40000";

    private ProxyScene scene = new ProxyScene();

    @BeforeEach
    void letsOnlyDialogsIn() {
        scene.decision = (context, request) -> {
            if (context.isInDialog() && !context.followsOwnRoute()) {
                context.reply(403, "Forbidden", "", scene.nowNs);
            } else {
                context.relay(scene.nowNs);
            }
        };
    }

    private List<String> recorded(Draft invite) {
        scene.send(ALICE, invite.text());
        Received forwarded = scene.take(BOB);
        scene.send(BOB, forwarded.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        return forwarded.values(SipHeader.RECORD_ROUTE);
    }

    private static Draft bye(String route) {
        return Draft.of("BYE").branch("bye").toTag("b").header("Route: " + route);
    }

    /** What becomes of a request of Alice to Carol, whose address no dialog has. */
    private String toCarol(Draft request) {
        scene.send(ALICE, request.uri("sip:carol@" + CAROL).text());
        return scene.isQuiet(CAROL) ? String.join(" ", scene.takeAll(ALICE)) : String.join(" ", scene.takeAll(CAROL));
    }

    /** Else a flood of requests with a tag would never be refused. */
    @Test
    void whileRequestsAreRefusedATagIsNotEnoughToBeInADialog() {
        String route = recorded(Draft.invite()).getFirst();
        Draft again = Draft.of("INVITE").branch("again").toTag("b").header("Route: " + route);
        Draft invented = Draft.of("INVITE").branch("invented").toTag("b").header("Route: <sip:192.0.2.1;lr>");
        scene.retryAfterS = 7;
        assertThat(toCarol(invented)).isEqualTo("503");
        assertThat(toCarol(again)).isEqualTo("INVITE");
        scene.retryAfterS = 0;
        assertThat(toCarol(invented)).isEqualTo("403");
    }

    @Test
    void passesRequestsOfADialogInBothDirections() {
        String route = recorded(Draft.invite()).getFirst();
        assertThat(route).matches("<sip:192.0.2.1:5060;lr;k=[0-9a-f]{16}>");
        scene.send(ALICE, bye(route).text());
        assertThat(scene.takeAll(BOB)).containsExactly("BYE");
        scene.send(
                BOB,
                Draft.of("INFO")
                        .via("SIP/2.0/UDP 203.0.113.2:5070;branch=z9hG4bK-b")
                        .uri("sip:alice@" + ALICE)
                        .toTag("a")
                        .header("Route: " + route)
                        .text());
        assertThat(scene.takeAll(ALICE)).containsExactly("INFO");
        assertThat(scene.core.counters().unsignedRoutes()).isZero();
    }

    /** A target refresh leads elsewhere (RFC 3261, 12.2). */
    @Test
    void passesARequestToAnotherTarget() {
        String route = recorded(Draft.invite()).getFirst();
        assertThat(toCarol(bye(route))).isEqualTo("BYE");
    }

    @Test
    void refusesARouteThatAnybodyCanWrite() {
        recorded(Draft.invite());
        assertThat(toCarol(bye("<sip:192.0.2.1:5060;lr>"))).isEqualTo("403");
        assertThat(scene.core.counters().unsignedRoutes()).isOne();
    }

    @Test
    void refusesASignatureThatIsNotOurs() {
        String route = recorded(Draft.invite()).getFirst();
        String digit = route.substring(route.length() - 2, route.length() - 1);
        String wrong = route.replaceFirst(digit + ">$", digit.equals("0") ? "1>" : "0>");
        assertThat(toCarol(bye(wrong))).isEqualTo("403");
        for (String k : List.of(";k", ";k=", ";k=0", ";k=0123456789abcdeg", ";k=0123456789abcdef0")) {
            assertThat(toCarol(bye("<sip:192.0.2.1:5060;lr" + k + ">").branch(k.replace("=", "-"))))
                    .isEqualTo("403");
        }
    }

    @Test
    void refusesTheSignatureOfAnotherDialog() {
        String route = recorded(Draft.invite()).getFirst();
        assertThat(toCarol(bye(route).callId("call-2"))).isEqualTo("403");
        assertThat(toCarol(bye(route).branch("2"))).isEqualTo("BYE");
    }

    /** A 64-bit number in place of the Call-ID would be a flow token's signature if both used one key. */
    @Test
    void refusesTheRouteOfAnotherUser() {
        String route = recorded(Draft.invite()).getFirst();
        assertThat(toCarol(bye(route.replace("sip:", "sip:x@")))).isEqualTo("403");
    }

    /** The values of both sides have signatures; one suffices, as some phones put their outbound proxy first. */
    @Test
    void passesAnUnsignedRouteOfOursBesideASignedOne() {
        String route = recorded(Draft.invite()).getFirst();
        assertThat(toCarol(bye("<sip:192.0.2.1:5060;lr>, " + route))).isEqualTo("BYE");
        assertThat(toCarol(bye(route + ", <sip:192.0.2.1:5060;lr>").branch("2")))
                .isEqualTo("BYE");
    }

    /** What is not signed does not choose the listener that a request leaves by. */
    @Test
    void leavesByTheListenerThatIsSigned() {
        String route = recorded(Draft.invite()).getFirst();
        scene.send(
                ALICE,
                bye(route + ", <sip:192.0.2.1:5080;lr>").uri("sip:bob@" + BOB).text());
        assertThat(scene.take(BOB).values(SipHeader.VIA).getFirst()).startsWith("SIP/2.0/UDP 192.0.2.1:5060;");
    }

    /** The token of one dialog is of no use in another, whose signature the sender has. */
    @Test
    void leadsNowhereByTheTokenOfAnotherDialog() {
        scene.behindNat.add(NAT);
        scene.send(
                NAT,
                Draft.invite()
                        .via("SIP/2.0/UDP 10.0.0.1:5060;rport;branch=z9hG4bK-1")
                        .callId("of-nat")
                        .text());
        String token = scene.take(BOB).values(SipHeader.RECORD_ROUTE).getLast();
        assertThat(token).contains("@");
        String own = recorded(Draft.invite()).getFirst();
        assertThat(toCarol(bye(own + ", " + token))).isEqualTo("BYE");
        assertThat(scene.isQuiet(NAT)).isTrue();
        assertThat(toCarol(bye(token).branch("2"))).isEqualTo("403");
        assertThat(scene.isQuiet(NAT)).isTrue();
    }

    /** The other values of the route come after ours, of other proxies. */
    @Test
    void passesAlongTheRoutesOfOthers() {
        String route = recorded(Draft.invite()).getFirst();
        scene.send(ALICE, bye(route + ", <sip:" + DAVE + ";lr>").text());
        assertThat(scene.takeAll(DAVE)).containsExactly("BYE");
    }

    /** A strict router has put our URI into the Request-URI (16.4). */
    @Test
    void findsTheSignatureInTheRequestUri() {
        String route = recorded(Draft.invite()).getFirst();
        String uri = route.substring(1, route.length() - 1);
        scene.send(ALICE, bye("<sip:bob@" + BOB + ">").uri(uri).text());
        assertThat(scene.takeAll(BOB)).containsExactly("BYE");
        scene.send(
                ALICE,
                bye("<sip:bob@" + BOB + ">")
                        .branch("2")
                        .uri("sip:192.0.2.1:5060;lr")
                        .text());
        assertThat(scene.takeAll(ALICE)).containsExactly("403");
    }

    @Test
    void passesAcknowledgementsOfADialogOnly() {
        List<Boolean> signed = new java.util.ArrayList<>();
        scene.acks = (hasRoute, followsOwnRoute) -> {
            signed.add(followsOwnRoute);
            return followsOwnRoute;
        };
        String route = recorded(Draft.invite()).getFirst();
        Draft ack = Draft.of("ACK").branch("ack").toTag("b").header("Route: " + route);
        assertThat(toCarol(ack)).isEqualTo("ACK");
        Draft forged = Draft.of("ACK").branch("ack2").toTag("b").header("Route: <sip:192.0.2.1:5060;lr>");
        assertThat(toCarol(forged)).isEmpty();
        assertThat(signed).containsExactly(true, false);
    }

    /** A process that goes on after another, or beside it, with the same key. */
    @Test
    void passesDialogsOfAnotherProcessWithTheSameKey() {
        String route = recorded(Draft.invite()).getFirst();
        scene = new ProxyScene(settings(99, ProxySettings.standard(1).routeKey()));
        letsOnlyDialogsIn();
        assertThat(toCarol(bye(route))).isEqualTo("BYE");
        scene = new ProxyScene(settings(1, new RouteKey(1, 2)));
        letsOnlyDialogsIn();
        assertThat(toCarol(bye(route))).isEqualTo("403");
    }

    private static ProxySettings settings(long secret, RouteKey key) {
        return ProxySettings.standard(secret).with(new ProxySettings.Secrets(secret, key));
    }

    /** All branches of a fork, and a spiral, have the same Call-ID. */
    @Test
    void signsTheSameOnAllBranches() {
        scene.decision = (context, request) -> context.fork(
                List.of(List.of(ForkTarget.of("sip:b@" + BOB), ForkTarget.of("sip:c@" + CAROL))), scene.nowNs);
        scene.send(ALICE, Draft.invite().text());
        assertThat(scene.take(BOB).values(SipHeader.RECORD_ROUTE))
                .isEqualTo(scene.take(CAROL).values(SipHeader.RECORD_ROUTE));
    }

    @Test
    void keepsTheKeyToItself() {
        assertThat(new RouteKey(0x1234, 0x5678)).hasToString("RouteKey");
        assertThatThrownBy(() -> RouteKey.of(new byte[15])).hasMessageContaining("15 bytes is less than 16");
        byte[] secret = new byte[32];
        secret[7] = 1;
        secret[15] = 2;
        assertThat(RouteKey.of(secret)).isEqualTo(new RouteKey(1, 2));
    }
}
