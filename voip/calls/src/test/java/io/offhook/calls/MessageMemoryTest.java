package io.offhook.calls;

import static io.offhook.calls.event.SipListener.Copy.FIRST;
import static io.offhook.calls.event.SipListener.Copy.MIRRORED;
import static io.offhook.calls.event.SipListener.Copy.RETRANSMISSION;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.invite.MessageMemory;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageMemoryTest {
    private static final int CAPACITY = 128;
    private static final Endpoint A = Addresses.v4("10.1.0.1:5060");
    private static final Endpoint B = Addresses.v4("10.1.0.2:5060");

    private final SipMessageView view = new SipMessageView();
    private final MessageMemory memory = new MessageMemory();

    private SipListener.Copy see(String text, long milliseconds, int identification) {
        return see(text, milliseconds, identification, A, B);
    }

    private SipListener.Copy see(String text, long milliseconds, int identification, Endpoint from, Endpoint to) {
        SipPacket packet = Scene.packet(text, Scene.START_NS + milliseconds * Scene.MS, 1, from, to, identification);
        view.wrap(packet.segment(), packet.offset(), packet.length());
        return memory.see(view, packet);
    }

    @Test
    void tellsAMirroredCopyFromARetransmission() {
        assertThat(see("INVITE", 0, 7)).isEqualTo(FIRST);
        assertThat(see("INVITE", 1, 7)).isEqualTo(MIRRORED);
        assertThat(see("INVITE", 500, 8)).isEqualTo(RETRANSMISSION);
        assertThat(see("INVITE", 600, 8)).isEqualTo(MIRRORED);
        assertThat(see("INVITE", 1500, 9)).isEqualTo(RETRANSMISSION);
    }

    @Test
    void takesTheSameIdentificationMuchLaterForARetransmission() {
        // stacks that set DF may send 0 in every packet (RFC 6864)
        see("INVITE", 0, 0);
        assertThat(see("INVITE", 5, 0)).isEqualTo(MIRRORED);
        assertThat(see("INVITE", 19, 0)).isEqualTo(RETRANSMISSION);
        assertThat(see("INVITE", 500, 0)).isEqualTo(RETRANSMISSION);
    }

    @Test
    void takesAnotherIdentificationForARetransmissionHoweverSoon() {
        see("INVITE", 0, 1);
        assertThat(see("INVITE", 1, 2)).isEqualTo(RETRANSMISSION);
    }

    @Test
    void takesWhatHepCarriedForACopyOfWhatWasCapturedAtTheSameTime() {
        see("INVITE", 0, 1);
        assertThat(see("INVITE", 2, -1)).isEqualTo(MIRRORED);
        assertThat(see("INVITE", 500, -1)).isEqualTo(RETRANSMISSION);
        assertThat(see("INVITE", 502, 2)).isEqualTo(MIRRORED);
    }

    @Test
    void takesTheSameMessageOnAnotherHopForAnotherOne() {
        see("BYE", 0, 1);
        assertThat(see("BYE", 1, 1, B, A)).isEqualTo(FIRST);
        assertThat(see("BYE", 2, 1, B, A)).isEqualTo(MIRRORED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 15, 16, 17})
    void sees(int length) {
        String text = "m".repeat(length);
        assertThat(see(text, 0, 1)).isEqualTo(FIRST);
        // the last byte differs, within a word of eight or behind the last whole one
        assertThat(see("m".repeat(length - 1) + "n", 1, 1)).isEqualTo(FIRST);
        assertThat(see("n" + "m".repeat(length - 1), 1, 1)).isEqualTo(length == 1 ? MIRRORED : FIRST);
        assertThat(see(text, 500, 2)).isEqualTo(RETRANSMISSION);
    }

    @Test
    void remembersTheLast128Messages() {
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(see("message " + i, i, i)).isEqualTo(FIRST);
        }
        // the first one is known still, and being seen takes the place of itself
        assertThat(see("message 0", 1000, 1000)).isEqualTo(RETRANSMISSION);
        assertThat(see("message 1", 1001, 1001)).isEqualTo(RETRANSMISSION);
        assertThat(see("new", 1002, 1002)).isEqualTo(FIRST);
        assertThat(see("message 2", 1003, 1003)).isEqualTo(FIRST);
        assertThat(see("message 4", 1004, 1004)).isEqualTo(RETRANSMISSION);
    }

    @Test
    void reportsMirroredCopiesOnceTheRingHasGoneRound() {
        for (int i = 0; i < CAPACITY - 1; i++) {
            see("message " + i, i, i);
        }
        see("BYE", 200, 200); // in the last place; what follows goes to the first
        assertThat(see("BYE", 700, 700)).isEqualTo(RETRANSMISSION);
        assertThat(see("BYE", 701, 700)).isEqualTo(MIRRORED);
    }
}
