package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static io.offhook.sip.proxy.Draft.DAVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUriView;
import io.offhook.sip.proxy.ProxyScene.Received;
import io.offhook.sip.transaction.TransactionLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Route, Record-Route and flow tokens: flows 20 and 21. */
class RouteTest {
    private static final String ALICE_TCP = "TCP 198.51.100.1:33000";
    private static final String NAT = "198.51.100.99:40000";

    private ProxyScene scene = new ProxyScene();

    private Received forwarded(String to, Draft request) {
        scene.send(ALICE, request.text());
        return scene.take(to);
    }

    /** Flow 20: loose routing. */
    @Test
    void removesItsOwnRouteAndGoesToTheNext() {
        Received invite = forwarded(
                CAROL,
                Draft.invite()
                        .uri("sip:bob@example.com")
                        .header("Route: <sip:192.0.2.1;lr>, <sip:" + CAROL + ";lr;x=y>, <sip:" + DAVE + ";lr>"));
        assertThat(invite.startLine()).isEqualTo("INVITE sip:bob@example.com SIP/2.0");
        assertThat(invite.text()).contains("\r\nRoute: <sip:" + CAROL + ";lr;x=y>, <sip:" + DAVE + ";lr>\r\n");
    }

    /** Flow 20: values in one line and in several; a line that is left empty goes. */
    @Test
    void removesItsRouteWhereverItStands() {
        assertThat(routes("Route: <sip:192.0.2.1;lr>\r\nRoute: <sip:" + CAROL + ";lr>"))
                .containsExactly("<sip:" + CAROL + ";lr>");
        assertThat(routes("Route:<sip:192.0.2.1:5080;lr> ,<sip:192.0.2.1;lr>,\r\n <sip:" + CAROL + ";lr>"))
                .containsExactly("<sip:" + CAROL + ";lr>");
        assertThat(routes("Route: <sip:192.0.2.1;lr>, <sip:192.0.2.1:5080;lr>\r\nRoute: \"C\" <sip:" + CAROL + ";lr>"))
                .containsExactly("\"C\" <sip:" + CAROL + ";lr>");
        assertThat(routes("Route: <sip:PROXY.example.com;transport=tcp;lr>\r\nroute: <sip:" + CAROL + ";lr>"))
                .containsExactly("<sip:" + CAROL + ";lr>");
    }

    private List<String> routes(String headers) {
        scene = new ProxyScene();
        return forwarded(CAROL, Draft.invite().header(headers)).values(SipHeader.ROUTE);
    }

    /** Flow 20: a pre-loaded Route without us is followed as it is. */
    @Test
    void followsAPreLoadedRoute() {
        Received invite =
                forwarded(CAROL, Draft.invite().uri("sip:bob@example.com").header("Route: <sip:" + CAROL + ";lr>"));
        assertThat(invite.values(SipHeader.ROUTE)).containsExactly("<sip:" + CAROL + ";lr>");
    }

    /** Flow 20: a strict router before us has put our URI into the Request-URI (16.4). */
    @Test
    void undoesWhatAStrictRouterBeforeHasDone() {
        Received bye = forwarded(
                BOB, Draft.of("BYE").uri("sip:192.0.2.1:5060;lr").toTag("b").header("Route: <sip:bob@" + BOB + ">"));
        assertThat(bye.startLine()).isEqualTo("BYE sip:bob@" + BOB + " SIP/2.0");
        assertThat(bye.values(SipHeader.ROUTE)).isEmpty();

        // two values of ours, and another proxy between us and the callee
        Received next = forwarded(
                CAROL,
                Draft.of("BYE")
                        .branch("2")
                        .uri("sip:192.0.2.1:5060;lr")
                        .toTag("b")
                        .header("Route: <sip:192.0.2.1:5080;lr>, <sip:" + CAROL + ";lr>, <sip:bob@" + BOB + ">"));
        assertThat(next.startLine()).isEqualTo("BYE sip:bob@" + BOB + " SIP/2.0");
        assertThat(next.values(SipHeader.ROUTE)).containsExactly("<sip:" + CAROL + ";lr>");
    }

