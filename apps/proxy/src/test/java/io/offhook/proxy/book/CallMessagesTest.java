package io.offhook.proxy.book;

import static io.offhook.proxy.tap.TappedLane.ALICE;
import static io.offhook.proxy.tap.TappedLane.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.Endpoint;
import io.offhook.proxy.control.LiveMessage;
import io.offhook.proxy.control.LiveMessages;
import io.offhook.proxy.tap.CallKeys;
import io.offhook.proxy.tap.MessageWatcher;
import io.offhook.proxy.tap.SeenMessage;
import io.offhook.proxy.tap.TappedLane;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipTransport;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CallMessagesTest implements MessageWatcher {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2027-01-15T08:00:00Z"));
    private static final int MOST = 20;

    private final TappedLane lane = new TappedLane(this, CLOCK);
    private CallMessages messages = of(100, MOST, lane.keys());

    private static CallMessages of(int calls, int most, CallKeys keys) {
        return new CallMessages(calls, most, List.of(TappedLane.LISTENER), keys);
    }

    @Override
    public void seen(SeenMessage message) {
        messages.seen(message);
    }

    private static byte[] request(String method, String callId) {
        return TappedLane.message(method + " sip:bob@example.com SIP/2.0", callId, method);
    }

    private static byte[] response(int status, String callId, String method) {
        return TappedLane.message("SIP/2.0 " + status + " Reason", callId, method);
    }

    private void passes(byte[] message, SipHop from, SipHop to) {
        lane.received(message, from);
        lane.sent(message, to);
    }

    private void setUp(String callId) {
        passes(request("INVITE", callId), ALICE, BOB);
        passes(response(180, callId, "INVITE"), BOB, ALICE);
        passes(response(200, callId, "INVITE"), BOB, ALICE);
        passes(request("ACK", callId), ALICE, BOB);
    }

    private void hangUp(String callId) {
        passes(request("BYE", callId), ALICE, BOB);
        passes(response(200, callId, "BYE"), BOB, ALICE);
    }

    private List<String> remembered(String callId) {
        LiveMessages known = messages.messages(callId);
        return known == null
                ? List.of()
                : known.messages().stream().map(CallMessagesTest::text).toList();
    }

    private static String text(LiveMessage message) {
        LiveMessage.Content content = message.content();
        return message.from() + " > " + message.to() + " " + message.transport() + " "
                + (content.status() == 0 ? "" : content.status() + " ") + content.method()
                + (content.isRepeated() ? " again" : "");
    }

    @Test
    void remembersTheMessagesOfACallInTheirOrder() {
        lane.received(request("INVITE", "one"), ALICE);
        lane.received(request("INVITE", "one"), ALICE, true);
        lane.sent(request("INVITE", "one"), BOB);
        passes(response(200, "one", "INVITE"), BOB, ALICE);
        hangUp("one");
        assertThat(remembered("one"))
                .containsExactly(
                        "192.0.2.1:5060 > 192.0.2.9:5060 UDP INVITE",
                        "192.0.2.1:5060 > 192.0.2.9:5060 UDP INVITE again",
                        "192.0.2.9:5060 > [2001:db8::2]:5080 TCP INVITE",
                        "[2001:db8::2]:5080 > 192.0.2.9:5060 TCP 200 INVITE",
                        "192.0.2.9:5060 > 192.0.2.1:5060 UDP 200 INVITE",
                        "192.0.2.1:5060 > 192.0.2.9:5060 UDP BYE",
                        "192.0.2.9:5060 > [2001:db8::2]:5080 TCP BYE",
                        "[2001:db8::2]:5080 > 192.0.2.9:5060 TCP 200 BYE",
                        "192.0.2.9:5060 > 192.0.2.1:5060 UDP 200 BYE");
        List<LiveMessage> all = Objects.requireNonNull(messages.messages("one")).messages();
        assertThat(all.getFirst().epochUs()).isGreaterThanOrEqualTo(CLOCK.millis() * 1000);
        assertThat(all).isSortedAccordingTo((a, b) -> Long.compare(a.epochUs(), b.epochUs()));
    }

    @Test
    void remembersOnlyCalls() {
        passes(request("OPTIONS", "ping"), ALICE, BOB);
        passes(response(200, "stray", "INVITE"), BOB, ALICE);
        assertThat(messages.messages("ping")).isNull();
        assertThat(messages.messages("stray")).isNull();
    }

    @Test
    void keepsTheLastMessagesAndCountsTheOthers() {
        setUp("long");
        for (int i = 0; i < MOST; i++) {
            passes(request("INFO", "long"), ALICE, BOB);
        }
        passes(request("UPDATE", "long"), BOB, ALICE);
        LiveMessages known = Objects.requireNonNull(messages.messages("long"));
        assertThat(known.messages()).hasSize(MOST);
        assertThat(known.forgotten()).isEqualTo(8 + 2 * MOST + 2 - MOST);
        assertThat(remembered("long").getLast()).endsWith("UDP UPDATE");
    }

    @Test
    void keepsFewerMessagesThanItBeginsWithIfAsked() {
        messages = of(10, 3, lane.keys());
        setUp("one");
        assertThat(remembered("one")).hasSize(3).last().asString().endsWith("TCP ACK");
    }

    @Test
    void aCallWithCredentialsGoesOnWithTheChallenge() {
        lane.received(request("INVITE", "auth"), ALICE);
        lane.sent(response(407, "auth", "INVITE"), ALICE);
        lane.received(request("ACK", "auth"), ALICE);
        setUp("auth");
        assertThat(remembered("auth")).hasSize(3 + 8);
    }

    @Test
    void aCallThatEndedIsRememberedUntilManyOthersHave() {
        setUp("old");
        hangUp("old");
        for (int i = 0; i < CallMessages.LEAST_ENDED; i++) {
            setUp("call" + i);
            hangUp("call" + i);
        }
        assertThat(remembered("old")).hasSize(12);
        setUp("next");
        assertThat(remembered("old")).isEmpty();
        assertThat(remembered("next")).hasSize(8);
        assertThat(remembered("call0")).hasSize(12);
    }

    @Test
    void aFailedReInviteDoesNotEndACall() {
        setUp("call");
        lane.received(request("INVITE", "call"), BOB);
        lane.sent(response(488, "call", "INVITE"), BOB);
        for (int i = 0; i <= CallMessages.LEAST_ENDED; i++) {
            lane.received(request("INVITE", "refused" + i), ALICE);
            lane.sent(response(486, "refused" + i, "INVITE"), ALICE);
        }
        lane.received(request("INVITE", "other"), ALICE);
        assertThat(remembered("refused0")).isEmpty();
        assertThat(remembered("call")).hasSize(10);
    }

    @Test
    void theOldestCallIsForgottenForANewOne() {
        for (int i = 0; i <= 100; i++) {
            setUp("call" + i);
        }
        assertThat(remembered("call0")).isEmpty();
        assertThat(remembered("call1")).hasSize(8);
        assertThat(remembered("call100")).hasSize(8);
    }

    @Test
    void leavesOutTheMessagesOfTooManyEnds() {
        messages = of(10, 200, lane.keys());
        lane.received(request("INVITE", "fork"), ALICE);
        for (int i = 0; i < 2 * CallHistory.MOST_ENDS; i++) {
            lane.sent(request("INVITE", "fork"), TappedLane.hop(SipTransport.UDP, "192.0.2.100", 1000 + i));
        }
        LiveMessages known = Objects.requireNonNull(messages.messages("fork"));
        assertThat(known.messages()).hasSize(CallHistory.MOST_ENDS);
        assertThat(known.forgotten()).isEqualTo(CallHistory.MOST_ENDS + 1);
        assertThat(known.messages().getLast().remote())
                .isEqualTo(Endpoint.of("192.0.2.100", 1000 + CallHistory.MOST_ENDS - 2));
    }

    /** What a call costs: at most 300 bytes of heap, and nothing for those after it. */
    @Test
    void aCallCostsLittleAndASteadyLoadNothing() {
        int calls = 4000;
        messages = of(10 * calls, 64, lane.keys());
        byte[][][] all = new byte[2 * calls][][];
        for (int i = 0; i < all.length; i++) {
            String id = "a84b4c76e66710-" + i + "@pc33.example.com";
            all[i] = new byte[][] {
                request("INVITE", id),
                response(100, id, "INVITE"),
                response(180, id, "INVITE"),
                response(200, id, "INVITE"),
                request("ACK", id),
                request("BYE", id),
                response(200, id, "BYE")
            };
        }
        for (int i = 0; i < 2 * CallMessages.LEAST_ENDED; i++) {
            call(all[i]); // compiled, and ended calls to be used again
        }
        long before = allocated();
        for (int i = 0; i < calls; i++) {
            call(all[calls + i]);
        }
        assertThat(allocated() - before).as("bytes of a steady load").isLessThan(calls);
        before = allocated();
        for (int i = 0; i < calls; i++) {
            lane.received(all[i][0], ALICE);
            lane.sent(all[i][0], BOB);
        }
        long perCall = (allocated() - before) / calls;
        assertThat(perCall).as("bytes a call").isBetween(100L, 300L);
    }

    private void call(byte[][] messagesOfCall) {
        for (int i = 0; i < messagesOfCall.length; i++) {
            boolean isForward = i == 0 || i == 4 || i == 5;
            lane.received(messagesOfCall[i], isForward ? ALICE : BOB);
            lane.sent(messagesOfCall[i], isForward ? BOB : ALICE);
        }
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
