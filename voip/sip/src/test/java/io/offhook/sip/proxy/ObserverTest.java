package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.proxy.ProxyScene.Received;
import io.offhook.sip.transaction.TransactionLimits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an observer is notified of. */
class ObserverTest implements ProxyObserver {
    private final List<String> seen = new ArrayList<>();
    private final List<String> targets = new ArrayList<>();
    private final List<Boolean> forwardedBefore = new ArrayList<>();
    private long receivedNs;
    private final ProxyScene scene =
            new ProxyScene(ProxySettings.standard(1), TransactionLimits.DEFAULT, this, ProxyScene.LISTENERS);

    private void note(ResponseContext context, String what) {
        SipMessageView request = new SipMessageView();
        assertThat(context.request(request))
                .as("the request is kept while %s", what)
                .isTrue();
        assertThat(request.callId()).isEqualTo("call-1");
        seen.add(context.method() + " " + what);
    }

    @Override
    public void requestForwarded(ResponseContext context, SipMessageView request, SipHop to, long nowNs) {
        note(context, "to " + ProxyScene.at(to));
        forwardedBefore.add(context.isForwarded());
        receivedNs = context.receivedNs();
    }

    @Override
    public void targetResponded(SipMethod method, int status, SipHop from, long sentNs, long nowNs) {
        targets.add(
                method + " " + status + " by " + ProxyScene.at(from) + " after " + (nowNs - sentNs) / ProxyScene.MS);
    }

    @Override
    public void responseForwarded(
            ResponseContext context, SipMessageView response, SipHop from, long sentNs, long nowNs) {
        seen.add(context.number() + ": " + response.statusCode() + " from " + ProxyScene.at(from) + " after "
                + (nowNs - sentNs) / ProxyScene.MS);
    }

    @Override
    public void responseGiven(ResponseContext context, int status, long nowNs) {
        note(context, "given " + status);
    }

    @Override
    public void callAnswered(ResponseContext context, SipMessageView response, SipHop from, long nowNs) {
        note(context, "answered by " + ProxyScene.at(from));
    }

    @Override
    public void callFailed(ResponseContext context, int status, long nowNs) {
        note(context, "failed " + status);
    }

    @Override
    public void callEnded(ResponseContext context, int status, long nowNs) {
        note(context, "ended " + status);
    }

    @Test
    void followsACall() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.passMs(20);
        scene.send(BOB, invite.answer(180, "b"));
        scene.passMs(20);
        scene.send(BOB, invite.answer(200, "b"));
        scene.send(BOB, invite.answer(200, "b"));
        scene.send(ALICE, Draft.invite().branch("2").cseq(2).toTag("b").text());
        scene.send(BOB, scene.take(BOB).answer(200, "b"));
        scene.send(ALICE, Draft.of("BYE").branch("3").cseq(3).toTag("b").text());
        scene.send(BOB, scene.take(BOB).answer(200, "b"));
        assertThat(seen)
                .containsExactly(
                        "INVITE to " + BOB,
                        "1: 180 from " + BOB + " after 20",
                        "1: 200 from " + BOB + " after 40",
                        "INVITE answered by " + BOB,
                        "1: 200 from " + BOB + " after 40",
                        "INVITE to " + BOB,
                        "2: 200 from " + BOB + " after 0",
                        "BYE to " + BOB,
                        "3: 200 from " + BOB + " after 0",
                        "BYE ended 200");
    }

    @Test
    void measuresTheFirstProvisionalAndTheFinalResponseOfEachTarget() {
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        scene.send(BOB, invite.answer(100, ""));
        scene.passMs(20);
        scene.send(BOB, invite.answer(180, "b"));
        scene.send(BOB, invite.answer(183, "b"));
        scene.passMs(20);
        scene.send(BOB, invite.answer(200, "b"));
        scene.send(BOB, invite.answer(200, "b"));
        assertThat(targets).containsExactly("INVITE 180 by " + BOB + " after 20", "INVITE 200 by " + BOB + " after 40");
    }

    @Test
    void measuresTargetsWhoseResponsesAreNotForwarded() {
        scene.names.put("pool.example.com", List.of(BOB, CAROL));
        scene.send(ALICE, Draft.invite().uri("sip:bob@pool.example.com").text());
        long arrivedNs = scene.nowNs;
        scene.passMs(10);
        scene.send(BOB, scene.take(BOB).answer(503, "b"));
        scene.passMs(5);
        scene.send(CAROL, scene.take(CAROL).answer(486, "c"));
        assertThat(targets)
                .containsExactly("INVITE 503 by " + BOB + " after 10", "INVITE 486 by " + CAROL + " after 5");
        assertThat(forwardedBefore).containsExactly(false, true);
        assertThat(receivedNs).isEqualTo(arrivedNs);
    }

    @Test
    void followsCallsThatFail() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(503, "b"));
        scene.decision = (context, request) -> context.reply(403, "Forbidden", "", scene.nowNs);
        scene.send(ALICE, Draft.invite().branch("2").text());
        assertThat(seen)
                .containsExactly(
                        "INVITE to " + BOB,
                        "1: 503 from " + BOB + " after 0",
                        "INVITE failed 500",
                        "INVITE given 403",
                        "INVITE failed 403");
        seen.clear();
        scene.decision = (context, request) -> context.relay(scene.nowNs);
        scene.send(
                ALICE,
                Draft.of("BYE").branch("3").toTag("b").uri("sip:bob@" + CAROL).text());
        scene.pass(33 * SECOND);
        assertThat(seen).containsExactly("BYE to " + CAROL, "BYE ended 408");
    }
}