    /** Flow 20: a strict router after us finds itself in the Request-URI, and the target last (16.6 step 6). */
    @Test
    void writesTheRequestUriOfAStrictRouterAfterUs() {
        Received bye = forwarded(
                CAROL,
                Draft.of("BYE")
                        .uri("sip:bob@" + BOB)
                        .toTag("b")
                        .header("Route: <sip:192.0.2.1;lr>, <sip:" + CAROL + ">")
                        .header("Route: <sip:" + DAVE + ";lr>"));
        assertThat(bye.startLine()).isEqualTo("BYE sip:" + CAROL + " SIP/2.0");
        assertThat(bye.values(SipHeader.ROUTE)).containsExactly("<sip:" + DAVE + ";lr>", "<sip:bob@" + BOB + ">");
    }

    /** Flow 20: on both sides. */
    @Test
    void standsBetweenTwoStrictRouters() {
        Received bye = forwarded(
                CAROL,
                Draft.of("BYE")
                        .uri("sip:192.0.2.1:5060;lr")
                        .toTag("b")
                        .header("Route: <sip:" + CAROL + ">, <sip:bob@" + BOB + ">"));
        assertThat(bye.startLine()).isEqualTo("BYE sip:" + CAROL + " SIP/2.0");
        assertThat(bye.values(SipHeader.ROUTE)).containsExactly("<sip:bob@" + BOB + ">");
    }

    /** RFC 3261, 16.4: a maddr of ours leaves, with the port and transport by which the request came. */
    @Test
    void removesItsOwnMaddr() {
        scene.names.put("bob.example.com", List.of(BOB));
        Received options = forwarded(
                BOB, Draft.of("OPTIONS").uri("sip:bob@bob.example.com;maddr=192.0.2.1;user=phone;transport=udp"));
        assertThat(options.startLine()).isEqualTo("OPTIONS sip:bob@bob.example.com;user=phone SIP/2.0");

        scene.send(
                ALICE,
                2,
                Draft.of("OPTIONS")
                        .branch("2")
                        .uri("sip:bob@bob.example.com:5080;maddr=192.0.2.1")
                        .text());
        assertThat(scene.take(BOB).startLine()).isEqualTo("OPTIONS sip:bob@bob.example.com SIP/2.0");
    }

    /** RFC 3261, 16.4: a maddr that names another listener of ours, or somebody else, decides on the way. */
    @Test
    void followsTheMaddrOfOthers() {
        Received options = forwarded(CAROL, Draft.of("OPTIONS").uri("sip:bob@example.com:5070;maddr=203.0.113.3"));
        assertThat(options.startLine()).isEqualTo("OPTIONS sip:bob@example.com:5070;maddr=203.0.113.3 SIP/2.0");
        scene.send(
                ALICE,
                Draft.of("OPTIONS")
                        .branch("2")
                        .uri("sip:bob@example.com:5080;maddr=192.0.2.1")
                        .text());
        assertThat(scene.takeAll("192.0.2.1:5080")).containsExactly("OPTIONS");
    }

    /** Flow 21: RFC 5658: two Record-Route where the transport changes, and both leave in the dialog. */
    @Test
    void recordsBothSidesWhereTheTransportChanges() {
        scene.send(ALICE_TCP, Draft.invite().byTcp().text());
        Received invite = scene.take(BOB);
        List<String> recorded = invite.values(SipHeader.RECORD_ROUTE);
        assertThat(recorded).hasSize(2);
        assertThat(invite.recorded().getFirst()).isEqualTo("<sip:192.0.2.1:5060;lr>");
        assertThat(invite.recorded().getLast()).matches("<sip:[0-9a-f]{71}@192.0.2.1:5060;transport=tcp;lr>");
        scene.send(BOB, invite.answer(200, "b"));
        scene.take(ALICE_TCP);

        // the caller sends along the reversed list
        scene.send(
                ALICE_TCP,
                Draft.of("ACK")
                        .byTcp()
                        .toTag("b")
                        .header("Route: " + recorded.getLast() + "," + recorded.getFirst())
                        .text());
        Received ack = scene.take(BOB);
        assertThat(ack.values(SipHeader.ROUTE)).isEmpty();
        assertThat(ack.values(SipHeader.VIA).getFirst()).startsWith("SIP/2.0/UDP 192.0.2.1:5060;");
        // the callee along the list, and it comes out of the caller's connection
        scene.send(
                BOB,
                Draft.of("BYE")
                        .via("SIP/2.0/UDP 203.0.113.2:5070;branch=z9hG4bK-b")
                        .uri("sip:alice@10.0.0.1;transport=tcp")
                        .toTag("a")
                        .header("Route: " + recorded.getFirst() + "," + recorded.getLast())
                        .text());
        Received bye = scene.take(ALICE_TCP);
        assertThat(bye.startLine()).isEqualTo("BYE sip:alice@10.0.0.1;transport=tcp SIP/2.0");
        assertThat(bye.values(SipHeader.ROUTE)).isEmpty();
    }

