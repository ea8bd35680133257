package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import io.offhook.sip.transaction.TransactionLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** OPTIONS of the proxy itself. */
class OptionsRequestsTest {
    private final ProxyScene scene = new ProxyScene();
    private final List<Integer> results = new ArrayList<>();

    private OptionsRequests.Question ask(String uri) {
        return scene.core.options().ask(uri, scene.nowNs, (status, nowNs) -> results.add(status));
    }

    private void assertNothingIsLeft() {
        scene.pass(200 * ProxyScene.SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    @Test
    void asksByUdp() {
        ask("sip:" + BOB);
        Received options = scene.take(BOB);
        assertThat(options.startLine()).isEqualTo("OPTIONS sip:" + BOB + " SIP/2.0");
        assertThat(options.value(SipHeader.VIA)).startsWith("SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK");
        assertThat(options.value(SipHeader.MAX_FORWARDS)).isEqualTo("70");
        assertThat(options.value(SipHeader.FROM)).startsWith("<sip:192.0.2.1>;tag=");
        assertThat(options.value(SipHeader.TO)).isEqualTo("<sip:" + BOB + ">");
        assertThat(options.value(SipHeader.CSEQ)).isEqualTo("1 OPTIONS");
        assertThat(options.value(SipHeader.CONTACT)).isEqualTo("<sip:192.0.2.1:5060>");
        assertThat(options.value(SipHeader.CONTENT_LENGTH)).isEqualTo("0");
        scene.send(BOB, options.answer(100, ""));
        assertThat(results).isEmpty();
        scene.send(BOB, options.answer(404, "b"));
        scene.send(BOB, options.answer(404, "b"));
        assertThat(results).containsExactly(404);
        assertNothingIsLeft();
    }

    @Test
    void asksByTheListenerOfTheTransport() {
        ask("sip:" + BOB + ";transport=tcp");
        Received options = scene.take("TCP " + BOB);
        assertThat(options.value(SipHeader.VIA)).startsWith("SIP/2.0/TCP 192.0.2.1:5060;branch=z9hG4bK");
        assertThat(options.value(SipHeader.CONTACT)).isEqualTo("<sip:192.0.2.1:5060;transport=tcp>");
        scene.send("TCP " + BOB, options.answer(200, "b"));
        assertThat(results).containsExactly(200);
        assertNothingIsLeft();
    }

    @Test
    void eachQuestionHasItsOwnCallIdTagAndBranch() {
        ask("sip:" + BOB);
        ask("sip:" + BOB);
        Received first = scene.take(BOB);
        Received second = scene.take(BOB);
        for (SipHeader header : List.of(SipHeader.CALL_ID, SipHeader.FROM, SipHeader.VIA)) {
            assertThat(second.value(header)).isNotEqualTo(first.value(header));
        }
        scene.send(BOB, second.answer(503, "b"));
        scene.send(BOB, first.answer(200, "b"));
        assertThat(results).containsExactly(503, 200);
    }

    @Test
    void silenceIsNoStatus() {
        ask("sip:" + BOB);
        scene.pass(31 * ProxyScene.SECOND);
        assertThat(results).isEmpty();
        assertThat(scene.takeAll(BOB)).as("it is repeated").hasSizeGreaterThan(8);
        scene.pass(2 * ProxyScene.SECOND);
        assertThat(results).containsExactly(0);
        assertNothingIsLeft();
    }

    @Test
    void aPlaceThatCannotBeReachedIsNoStatus() {
        scene.broken.add(BOB);
        ask("sip:" + BOB);
        ask("sip:nowhere.example");
        ask("sips:" + BOB);
        ask("tel:+358");
        assertThat(results).as("no such transport, no such scheme").containsExactly(0, 0, 0, 0);
        assertNothingIsLeft();
    }

    @Test
    void asksThePlacesOfANameOneAfterTheOther() {
        scene.names.put("carrier.example", List.of("203.0.113.9:5060", BOB, CAROL));
        scene.broken.add("203.0.113.9:5060");
        ask("sip:carrier.example");
        assertThat(scene.take(BOB).startLine()).isEqualTo("OPTIONS sip:carrier.example SIP/2.0");
        scene.core.transactions().transportFailed(ProxyScene.hop(BOB), scene.nowNs);
        scene.send(CAROL, scene.take(CAROL).answer(200, "c"));
        assertThat(results).containsExactly(200);
        assertNothingIsLeft();
    }

    @Test
    void nothingIsLeftOfAQuestionThatIsGivenUp() {
        OptionsRequests.Question question = ask("sip:" + BOB);
        Received options = scene.take(BOB);
        question.giveUp();
        assertThat(scene.core.transactions().clientCount()).isZero();
        scene.send(BOB, options.answer(200, "b"));
        scene.pass(40 * ProxyScene.SECOND);
        assertThat(scene.isQuiet(BOB)).isTrue();
        question.giveUp();
        ArrayDeque<Runnable> lookups = new ArrayDeque<>();
        scene.lookups = lookups;
        scene.names.put("carrier.example", List.of(BOB));
        ask("sip:carrier.example").giveUp();
        lookups.remove().run();
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(results).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void asksNobodyAboveTheLimitOfTransactions() {
        TransactionLimits limits = new TransactionLimits(10, 1, TransactionLimits.DEFAULT.bytes());
        ProxyScene full = new ProxyScene(ProxySettings.standard(1), limits, ProxyObserver.NONE, ProxyScene.LISTENERS);
        full.core.options().ask("sip:" + BOB, full.nowNs, (status, nowNs) -> results.add(status));
        full.core.options().ask("sip:" + CAROL, full.nowNs, (status, nowNs) -> results.add(status));
        assertThat(results).containsExactly(0);
        assertThat(full.isQuiet(CAROL)).isTrue();
    }
}
