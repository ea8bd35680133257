package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.join.JoinHeaders;
import io.offhook.calls.join.JoinOptions;
import io.offhook.calls.registration.KeptText;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallTableTest {
    private static final Endpoint CALLER = Addresses.v4("10.1.0.1:5060");
    private static final Endpoint CALLEE = Addresses.v4("10.1.0.2:5060");

    private final List<SipListener.Copy> reported = new ArrayList<>();
    private final CallTable table =
            new CallTable(new JoinHeaders(JoinOptions.DEFAULT), (message, packet, copy) -> reported.add(copy), 3, 2);
    private long frame;

    private void accept(String text) {
        frame++;
        accept(table, text);
    }

    private void accept(CallTable to, String text) {
        to.accept(Scene.packet(text, Scene.START_NS + frame * Scene.SECOND, frame, CALLER, CALLEE, (int) frame));
    }

    private static String request(String method, String callId) {
        return method + " sip:bob@b.test SIP/2.0\r\nFrom: <sip:alice@a.test>;tag=f\r\nTo: <sip:bob@b.test>\r\n"
                + (callId.isEmpty() ? "" : "Call-ID: " + callId + "\r\n") + "CSeq: 1 " + method
                + "\r\nContent-Length: 0\r\n\r\n";
    }

    private List<String> callIds() {
        return table.calls().stream().map(Call::callId).toList();
    }

    @Test
    void letsTheOldestCallGoWhenThereIsNoRoom() {
        for (String id : List.of("a", "b", "c")) {
            accept(request("INVITE", id));
        }
        assertThat(table.evictedCalls().count()).isZero();
        accept(request("INVITE", "d"));
        accept(request("BYE", "e"));
        assertThat(callIds()).containsExactly("c", "d", "e");
        assertThat(table.evictedCalls().count()).isEqualTo(2);
        // where those began that had to go
        assertThat(table.evictedCalls().firstFrame()).isEqualTo(1);
        assertThat(table.evictedCalls().lastFrame()).isEqualTo(2);
        assertThat(table.evictedCalls().lastNs()).isEqualTo(Scene.START_NS + 2 * Scene.SECOND);
        assertThat(table.evictedOthers().count()).isZero();
        assertThat(table.callIds()).isEqualTo(5);
    }

    /** Its session timer ran out while it was looked at, and then it went on to a BYE: it ended first. */
    @Test
    void letsACallGoFirstThatSeemedToBeOverAndThenWas() {
        accept(request("INVITE", "a"));
        accept(response(200, "a").replace("CSeq", "Session-Expires: 1\r\nCSeq"));
        for (String id : List.of("b", "c")) {
            accept(request("INVITE", id));
        }
        Call first = table.calls().getFirst();
        first.conclude(Scene.START_NS + 60 * Scene.SECOND, Call.NEVER, List.of());
        assertThat(first.isOver()).isTrue();
        accept(request("BYE", "a").replace("To: <sip:bob@b.test>", "To: <sip:bob@b.test>;tag=t"));
        accept(request("INVITE", "d"));
        assertThat(callIds()).containsExactly("b", "c", "d");
    }

    private static String response(int status, String callId) {
        return "SIP/2.0 " + status
                + " Text\r\nFrom: <sip:alice@a.test>;tag=f\r\nTo: <sip:bob@b.test>;tag=t\r\nCall-ID: " + callId
                + "\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n";
    }

    @Test
    void letsCallsGoFirstThatAreOver() {
        for (String id : List.of("a", "b", "c")) {
            accept(request("INVITE", id));
        }
        accept(response(486, "c"));
        accept(response(404, "b"));
        accept(request("INVITE", "d"));
        assertThat(callIds()).containsExactly("a", "b", "d");
        accept(request("INVITE", "e"));
        assertThat(callIds()).containsExactly("a", "d", "e");
        assertThat(table.evictedCalls().count()).isEqualTo(2);
        assertThat(table.evictedRunning().count()).isZero();
        // none is over: the one that was silent longest goes
        accept(response(180, "a"));
        accept(request("INVITE", "f"));
        assertThat(callIds()).containsExactly("a", "e", "f");
        assertThat(table.evictedRunning().count()).isEqualTo(1);
    }

    @Test
    void keepsACallThatIsChallengedOrTriedAgain() {
        accept(request("INVITE", "a"));
        accept(response(407, "a"));
        accept(request("INVITE", "b"));
        accept(response(503, "b"));
        accept(request("INVITE", "b").replace("CSeq: 1", "CSeq: 2"));
        accept(request("INVITE", "c"));
        accept(response(486, "c"));
        accept(request("INVITE", "d"));
        assertThat(callIds()).containsExactly("a", "b", "d");
    }

    @Test
    void letsACallGoThatWasSilentForHours() {
        accept(request("INVITE", "a"));
        frame += 4 * 3600;
        accept(request("INVITE", "b"));
        accept(response(486, "b"));
        accept(request("INVITE", "c"));
        accept(request("INVITE", "d"));
        assertThat(callIds()).containsExactly("b", "c", "d");
    }

    @Test
    void countsACallAnewThatComesBackAfterItHadToGo() {
        for (String id : List.of("a", "b", "c", "d", "a")) {
            accept(request("INVITE", id));
        }
        assertThat(callIds()).containsExactly("c", "d", "a");
        assertThat(table.callIds()).isEqualTo(5);
        assertThat(table.calls().getLast().messages()).isEqualTo(1);
    }

    @Test
    void letsCallsAndOtherDialogsNotPushEachOtherOut() {
        accept(request("INVITE", "call"));
        for (int i = 0; i < 5; i++) {
            accept(request("OPTIONS", "ping" + i));
        }
        assertThat(callIds()).containsExactly("call");
        assertThat(table.evictedOthers().count()).isEqualTo(3);
        assertThat(table.evictedCalls().count()).isZero();
        // the last two are known still
        accept(request("OPTIONS", "ping4"));
        assertThat(table.callIds()).isEqualTo(6);
        accept(request("OPTIONS", "ping0"));
        assertThat(table.callIds()).isEqualTo(7);
    }

    @Test
    void takesADialogForACallOnceAMessageOfOneComes() {
        accept(request("OPTIONS", "x"));
        assertThat(table.calls()).isEmpty();
        accept(request("INVITE", "x"));
        assertThat(callIds()).containsExactly("x");
        assertThat(table.calls().getFirst().messages()).isEqualTo(2);
        assertThat(table.calls().getFirst().firstFrame()).isEqualTo(1);
        assertThat(table.callIds()).isEqualTo(1);
        // its place among the others is free again
        accept(request("OPTIONS", "y"));
        accept(request("OPTIONS", "z"));
        assertThat(table.evictedOthers().count()).isZero();
    }

    @Test
    void countsWhatIsNoMessageAndReportsNobody() {
        accept("\u0001\u0002\u0003 no SIP at all");
        accept("");
        assertThat(table.malformed().count()).isEqualTo(2);
        assertThat(table.malformed().lastFrame()).isEqualTo(frame);
        assertThat(table.requests() + table.responses()).isZero();
        assertThat(table.callIds()).isZero();
        assertThat(reported).isEmpty();
    }

    @Test
    void takesAMessageThatWasCapturedShortIntoAccount() {
        String whole = request("INVITE", "short");
        accept(whole.substring(0, whole.indexOf("CSeq")));
        assertThat(table.truncated().count()).isEqualTo(1);
        assertThat(table.malformed().count()).isZero();
        assertThat(table.requests()).isEqualTo(1);
        assertThat(callIds()).containsExactly("short");
    }

    @Test
    void countsMessagesWithoutCallIdAndReportsTheListener() {
        accept(request("INVITE", ""));
        accept("SIP/2.0 200 OK\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n");
        assertThat(table.withoutCallId().count()).isEqualTo(2);
        assertThat(table.requests()).isEqualTo(1);
        assertThat(table.responses()).isEqualTo(1);
        assertThat(table.calls()).isEmpty();
        assertThat(reported).containsExactly(SipListener.Copy.FIRST, SipListener.Copy.FIRST);
    }

    @Test
    void reportsTheListenerWhatIsACopy() {
        accept(request("INVITE", "a"));
        accept(request("INVITE", "a"));
        assertThat(reported).containsExactly(SipListener.Copy.FIRST, SipListener.Copy.RETRANSMISSION);
        assertThat(table.retransmissions().count()).isEqualTo(1);
        assertThat(table.mirrored().count()).isZero();
        assertThat(table.requests()).isEqualTo(2);
    }

    @Test
    void handsOverBindingsOnce() {
        String sdp = Sdp.audio("10.1.0.1", 4000);
        accept("INVITE sip:bob@b.test SIP/2.0\r\nFrom: <sip:alice@a.test>;tag=f\r\nTo: <sip:bob@b.test>\r\n"
                + "Call-ID: a\r\nCSeq: 1 INVITE\r\nContent-Type: application/sdp\r\nContent-Length: " + sdp.length()
                + "\r\n\r\n" + sdp);
        List<MediaBinding> bindings = new ArrayList<>();
        table.fresh().drain(bindings, new ArrayList<>());
        table.fresh().drain(bindings, new ArrayList<>());
        assertThat(bindings)
                .singleElement()
                .satisfies(binding -> assertThat(binding.endpoint()).isEqualTo(Addresses.v4("10.1.0.1:4000")));
    }

    @Test
    void countsHeaderLinesBeyondTheLimit() {
        accept(request("OPTIONS", "a"));
        assertThat(table.headersDropped().count()).isZero();
        accept(request("OPTIONS", "b").replace("\r\n\r\n", "\r\n" + "X-Filler: 1\r\n".repeat(300) + "\r\n"));
        assertThat(table.headersDropped().count()).isBetween(44L, 60L);
    }

    @Test
    void keepsLongTextsShort() {
        String user = "u".repeat(5000);
        accept(request("INVITE", "a").replace("<sip:alice@a.test>", "<sip:" + user + "@a.test>"));
        Call call = table.calls().getFirst();
        assertThat(call.parties().fromUser())
                .hasSize(KeptText.LIMIT)
                .endsWith("\u2026")
                .startsWith("uuu");
        assertThat(call.parties().fromUri()).hasSize(KeptText.LIMIT).startsWith("sip:uuu");
        assertThat(call.parties().toUri()).isEqualTo("sip:bob@b.test");
    }

    @Test
    void keepsFewerCallsOfVeryLongCallIds() {
        CallTable small = new CallTable(new JoinHeaders(JoinOptions.DEFAULT), null, 8, 8);
        for (int i = 0; i < 6; i++) {
            accept(small, request("INVITE", i + "x".repeat(KeptText.LIMIT * 2)));
            accept(small, request("OPTIONS", "o" + i + "x".repeat(KeptText.LIMIT * 2)));
        }
        // eight of 256 characters are not four of 513
        assertThat(small.calls()).hasSize(3);
        assertThat(small.evictedCalls().count()).isEqualTo(3);
        assertThat(small.evictedOthers().count()).isEqualTo(3);
        for (int i = 0; i < 20; i++) {
            accept(small, request("OPTIONS", "again"));
        }
        assertThat(small.evictedOthers().count()).isEqualTo(3);
    }

    @Test
    @SuppressWarnings("NullAway") // what fails is meant to
    void keepsItsLimitsWhereDialogsFail() {
        for (int i = 0; i < 10; i++) {
            SipPacket packet = Scene.packet(request("OPTIONS", "o" + i), i, i + 1, null, CALLEE, 1);
            assertThatThrownBy(() -> table.accept(packet)).isInstanceOf(NullPointerException.class);
        }
        assertThat(table.evictedOthers().count()).isEqualTo(8);
    }
}
