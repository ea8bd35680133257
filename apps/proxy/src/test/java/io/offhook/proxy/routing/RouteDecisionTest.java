package io.offhook.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUri;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What routers of users may answer, and what they can ask of a request. */
class RouteDecisionTest {
    @Test
    void nothingInADecisionCanBecomeAnotherHeader() {
        assertThatThrownBy(() -> new HeaderField("X-A", "b\r\nVia: x")).hasMessageContaining("control character at 1");
        assertThatThrownBy(() -> new HeaderField("X A", "b")).hasMessageContaining("not a header name");
        assertThatThrownBy(() -> new HeaderField("", "b")).hasMessageContaining("not a header name");
        assertThatThrownBy(() -> new HeaderField("X-A", "b".repeat(2001))).hasMessageContaining("limit is 2000");
        assertThatThrownBy(() -> new RouteDecision.Reply(404, "x\r\ny", List.of()))
                .hasMessageContaining("control");
        assertThatThrownBy(() -> HeaderChange.replace("v", "x")).hasMessageContaining("cannot be changed");
        assertThatThrownBy(() -> HeaderChange.remove("Record-Route")).hasMessageContaining("cannot be changed");
        assertThatThrownBy(() -> HeaderChange.add("Identity", "x")).hasMessageContaining("cannot be changed");
    }

    @Test
    void aDecisionIsWhole() {
        assertThatThrownBy(() -> RouteDecision.Reply.of(100)).hasMessageContaining("outside 200 to 699");
        assertThatThrownBy(() -> new RouteDecision.Fork(List.of())).hasMessageContaining("needs a target set");
        assertThatThrownBy(() -> new TargetSet(List.of())).hasMessageContaining("needs a target");
        assertThatThrownBy(() -> Target.of(SipUri.parse("example.org"))).hasMessageContaining("not a URI");
        SipUri uri = SipUri.parse("sip:a@b");
        assertThatThrownBy(() -> new Target(uri, uri, "group", List.of(), "")).hasMessageContaining("not both");
    }

    @Test
    void headersAreFoundInAnyCaseAndForm() {
        byte[] bytes = """
                INVITE sip:bob@example.org SIP/2.0
                v: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1
                Via: SIP/2.0/UDP 192.0.2.2;branch=z9hG4bK2
                x-price: low
                X-Price: lower
                s: hello

                """.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        SipMessageView message = new SipMessageView();
        message.wrap(bytes, 0, bytes.length);
        MessageHeaders headers = new MessageHeaders(message);
        java.util.Arrays.fill(bytes, (byte) 0); // the buffer is used for the next message
        assertThat(headers.values("VIA")).hasSize(2);
        assertThat(headers.values("v")).hasSize(2);
        assertThat(headers.values("X-PRICE")).containsExactly("low", "lower");
        assertThat(headers.values("Subject")).containsExactly("hello");
        assertThat(headers.values("P-Nothing")).isEmpty();
    }

    @Test
    void aQueryIsACopyOfTheRequest() {
        byte[] bytes = """
                INVITE sip:%2B35840@example.org;user=phone SIP/2.0
                Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1
                From: "Alice" <sip:alice@example.com>;tag=1
                To: <sip:bob@example.org>
                Call-ID: abc@x
                CSeq: 1 INVITE

                """.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        SipMessageView message = new SipMessageView();
        message.wrap(bytes, 0, bytes.length);
        RouteQuery query = RouteQuery.of(
                message,
                SipUri.parse(message.requestUri()),
                Queries.invite("sip:x@y").source());
        java.util.Arrays.fill(bytes, (byte) 0);
        assertThat(query.method()).isEqualTo("INVITE");
        assertThat(query.dialled()).isEqualTo("+35840");
        assertThat(query.fromUser()).isEqualTo("alice");
        assertThat(query.fromDomain()).isEqualTo("example.com");
        assertThat(query.to()).hasToString("sip:bob@example.org");
        assertThat(query.callId()).isEqualTo("abc@x");
        assertThat(query.headers().values("CSeq")).containsExactly("1 INVITE");
    }

    @Test
    void changesOfHeadersApplyByTrunkGroupAndMethod() {
        RoutingConfig config = Queries.config("""
                groups: {carrier: {members: [{uri: "sip:a"}]}}
                trunks: {office: {sources: [10.0.0.0/8]}}
                headers:
                  - {add: {X-All: "1"}}
                  - {on: both, from-trunks: [office], remove: [X-Secret]}
                  - {on: responses, methods: [INVITE], replace: {Server: none}}
                  - {to-groups: [carrier], methods: [INVITE], add: {X-Carrier: "1"}}
                """);
        assertThat(changes(config, HeaderRule.Messages.REQUESTS, "INVITE", "office", "carrier"))
                .containsExactly("ADD X-All", "REMOVE X-Secret", "ADD X-Carrier");
        assertThat(changes(config, HeaderRule.Messages.REQUESTS, "BYE", "", "carrier"))
                .containsExactly("ADD X-All");
        assertThat(changes(config, HeaderRule.Messages.RESPONSES, "INVITE", "office", ""))
                .containsExactly("REMOVE X-Secret", "REPLACE Server");
        assertThat(changes(config, HeaderRule.Messages.RESPONSES, "BYE", "", ""))
                .isEmpty();
    }

    private static List<String> changes(
            RoutingConfig config, HeaderRule.Messages messages, String method, String trunk, String group) {
        return HeaderRule.changes(config.headers(), messages, method, trunk, group).stream()
                .map(change -> change.kind() + " " + change.name())
                .toList();
    }
}
