package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static io.offhook.sip.proxy.ProxyScene.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timers of transactions: flows 4, 5 and 24. */
class RetransmissionTest {
    private static final String ALICE_TCP = "TCP 198.51.100.1:5060";
    private static final String BOB_TCP = "TCP 203.0.113.2:5070";

    private final ProxyScene scene = new ProxyScene();

    /** The milliseconds after now at which messages are sent to an address, within a time. */
    private List<Long> times(String address, long ms) {
        List<Long> times = new ArrayList<>();
        for (long at = 0; at < ms; at += 10) {
            scene.passMs(10);
            // timers are up to 1 ms late
            scene.takeAll(address).forEach(line -> times.add((scene.nowNs / ProxyScene.MS - 1000) / 100 * 100));
        }
        return times;
    }

    /** Flow 5: timers A and B. */
    @Test
    void repeatsAnInviteAtDoublingIntervalsUntilTimerB() {
        scene.send(ALICE, Draft.invite().text());
        scene.take(BOB);
        assertThat(times(BOB, 31_900)).containsExactly(500L, 1500L, 3500L, 7500L, 15500L, 31500L);
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
        scene.passMs(200);
        assertThat(scene.takeAll(ALICE)).containsExactly("408");
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(scene.core.transactions().counters().timeouts()).isEqualTo(1);
        scene.pass(40 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 5: a provisional response ends timers A and B. */
    @Test
    void repeatsNoInviteAfterAProvisionalResponse() {
        scene.send(ALICE, Draft.invite().text());
        scene.send(BOB, scene.take(BOB).answer(100, ""));
        scene.pass(100 * SECOND);
        assertThat(scene.isQuiet(BOB)).isTrue();
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
    }

    /** A forged source must not get more messages than were sent in its name (RFC 3261, 26.3.2.4). */
    @Test
    void refusesAnInviteOnlyAsOftenAsItComes() {
        scene.decision = (context, request) -> context.reply(403, "Forbidden", "", scene.nowNs);
        scene.send(ALICE, Draft.invite().text());
        assertThat(scene.takeAll(ALICE)).containsExactly("403");
        scene.pass(20 * SECOND);
        assertThat(scene.isQuiet(ALICE)).isTrue();
        scene.send(ALICE, Draft.invite().text());
        assertThat(scene.takeAll(ALICE)).containsExactly("403");
        scene.pass(40 * SECOND);
        assertThat(scene.isQuiet(ALICE)).isTrue();
        assertThat(scene.isEmpty()).isTrue();
    }

    /** After a provisional response the sender does not repeat the INVITE, so the final one is repeated (timer G). */
    @Test
    void repeatsARefusalWhoseSenderWaits() {
        List<ResponseContext> waiting = new ArrayList<>();
        scene.decision = (context, request) -> waiting.add(context);
        scene.send(ALICE, Draft.invite().text());
        scene.pass(SECOND);
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
        waiting.getFirst().reply(404, "Not Found", "", scene.nowNs);
        scene.pass(4 * SECOND);
        assertThat(scene.takeAll(ALICE)).containsExactly("404", "404", "404", "404");
    }

    /** Three times the size of the request is the most that a forged source may get (as RFC 9000, 8.1). */
    @Test
    void isNoAmplifier() {
        String padding = "X-Long: " + "x".repeat(2000) + "\r\n";
        scene.decision =
                (context, request) -> context.reply(407, "Proxy Authentication Required", padding, scene.nowNs);
        scene.send(ALICE, Draft.invite().text());
        scene.send(ALICE, Draft.of("OPTIONS").branch("2").text());
        assertThat(scene.isQuiet(ALICE)).isTrue();
        assertThat(scene.core.counters().tooLarge()).isEqualTo(2);
        assertThat(scene.isEmpty()).isTrue();
        scene.send(
                ALICE, Draft.of("OPTIONS").branch("3").header(padding.strip()).text());
        assertThat(scene.takeAll(ALICE)).containsExactly("407");
        scene.send(ALICE_TCP, Draft.of("OPTIONS").byTcp().text());
        assertThat(scene.takeAll(ALICE_TCP))
                .as("who has a connection is who he says")
                .containsExactly("407");
    }

    /** Flow 5: over TCP. */
    @Test
    void repeatsNothingOverTcp() {
        scene.send(
                ALICE_TCP,
                Draft.invite()
                        .byTcp()
                        .uri("sip:bob@203.0.113.2:5070;transport=tcp")
                        .text());
        Received invite = scene.take(BOB_TCP);
        scene.pass(20 * SECOND);
        assertThat(scene.isQuiet(BOB_TCP)).isTrue();
        scene.send(BOB_TCP, invite.answer(486, "b"));
        assertThat(scene.takeAll(BOB_TCP)).containsExactly("ACK");
        // timer D is 0: nothing is left of the client transaction
        assertThat(scene.core.transactions().clientCount()).isZero();
        scene.pass(20 * SECOND);
        assertThat(scene.takeAll(ALICE_TCP)).containsExactly("100", "486");
        scene.send(ALICE_TCP, Draft.of("ACK").byTcp().toTag("b").text());
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 4: timers E and F. */
    @Test
    void repeatsOtherRequestsUpToT2UntilTimerF() {
        scene.send(ALICE, Draft.of("OPTIONS").text());
        scene.take(BOB);
        assertThat(times(BOB, 33_000))
                .containsExactly(500L, 1500L, 3500L, 7500L, 11500L, 15500L, 19500L, 23500L, 27500L, 31500L);
    }

    /** Flow 4: after a provisional response, timer E is T2. */
    @Test
    void repeatsOtherRequestsEveryT2AfterAProvisionalResponse() {
        scene.send(ALICE, Draft.of("OPTIONS").text());
        scene.send(BOB, scene.take(BOB).answer(100, ""));
        assertThat(times(BOB, 13_000)).containsExactly(500L, 4500L, 8500L, 12500L);
    }

    /** Flow 4: timers J and K. */
    @Test
    void absorbsOtherRequestsAndTheirResponsesThatComeAgain() {
        String options = Draft.of("OPTIONS").text();
        scene.send(ALICE, options);
        Received forwarded = scene.take(BOB);
        scene.send(ALICE, options);
        assertThat(scene.isQuiet(ALICE)).isTrue();
        assertThat(scene.isQuiet(BOB)).isTrue();
        scene.send(BOB, forwarded.answer(200, "b"));
        scene.send(BOB, forwarded.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        assertThat(scene.core.transactions().counters().responsesAgain()).isEqualTo(1);

        scene.pass(4900 * ProxyScene.MS);
        assertThat(scene.core.transactions().clientCount()).isEqualTo(1);
        scene.passMs(200);
        assertThat(scene.core.transactions().clientCount()).isZero();
        scene.pass(26 * SECOND);
        scene.send(ALICE, options);
        assertThat(scene.takeAll(ALICE)).containsExactly("200");
        scene.pass(2 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 24: RFC 4320, 4.2. */
    @Test
    void gives408ToNoOtherRequest() {
        scene.send(ALICE, Draft.of("OPTIONS").text());
        scene.pass(33 * SECOND);
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
        scene.pass(40 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 24: neither one that comes from further on; what is sent again is absorbed rather than forwarded again. */
    @Test
    void forwardsNo408ToOtherRequests() {
        String options = Draft.of("OPTIONS").text();
        scene.send(ALICE, options);
        scene.send(BOB, scene.take(BOB).answer(408, "b"));
        scene.send(ALICE, options);
        assertThat(scene.isQuiet(ALICE)).isTrue();
        assertThat(scene.isQuiet(BOB)).isTrue();
        scene.pass(40 * SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    /** Flow 24: RFC 4320, 4.1: 100 not before timer E would be T2, and no other provisional response. */
    @Test
    void sendsALate100ToOtherRequestsAndForwardsNoProvisionalResponse() {
        scene.send(ALICE, Draft.of("OPTIONS").text());
        scene.send(BOB, scene.take(BOB).answer(183, "b"));
        scene.passMs(3400);
        assertThat(scene.isQuiet(ALICE)).isTrue();
        scene.passMs(200);
        assertThat(scene.takeAll(ALICE)).containsExactly("100");
    }

    /** Flow 4: a late final response passes as long as its request waits. */
    @Test
    void forwardsALateFinalResponseToAnotherRequest() {
        scene.send(ALICE, Draft.of("OPTIONS").text());
        Received options = scene.take(BOB);
        scene.pass(31 * SECOND);
        scene.send(BOB, options.answer(200, "b"));
        assertThat(scene.takeAll(ALICE)).containsExactly("100", "200");
    }
}
