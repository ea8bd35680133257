package io.offhook.proxy.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.line.LineOutput;
import io.offhook.proxy.log.CallTrace.Part;
import io.offhook.proxy.log.CallTrace.Request;
import io.offhook.proxy.log.CallTrace.Way;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CallTraceTest {
    private static final Way IN = new Way(false, SipTransport.UDP, Endpoint.of("192.0.2.1", 5060));
    private static final Way OUT = new Way(true, SipTransport.TCP, Endpoint.of("192.0.2.2", 5080));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final MovableClock clock = new MovableClock();
    private final ProxyLog log = new ProxyLog(LogConfig.of(LogLevel.OFF), LineOutput.of(out), clock);
    private final CallTrace trace = new CallTrace(log, clock);

    private static SipMessageView message(String first, String from, String to, String callId) {
        String text = first + "\r\nFrom: <sip:" + from + "@example.com>;tag=1\r\nTo: <sip:" + to + "\r\nCall-ID: "
                + callId + "\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n";
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        SipMessageView view = new SipMessageView();
        view.wrap(octets, 0, octets.length);
        return view;
    }

    private static SipMessageView invite(String from, String to, String callId) {
        return message("INVITE sip:" + to + "@example.com SIP/2.0", from, to + "@example.com>", callId);
    }

    private static SipMessageView ringing(String from, String to, String callId) {
        return message("SIP/2.0 180 Ringing", from, to + "@example.com>;tag=2", callId);
    }

    private String written() {
        log.start();
        log.close();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void writesAllMessagesOfACallWhoseFirstRequestMatches() {
        trace.start(new Request(Part.CALLER, "alice", 60, 10, 100));
        trace.message(invite("alice", "bob", "one"), IN);
        trace.message(ringing("alice", "bob", "one"), OUT);
        trace.message(invite("carol", "alice", "two"), IN);
        trace.message(ringing("alice", "bob", "three"), OUT); // its first request was never seen
        assertThat(written())
                .contains("trace sip from 192.0.2.1:5060 UDP: INVITE sip:bob@example.com SIP/2.0\n    INVITE sip:bob")
                .contains("trace sip to 192.0.2.2:5080 TCP: SIP/2.0 180 Ringing\n")
                .contains("    Call-ID: one\n")
                .doesNotContain("two")
                .doesNotContain("three");
    }

    @Test
    void matchesCalleeAndCallIdByPatterns() {
        trace.start(new Request(Part.CALLEE, "+4930*", 60, 10, 100));
        trace.message(invite("a", "+493012345", "berlin"), IN);
        trace.message(invite("a", "+498912345", "munich"), IN);
        trace.start(new Request(Part.CALL_ID, "*@HOST?", 60, 10, 100));
        trace.message(ringing("a", "b", "x@host1"), IN);
        trace.message(ringing("a", "b", "x@host12"), IN);
        assertThat(written())
                .contains("berlin")
                .doesNotContain("munich")
                .contains("x@host1\n")
                .doesNotContain("host12");
    }

    @Test
    void endsAfterItsTime() {
        trace.start(new Request(Part.CALLER, "*", 10, 10, 100));
        clock.forward(9_001);
        trace.message(invite("a", "b", "in-time"), IN);
        assertThat(Objects.requireNonNull(trace.progress()).secondsLeft()).isEqualTo(1);
        clock.forward(999);
        trace.message(invite("a", "b", "too-late"), IN);
        assertThat(trace.isOn()).isFalse();
        assertThat(trace.progress()).isNull();
        assertThat(written()).contains("in-time").doesNotContain("too-late");
    }

    @Test
    void writesOnlySoManyCallsAndMessages() {
        trace.start(new Request(Part.CALLER, "*", 10, 2, 3));
        trace.message(invite("a", "b", "one"), IN);
        trace.message(invite("a", "b", "two"), IN);
        trace.message(invite("a", "b", "beyond-calls"), IN);
        assertThat(trace.progress())
                .extracting(CallTrace.Progress::calls, CallTrace.Progress::messages)
                .containsExactly(2, 2);
        trace.message(ringing("a", "b", "one"), OUT);
        assertThat(trace.isOn()).isFalse();
        trace.message(ringing("a", "b", "two"), OUT);
        assertThat(written()).containsOnlyOnce("180 Ringing\n    SIP").doesNotContain("beyond-calls");
    }

    @Test
    void canBeStopped() {
        assertThat(trace.stop()).isFalse();
        trace.start(new Request(Part.CALLER, "*", 10, 2, 3));
        assertThat(trace.stop()).isTrue();
        trace.message(invite("a", "b", "one"), IN);
        assertThat(written()).isEmpty();
    }

    @Test
    void refusesLimitsOutOfRange() {
        assertThatThrownBy(() -> new Request(Part.CALLER, "", 10, 2, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Request(Part.CALLER, "*", 0, 2, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Request(Part.CALLER, "*", 10, 0, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Request(Part.CALLER, "*", 10, 2, 0)).isInstanceOf(IllegalArgumentException.class);
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