    /** Flow 21: the listener of the side that a request goes to is that of our second value. */
    @Test
    void leavesByTheInterfaceThatWasRecorded() {
        scene.decision = (context, request) -> context.fork(
                List.of(List.of(new ForkTarget(
                        "sip:bob@" + BOB, List.of(), ProxyScene.hop(BOB).listener(2), HeaderChanges.NONE))),
                scene.nowNs);
        Received invite = forwarded(BOB, Draft.invite());
        assertThat(invite.values(SipHeader.VIA).getFirst()).startsWith("SIP/2.0/UDP 192.0.2.1:5080;");
        List<String> recorded = invite.values(SipHeader.RECORD_ROUTE);
        assertThat(recorded).hasSize(2);
        assertThat(invite.recorded().getFirst()).endsWith("@192.0.2.1:5080;lr>");
        assertThat(invite.recorded().getLast()).isEqualTo("<sip:192.0.2.1:5060;lr>");

        scene.decision = (context, request) -> context.relay(scene.nowNs);
        Received bye = forwarded(
                BOB, Draft.of("BYE").toTag("b").header("Route: <sip:192.0.2.1:5060;lr>, <sip:192.0.2.1:5080;lr>"));
        assertThat(bye.values(SipHeader.VIA).getFirst()).startsWith("SIP/2.0/UDP 192.0.2.1:5080;");
        Received ack = forwarded(
                BOB,
                Draft.of("ACK")
                        .branch("2")
                        .toTag("b")
                        .header("Route: <sip:192.0.2.1:5060;lr>, <sip:192.0.2.1:5080;lr>"));
        assertThat(ack.values(SipHeader.VIA).getFirst()).startsWith("SIP/2.0/UDP 192.0.2.1:5080;");
    }

    /** A caller behind NAT without RFC 5626: requests in the dialog come back by where the INVITE came from. */
    @Test
    void leadsBackToACallerBehindNat() {
        scene.behindNat.add(NAT);
        scene.send(
                NAT,
                Draft.invite()
                        .via("SIP/2.0/UDP 10.0.0.1:5060;rport;branch=z9hG4bK-1")
                        .text());
        Received invite = scene.take(BOB);
        List<String> recorded = invite.values(SipHeader.RECORD_ROUTE);
        scene.send(
                BOB,
                Draft.of("BYE")
                        .via("SIP/2.0/UDP 203.0.113.2:5070;branch=z9hG4bK-b")
                        .uri("sip:alice@10.0.0.1")
                        .toTag("a")
                        .header("Route: " + String.join(", ", recorded))
                        .text());
        assertThat(scene.takeAll(NAT)).containsExactly("BYE");

        // the caller's requests go on, even after the NAT has given it another port
        String reversed = "Route: " + String.join(", ", recorded.reversed());
        for (String source : List.of(NAT, "198.51.100.99:41111")) {
            scene.send(
                    source,
                    Draft.of("BYE")
                            .via("SIP/2.0/UDP 10.0.0.1:5060;rport;branch=z9hG4bK-" + source)
                            .toTag("b")
                            .header(reversed)
                            .text());
            assertThat(scene.takeAll(BOB)).containsExactly("BYE");
            assertThat(scene.isQuiet(NAT)).isTrue();
        }
    }

