package io.offhook.proxy.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.proxy.line.LineOutput;
import io.offhook.proxy.log.CallTrace.Part;
import io.offhook.proxy.log.CallTrace.Request;
import io.offhook.proxy.tap.TappedLane;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CallTraceTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final MovableClock clock = new MovableClock();
    private final ProxyLog log = new ProxyLog(LogConfig.of(LogLevel.OFF), LineOutput.of(out), clock);
    private final CallTrace trace = new CallTrace(log, clock);
    private final TappedLane lane = new TappedLane(trace, clock);

    private static Request request(Part part, String pattern, int calls, int messages) {
        return new Request(part, pattern, 10, calls, messages, 1_000_000);
    }

    private void invite(String from, String to, String callId) {
        lane.received(
                TappedLane.message("INVITE sip:" + to + "@example.com SIP/2.0", from, to, callId, "INVITE"),
                TappedLane.ALICE);
    }

    private void ringing(String callId) {
        lane.sent(TappedLane.message("SIP/2.0 180 Ringing", callId, "INVITE"), TappedLane.BOB);
    }

    private String written() {
        log.start();
        log.close();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void writesAllMessagesOfACallWhoseFirstRequestMatches() {
        trace.start(request(Part.CALLER, "alice", 10, 100));
        invite("alice", "bob", "one");
        ringing("one");
        invite("carol", "alice", "two");
        ringing("three"); // its first request was never seen
        assertThat(written())
                .contains("trace sip received 192.0.2.1:5060 > 192.0.2.9:5060 UDP: INVITE sip:bob@example.com SIP/2.0\n"
                        + "    INVITE sip:bob")
                .contains("trace sip sent 192.0.2.9:5060 > [2001:db8::2]:5080 TCP: SIP/2.0 180 Ringing\n")
                .contains("    Call-ID: one\n")
                .doesNotContain("two")
                .doesNotContain("three");
    }

    @Test
    void escapesWhatTheNetworkSends() {
        trace.start(request(Part.CALLER, "*", 10, 100));
        invite("alice\u001b[2J", "bob", "one");
        assertThat(written()).doesNotContain("\u001b").contains("INVITE sip:bob");
    }

    @Test
    void matchesCalleeAndCallIdByPatterns() {
        trace.start(request(Part.CALLEE, "+4930*", 10, 100));
        invite("a", "+493012345", "berlin");
        invite("a", "+498912345", "munich");
        trace.start(request(Part.CALL_ID, "*@HOST?", 10, 100));
        ringing("x@host1");
        ringing("x@host12");
        assertThat(written())
                .contains("berlin")
                .doesNotContain("munich")
                .contains("x@host1\n")
                .doesNotContain("host12");
    }

    @Test
    void endsAfterItsTime() {
        trace.start(request(Part.CALLER, "*", 10, 100));
        clock.forward(9_001);
        invite("a", "b", "in-time");
        assertThat(Objects.requireNonNull(trace.progress()).secondsLeft()).isEqualTo(1);
        clock.forward(999);
        invite("a", "b", "too-late");
        assertThat(trace.isOn()).isFalse();
        assertThat(trace.progress()).isNull();
        assertThat(written()).contains("in-time", "the trace of caller=* ended").doesNotContain("too-late");
    }

    @Test
    void endsAfterItsTimeAlsoIfNoMessageComes() {
        trace.start(request(Part.CALLER, "*", 10, 100));
        clock.forward(10_000);
        assertThat(trace.progress()).isNull();
        assertThat(trace.isOn()).isFalse();
        assertThat(written()).containsOnlyOnce("ended");
    }

    @Test
    void writesOnlySoManyCallsAndMessages() {
        trace.start(request(Part.CALLER, "*", 2, 3));
        invite("a", "b", "one");
        invite("a", "b", "two");
        invite("a", "b", "beyond-calls");
        assertThat(trace.progress())
                .extracting(CallTrace.Progress::calls, CallTrace.Progress::messages)
                .containsExactly(2, 2);
        ringing("one");
        assertThat(trace.isOn()).isFalse();
        ringing("two");
        assertThat(written()).containsOnlyOnce("180 Ringing\n    SIP").doesNotContain("beyond-calls");
    }

    @Test
    void writesOnlySoManyBytes() {
        trace.start(new Request(Part.CALLER, "*", 10, 10, 100, 300));
        invite("a", "b", "one");
        assertThat(Objects.requireNonNull(trace.progress()).bytes()).isBetween(100L, 299L);
        invite("a", "b", "two");
        assertThat(trace.isOn()).isFalse();
        invite("a", "b", "three");
        assertThat(written()).contains("Call-ID: two\n").doesNotContain("three");
    }

    @Test
    void canBeStopped() {
        assertThat(trace.stop()).isFalse();
        trace.start(request(Part.CALLER, "*", 2, 3));
        assertThat(trace.stop()).isTrue();
        invite("a", "b", "one");
        assertThat(written()).isEmpty();
    }

    @Test
    void refusesLimitsOutOfRange() {
        assertRefused("", 10, 2, 3, 4);
        assertRefused("*", 0, 2, 3, 4);
        assertRefused("*", 10, 0, 3, 4);
        assertRefused("*", 10, 2, 0, 4);
        assertRefused("*", 10, 2, 3, 0);
        assertRefused("*", 10, 2, 3, CallTrace.MOST_BYTES + 1L);
    }

    private static void assertRefused(String pattern, long seconds, int calls, int messages, long bytes) {
        assertThatThrownBy(() -> new Request(Part.CALLER, pattern, seconds, calls, messages, bytes))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void patternsMatchAsTheyAreWritten() {
        assertThat(new WildcardPattern("a*c").matches("ABBC")).isTrue();
        assertThat(new WildcardPattern("a*c").matches("abcd")).isFalse();
        assertThat(new WildcardPattern("*").matches("")).isTrue();
        assertThat(new WildcardPattern("").matches("a")).isFalse();
        assertThat(new WildcardPattern("a?c*").matches("abc")).isTrue();
        assertThat(new WildcardPattern("a?c").matches("ac")).isFalse();
        assertThat(new WildcardPattern("*a*a*a*b").matches("a".repeat(2000))).isFalse();
    }
}
