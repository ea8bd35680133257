package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SessionDescription;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class MediaBindingsTest {
    private static final Endpoint PHONE = Addresses.v4("10.1.0.1:4000");
    private static final SessionDescription SDP = SessionDescription.parse(Sdp.audio("10.1.0.1", 4000));

    private final MediaBindings bindings = new MediaBindings();
    private long frame;

    /** A call that begins at a second and ends with a BYE at another one; -1 for none. */
    private static Call call(String id, long from, long bye) {
        CallTable table = new CallTable(null);
        table.accept(message("INVITE", id, from));
        if (bye >= 0) {
            table.accept(message("BYE", id, bye));
        }
        return table.calls().getFirst();
    }

    private static SipPacket message(String method, String id, long second) {
        String text = method + " sip:b@b.test SIP/2.0\r\nFrom: <sip:a@a.test>;tag=1\r\nTo: <sip:b@b.test>\r\nCall-ID: "
                + id + "\r\nCSeq: 1 " + method + "\r\n\r\n";
        Endpoint peer = Addresses.v4("10.1.0.2:5060");
        return Scene.packet(text, second(second), second + 1, PHONE.withPort(5060), peer, 1);
    }

    private static long second(long second) {
        return Scene.START_NS + second * Scene.SECOND;
    }

    private MediaBinding add(Call call, long fromSecond) {
        MediaBinding binding =
                new MediaBinding(call, Side.CALLER, PHONE, SDP, SDP.media().getFirst(), second(fromSecond), ++frame);
        bindings.add(binding);
        return binding;
    }

    @Test
    void findsTheLastOneBeforeATime() {
        MediaBinding first = add(call("a", 0, -1), 0);
        MediaBinding second = add(call("b", 20, -1), 20);
        assertThat(bindings.find(PHONE, second(5))).isSameAs(first);
        assertThat(bindings.find(PHONE, second(20))).isSameAs(second);
        assertThat(bindings.find(PHONE, second(500))).isSameAs(second);
        assertThat(bindings.find(PHONE.withPort(4002), second(5))).isNull();
    }

    @Test
    void findsTheFirstOneAfterATimeWhereThereIsNoneBefore() {
        MediaBinding first = add(call("a", 10, -1), 11);
        add(call("b", 12, -1), 12);
        assertThat(bindings.find(PHONE, second(5))).isSameAs(first);
        assertThat(bindings.find(PHONE, second(0))).isSameAs(first);
        assertThat(bindings.find(PHONE, second(0) - 1)).isNull();
    }

    @Test
    void holdsUntilFiveSecondsAfterTheCall() {
        MediaBinding binding = add(call("a", 0, 10), 0);
        assertThat(bindings.find(PHONE, second(15))).isSameAs(binding);
        assertThat(bindings.find(PHONE, second(15) + 1)).isNull();
        assertThat(binding.overlapNs(second(12), second(40))).isEqualTo(3 * Scene.SECOND);
        assertThat(binding.overlapNs(second(16), second(40))).isEqualTo(-1);
        assertThat(binding.overlapNs(second(-30), second(-9))).isEqualTo(Scene.SECOND);
    }

    @Test
    void passesOverACallThatHasEndedForOneThatGoesOn() {
        MediaBinding lasting = add(call("a", 0, -1), 0);
        add(call("b", 5, 10), 5);
        assertThat(bindings.find(PHONE, second(60))).isSameAs(lasting);
    }

    @Test
    void keepsTheLast256OfAnEndpointAndCountsTheOthers() {
        Call call = call("a", 0, -1);
        ArrayList<MediaBinding> added = new ArrayList<>();
        for (int i = 0; i < 258; i++) {
            added.add(add(call, i));
        }
        assertThat(bindings.at(PHONE)).isEqualTo(added.subList(2, 258));
        assertThat(bindings.dropped().count()).isEqualTo(2);
        assertThat(bindings.version()).isEqualTo(258);
    }
}
