package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.Draft.CAROL;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.proxy.ProxyScene.Received;
import io.offhook.sip.transaction.TransactionLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limits met: the part of flow 29 that the core decides. */
class LimitsTest {
    private static ProxyScene scene(int servers, int clients, long bytes) {
        return new ProxyScene(
                ProxySettings.standard(1),
                new TransactionLimits(servers, clients, bytes),
                ProxyObserver.NONE,
                ProxyScene.LISTENERS);
    }

    private static Draft invite(int i) {
        return Draft.invite().branch("i" + i).callId("call-" + i);
    }

    /** Flow 29: new calls are refused with 503 and Retry-After, before requests of calls that exist. */
    @Test
    void keepsTheLastTransactionsForRequestsInDialogs() {
        ProxyScene scene = scene(16, 100, 1 << 20);
        for (int i = 0; i < 14; i++) {
            scene.send(ALICE, invite(i).text());
        }
        assertThat(scene.takeAll(BOB)).hasSize(14);
        scene.send(ALICE, invite(14).text());
        Received refused = scene.take(ALICE);
        assertThat(refused.brief()).isEqualTo("503");
        assertThat(refused.value(SipHeader.RETRY_AFTER)).isNotEmpty();
        assertThat(scene.isQuiet(BOB)).isTrue();
        // its ACK ends here
        scene.send(
                ALICE,
                Draft.of("ACK")
                        .branch("i14")
                        .callId("call-14")
                        .toTag(refused.view().toTag())
                        .text());
        assertThat(scene.isQuiet(BOB)).isTrue();

        scene.send(ALICE, Draft.of("BYE").branch("bye").toTag("b").text());
        scene.send(ALICE, Draft.of("CANCEL").branch("i3").callId("call-3").text());
        assertThat(scene.takeAll(BOB)).containsExactly("BYE");
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        scene.send(ALICE, Draft.of("ACK").branch("ack").toTag("b").text());
        assertThat(scene.takeAll(BOB)).containsExactly("ACK");
        // now nothing is left
        scene.send(ALICE, Draft.of("BYE").branch("bye2").toTag("b").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("503");
        assertThat(scene.core.transactions().counters().limited()).isEqualTo(2);
        assertThat(scene.rejected).as("not the fault of who sent it").isEmpty();
        // repeated requests of known transactions are no new ones
        scene.send(ALICE, invite(0).text());
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
    }

    @Test
    void takesCallsAgainWhenTransactionsAreOver() {
        ProxyScene scene = scene(8, 100, 1 << 20);
        for (int i = 0; i < 20; i++) {
            scene.send(ALICE, invite(i).text());
        }
        assertThat(scene.takeAll(BOB)).hasSize(7);
        scene.pass(100 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
        scene.takeAll(BOB);
        scene.send(ALICE, invite(30).text());
        assertThat(scene.takeAll(BOB)).containsExactly("INVITE");
    }

    @Test
    void refusesCallsWhenMemoryIsUsedUp() {
        // a request of 512 bytes at most, before and after
        ProxyScene scene = scene(1000, 1000, 16 * 1024);
        for (int i = 0; i < 100; i++) {
            scene.send(ALICE, invite(i).text());
        }
        assertThat(scene.core.transactions().keptBytes()).isLessThanOrEqualTo(16 * 1024);
        assertThat(scene.takeAll(BOB)).hasSizeBetween(10, 16);
        assertThat(scene.takeAll(ALICE)).hasSizeBetween(84, 90).containsOnly("503");
        scene.pass(100 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    /** A request that could not be kept could be neither repeated nor acknowledged. */
    @Test
    void sendsNothingOnThatItCannotKeep() {
        // room for the request as it came, not for the longer one
        ProxyScene scene = scene(10, 10, 1024);
        String request = Draft.invite().header("X-Fill: " + "x".repeat(230)).text();
        assertThat(request.length()).isBetween(450, 512);
        scene.send(ALICE, request);
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(scene.takeAll(ALICE)).containsExactly("500");
        scene.pass(100 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    @Test
    void answers500WhenNoClientTransactionIsLeft() {
        ProxyScene scene = scene(100, 2, 1 << 20);
        for (int i = 0; i < 3; i++) {
            scene.send(ALICE, invite(i).text());
        }
        assertThat(scene.takeAll(BOB)).hasSize(2);
        assertThat(scene.takeAll(ALICE)).containsExactly("500");
        // a CANCEL that cannot be sent leaves its INVITE to the timer
        scene.pass(100 * SECOND);
        scene.takeAll(BOB);
        scene.takeAll(ALICE);
        scene.send(ALICE, invite(5).text());
        Received ringing = scene.take(BOB);
        scene.send(ALICE, invite(6).text());
        scene.send(BOB, ringing.answer(180, "b"));
        scene.send(ALICE, Draft.of("CANCEL").branch("i5").callId("call-5").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("180", "200");
        scene.pass(300 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    /** One of the targets cannot be sent to: the request goes on, once, to the next. */
    @Test
    void goesOnWithTheNextTargetAfterOneThatCannotBeSent() {
        ProxyScene scene = scene(100, 100, 1 << 20);
        String huge = "X: " + "x".repeat(65_000) + "\r\n";
        scene.decision = (context, request) -> context.fork(
                List.of(
                        List.of(new ForkTarget("sip:b@" + BOB, List.of(), null, huge)),
                        List.of(ForkTarget.of("sip:c@" + CAROL))),
                scene.nowNs);
        scene.send(ALICE, Draft.invite().header("X-Fill: " + "y".repeat(1000)).text());
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(scene.takeAll("TCP " + CAROL)).containsExactly("INVITE");
    }

    @Test
    void answers513ToWhatBecomesTooLarge() {
        ProxyScene scene = scene(100, 100, 1 << 20);
        scene.send(ALICE, Draft.of("MESSAGE").body("x".repeat(65_250)).text());
        assertThat(scene.takeAll(ALICE)).containsExactly("513");
        scene.pass(100 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    @Test
    void refusesMoreHeadersThanAreKept() {
        ProxyScene scene = new ProxyScene();
        scene.send(ALICE, Draft.invite().header("X: 1\r\n".repeat(300) + "X: 1").text());
        assertThat(scene.takeAll(ALICE)).containsExactly("400");
        scene.send(
                ALICE,
                Draft.invite()
                        .branch("2")
                        .header("X: 1\r\n".repeat(200) + "X: 1")
                        .text());
        assertThat(scene.takeAll("TCP " + BOB)).containsExactly("INVITE");
    }

    /** What is pooled is given back, and what is used again knows nothing of its past. */
    @Test
    void usesTransactionsAndContextsAgainWithoutTheirPast() {
        ProxyScene scene = new ProxyScene();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 50; i++) {
                String id = round + "-" + i;
                scene.decision = (context, request) -> {
                    assertThat(context.attachment()).isNull();
                    assertThat(context.isCancelled()).isFalse();
                    assertThat(context.status()).isZero();
                    context.attachment(id);
                    context.relay(scene.nowNs);
                };
                scene.send(ALICE, Draft.invite().branch(id).callId(id).text());
                Received invite = scene.take(BOB);
                assertThat(invite.view().callId()).isEqualTo(id);
                scene.send(BOB, invite.answer(180, "b"));
                if (i % 3 == 0) {
                    scene.send(ALICE, Draft.of("CANCEL").branch(id).callId(id).text());
                }
                scene.send(BOB, invite.answer(i % 2 == 0 ? 486 : 200, "b"));
                scene.takeAll(ALICE);
                scene.takeAll(BOB);
            }
            scene.pass(100 * SECOND);
            scene.core.trim();
            assertThat(scene.isEmpty()).isTrue();
            assertThat(scene.ended).isEqualTo(50 * (round + 1));
            scene.takeAll(ALICE);
            scene.takeAll(BOB);
        }
    }
}