    /** A callee behind NAT, whose place is that of its registration. */
    @Test
    void leadsToACalleeBehindNat() {
        scene.decision = (context, request) -> context.fork(
                List.of(List.of(
                        new ForkTarget("sip:bob@10.0.0.7:5060", List.of(), ProxyScene.hop(NAT), HeaderChanges.NONE))),
                scene.nowNs);
        Received invite = forwarded(NAT, Draft.invite());
        assertThat(invite.startLine()).isEqualTo("INVITE sip:bob@10.0.0.7:5060 SIP/2.0");
        List<String> recorded = invite.values(SipHeader.RECORD_ROUTE);
        assertThat(recorded).hasSize(2);
        scene.send(NAT, invite.answer(200, "b", "Contact: <sip:bob@10.0.0.7:5060>"));

        scene.decision = (context, request) -> {
            assertThat(context.hasRoute()).isTrue();
            context.relay(scene.nowNs);
        };
        String reversed = "Route: " + String.join(", ", recorded.reversed());
        scene.send(
                ALICE,
                Draft.of("ACK")
                        .uri("sip:bob@10.0.0.7:5060")
                        .toTag("b")
                        .header(reversed)
                        .text());
        Received ack = scene.take(NAT);
        assertThat(ack.startLine()).isEqualTo("ACK sip:bob@10.0.0.7:5060 SIP/2.0");
        scene.send(
                ALICE,
                Draft.of("BYE")
                        .uri("sip:bob@10.0.0.7:5060")
                        .toTag("b")
                        .header(reversed)
                        .text());
        assertThat(scene.takeAll(NAT)).containsExactly("BYE");
        // and the callee's requests reach the caller
        scene.decision = (context, request) -> context.relay(scene.nowNs);
        scene.send(
                NAT,
                Draft.of("INFO")
                        .via("SIP/2.0/UDP 10.0.0.7:5060;rport;branch=z9hG4bK-b")
                        .uri("sip:alice@" + ALICE)
                        .toTag("a")
                        .header("Route: " + String.join(", ", recorded))
                        .text());
        scene.take(ALICE);
        assertThat(scene.takeAll(ALICE)).containsExactly("INFO");
    }

    /** A token that was changed, or made by somebody else, leads nowhere. */
    @Test
    void ignoresAForgedToken() {
        scene.send(ALICE_TCP, Draft.invite().byTcp().text());
        String token = scene.take(BOB).values(SipHeader.RECORD_ROUTE).getLast();
        String forged = token.replaceFirst("c6336401", "c6336402");
        assertThat(forged).isNotEqualTo(token);
        scene.send(
                BOB,
                Draft.of("BYE")
                        .toTag("a")
                        .uri("sip:alice@" + CAROL)
                        .header("Route: " + forged)
                        .text());
        assertThat(scene.takeAll(CAROL)).containsExactly("BYE");
        assertThat(scene.isQuiet(ALICE_TCP)).isTrue();
    }

    /** RFC 5626, 5.3: the connection that the token names is gone. */
    @Test
    void answers430WhenTheFlowIsGone() {
        scene.send(ALICE_TCP, Draft.invite().byTcp().text());
        String token = scene.take(BOB).values(SipHeader.RECORD_ROUTE).getLast();
        scene.broken.add(ALICE_TCP);
        scene.send(
                BOB,
                Draft.of("BYE")
                        .via("SIP/2.0/UDP 203.0.113.2:5070;branch=z9hG4bK-b")
                        .toTag("a")
                        .header("Route: " + token)
                        .text());
        assertThat(scene.take(BOB).startLine()).isEqualTo("SIP/2.0 430 Flow Failed");
    }

    /** Requests that begin no dialog need no Record-Route; NOTIFY does (RFC 6665, 4.3). */
    @Test
    void recordsTheRouteOfRequestsThatBeginDialogs() {
        List<String> recorded = new ArrayList<>();
        for (String method :
                List.of("INVITE", "SUBSCRIBE", "NOTIFY", "REFER", "BYE", "OPTIONS", "MESSAGE", "REGISTER")) {
            if (!forwarded(BOB, Draft.of(method)).values(SipHeader.RECORD_ROUTE).isEmpty()) {
                recorded.add(method);
            }
        }
        assertThat(recorded).containsExactly("INVITE", "SUBSCRIBE", "NOTIFY", "REFER");
    }

    /** What others have recorded comes after ours. */
    @Test
    void recordsItsRouteBeforeThatOfOthers() {
        Received invite = forwarded(BOB, Draft.invite().header("Record-Route: <sip:p1.example.com;lr>"));
        assertThat(invite.recorded()).containsExactly("<sip:192.0.2.1:5060;lr>", "<sip:p1.example.com;lr>");
    }

