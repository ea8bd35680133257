package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.event.SipPacket;
import io.offhook.calls.join.JoinHeaders;
import io.offhook.calls.join.JoinOptions;
import io.offhook.calls.sdp.MediaLines;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SessionDescription;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MediaBindingsTest {
    private static final Endpoint PHONE = Addresses.v4("10.1.0.1:4000");
    private static final MediaLines LINES = MediaLines.of(SessionDescription.parse(Sdp.audio("10.1.0.1", 4000)));

    private final MediaBindings bindings = new MediaBindings();
    private long frame;

    /** A call that begins at a second and ends with a BYE at another one; -1 for none. */
    private static Call call(String id, long from, long bye) {
        CallTable table = new CallTable(new JoinHeaders(JoinOptions.DEFAULT), null, 1 << 15, 1 << 14);
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
        MediaBinding binding = new MediaBinding(call, Side.CALLER, PHONE, LINES, 0, null, second(fromSecond), ++frame);
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
        assertThat(binding.call().overlapNs(second(12), second(40))).isEqualTo(3 * Scene.SECOND);
        assertThat(binding.call().overlapNs(second(16), second(40))).isEqualTo(-1);
        assertThat(binding.call().overlapNs(second(-30), second(-9))).isEqualTo(Scene.SECOND);
    }

    @Test
    void passesOverACallThatHasEndedForOneThatGoesOn() {
        MediaBinding lasting = add(call("a", 0, -1), 0);
        add(call("b", 5, 10), 5);
        assertThat(bindings.find(PHONE, second(60))).isSameAs(lasting);
    }

    @Test
    void findsTheCallOfATimeAmongThousandsOnOnePort() {
        ArrayList<MediaBinding> added = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            added.add(add(call("call " + i, 20L * i, 20L * i + 5), 20L * i));
        }
        for (int i = 0; i < 3000; i++) {
            assertThat(bindings.find(PHONE, second(20L * i + 2))).isSameAs(added.get(i));
        }
        assertThat(bindings.at(PHONE)).hasSize(3000);
        assertThat(bindings.near(PHONE, second(20_002)))
                .isEqualTo(added.subList(1001 - MediaBindings.NEAREST, 1001 + MediaBindings.NEAREST));
        assertThat(bindings.near(PHONE, second(-1))).isEqualTo(added.subList(0, MediaBindings.NEAREST));
        assertThat(bindings.dropped().count()).isZero();
    }

    @Test
    void keepsThemInTheOrderOfTheirTimes() {
        MediaBinding second = add(call("b", 20, -1), 20);
        MediaBinding first = add(call("a", 0, -1), 0);
        MediaBinding third = add(call("c", 20, -1), 20);
        assertThat(bindings.at(PHONE)).containsExactly(first, second, third);
    }

    @Test
    void countsWhatIsBeyondTheLimitAndReportsTheCall() {
        MediaBindings few = new MediaBindings(2);
        Call call = call("a", 0, -1);
        for (int i = 0; i < 3; i++) {
            few.add(new MediaBinding(call, Side.CALLER, PHONE, LINES, 0, null, second(i), ++frame));
        }
        assertThat(few.at(PHONE)).hasSize(2);
        assertThat(few.dropped().count()).isEqualTo(1);
        assertThat(few.version(frame + 1)).isEqualTo(2);
        assertThat(call.media().droppedBindings()).isEqualTo(1);
    }

    @Test
    void forgetsTheCallsThatAreGone() {
        Scene scene = new Scene();
        Endpoint peer = Addresses.v4("10.1.0.9:5060");
        for (String id : new String[] {"a", "b", "c"}) {
            new Dialog(scene, id, PHONE.withPort(5060), peer)
                    .answered(Sdp.audio("10.1.0.1", 4000), Sdp.audio("10.1.0.2", 5000));
        }
        MediaBindings known = scene.assembly().bindings();
        Call gone = scene.assembly().callTables().getFirst().calls().get(1);
        assertThat(known.size()).isEqualTo(6);
        known.giveUp(gone);
        known.forgetRemoved();
        assertThat(known.size()).isEqualTo(4);
        assertThat(known.at(PHONE))
                .extracting(binding -> binding.call().callId())
                .containsExactly("a", "c");
        scene.assembly().callTables().getFirst().calls().forEach(call -> {
            if (call != gone) {
                known.giveUp(call);
            }
        });
        known.forgetRemoved();
        assertThat(known.at(PHONE)).isEmpty();
        assertThat(known.size()).isZero();
    }

    /** As several messages in one TCP segment do. */
    @Test
    void forgetsTheRightCallWhereTwoNameAnEndpointInOneFrame() {
        CallTable table = new CallTable(new JoinHeaders(JoinOptions.DEFAULT), null, 1 << 15, 1 << 14);
        Endpoint peer = Addresses.v4("10.1.0.2:5060");
        for (String id : List.of("a", "b")) {
            String body = Sdp.audio("10.1.0.1", 4000);
            String text = "INVITE sip:b@b.test SIP/2.0\r\nFrom: <sip:a@a.test>;tag=1\r\nTo: <sip:b@b.test>\r\nCall-ID: "
                    + id + "\r\nCSeq: 1 INVITE\r\nContent-Type: application/sdp\r\n\r\n" + body;
            table.accept(Scene.packet(text, second(1), 7, PHONE.withPort(5060), peer, 1));
        }
        List<MediaBinding> fresh = new ArrayList<>();
        table.fresh().drain(fresh, new ArrayList<>());
        fresh.forEach(bindings::add);
        assertThat(bindings.size()).isEqualTo(2);
        bindings.giveUp(fresh.getFirst().call());
        bindings.forgetRemoved();
        assertThat(bindings.at(PHONE)).containsExactly(fresh.getLast());
        bindings.giveUp(fresh.getLast().call());
        bindings.forgetRemoved();
        assertThat(bindings.size()).isZero();
    }
}