    /** RFC 3261, 16.6 step 4: a SIPS Request-URI needs a SIPS Record-Route. */
    @Test
    void recordsASipsUriForASipsRequest() {
        scene = new ProxyScene(
                ProxySettings.standard(1),
                TransactionLimits.DEFAULT,
                ProxyObserver.NONE,
                ProxyListener.of(SipTransport.UDP, ProxyScene.PROXY, 5060),
                ProxyListener.of(SipTransport.TLS, ProxyScene.PROXY, 5061));
        String alice = "TLS 198.51.100.1:33000";
        scene.send(
                alice,
                Draft.invite()
                        .via("SIP/2.0/TLS 198.51.100.1;branch=z9hG4bK-1")
                        .uri("sips:bob@203.0.113.2")
                        .text());
        Received invite = scene.take("TLS 203.0.113.2:5061");
        assertThat(invite.recorded())
                .hasSize(2)
                .allMatch(value -> value.startsWith("<sips:") && value.endsWith("192.0.2.1:5061;transport=tls;lr>"));
    }

    /** IPv6 on one side. */
    @Test
    void recordsBothFamiliesOfAddresses() {
        IpAddress v6 = Objects.requireNonNull(IpAddress.parse("2001:db8::1"));
        scene = new ProxyScene(
                ProxySettings.standard(1),
                TransactionLimits.DEFAULT,
                ProxyObserver.NONE,
                ProxyListener.of(SipTransport.UDP, ProxyScene.PROXY, 5060),
                ProxyListener.of(SipTransport.UDP, v6, 5060));
        scene.send(ALICE, 0, Draft.invite().uri("sip:bob@[2001:db8::10]").text());
        Received invite = scene.take("[2001:db8::10]:5060");
        assertThat(invite.values(SipHeader.VIA).getFirst()).startsWith("SIP/2.0/UDP [2001:db8::1]:5060;");
        assertThat(invite.recorded()).containsExactly("<sip:[2001:db8::1]:5060;lr>", "<sip:192.0.2.1:5060;lr>");
        scene.send("[2001:db8::10]:5060", 1, invite.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        scene.send(
                "[2001:db8::10]:5060",
                1,
                Draft.of("BYE")
                        .via("SIP/2.0/UDP [2001:db8::10];branch=z9hG4bK-b")
                        .uri("sip:alice@" + ALICE)
                        .toTag("a")
                        .header("Route: " + String.join(", ", invite.values(SipHeader.RECORD_ROUTE)))
                        .text());
        Received bye = scene.take(ALICE);
        assertThat(bye.values(SipHeader.VIA).getFirst()).startsWith("SIP/2.0/UDP 192.0.2.1:5060;");
        scene.send(ALICE, bye.answer(200, "a"));
        assertThat(scene.takeAll("[2001:db8::10]:5060")).containsExactly("200");
    }

    /** What a policy is given: the target after the route was processed, and whether there is a dialog. */
    @Test
    void showsThePolicyTheTargetBehindTheRoutes() {
        List<String> seen = new ArrayList<>();
        SipUriView uri = new SipUriView();
        scene.decision = (context, request) -> {
            assertThat(context.target(uri)).isTrue();
            seen.add(uri + " " + context.isInDialog() + " " + context.hasRoute());
            context.reply(404, "Not Found", "", scene.nowNs);
        };
        scene.send(ALICE, Draft.invite().text());
        scene.send(
                ALICE,
                Draft.of("BYE")
                        .uri("sip:192.0.2.1;lr")
                        .toTag("b")
                        .header("Route: <sip:bob@" + BOB + ">")
                        .text());
        scene.send(
                ALICE,
                Draft.of("INFO")
                        .uri("sip:bob@example.com;maddr=192.0.2.1")
                        .toTag("b")
                        .text());
        scene.send(
                ALICE,
                Draft.of("OPTIONS")
                        .uri("sip:bob@example.com")
                        .header("Route: <sip:192.0.2.1>, <sip:" + BOB + ">")
                        .text());
        assertThat(seen)
                .containsExactly(
                        "sip:bob@203.0.113.2:5070 false false",
                        "sip:bob@203.0.113.2:5070 true false",
                        "sip:bob@example.com true false",
                        "sip:bob@example.com false true");
    }

    /** Requests with hundreds of Route values are refused. */
    @Test
    void refusesTooManyRoutes() {
        scene.send(
                ALICE,
                Draft.of("OPTIONS")
                        .header("Route: " + "<sip:a;lr>,".repeat(200) + "<sip:b;lr>")
                        .text());
        assertThat(scene.takeAll(ALICE)).containsExactly("400");
    }
}
