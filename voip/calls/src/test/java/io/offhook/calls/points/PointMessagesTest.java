package io.offhook.calls.points;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PointMessagesTest {
    private static final Endpoint PHONE = Endpoint.of("192.0.2.1", 5060);
    private static final Endpoint SWITCH = Endpoint.of("192.0.2.2", 5060);
    private long frame;

    private void add(PointMessages messages, String startLine, String branch, String cseq, SipListener.Copy copy) {
        byte[] octets = (startLine + "\r\nVia: SIP/2.0/UDP host;branch=" + branch
                        + "\r\nFrom: <sip:a@x>;tag=1\r\nTo: <sip:b@x>\r\nCall-ID: one@x\r\nCSeq: " + cseq + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        SipMessageView view = new SipMessageView();
        view.wrap(octets, 0, octets.length);
        frame++;
        messages.message(
                view,
                new SipPacket(
                        view.callIdHash(),
                        new PacketContext(frame * 1000, frame, PHONE, SWITCH),
                        SipTransport.UDP,
                        -1,
                        MemorySegment.NULL,
                        0,
                        0),
                copy);
    }

    private static List<PointMessage> only(PointMessages messages) {
        assertThat(messages.dialogs()).hasSize(1);
        return messages.dialogs().values().iterator().next();
    }

    @Test
    void retransmissionsCountForTheirMessageAndMirroredCopiesDoNot() {
        PointMessages messages = new PointMessages();
        add(messages, "INVITE sip:b@x SIP/2.0", "z9hG4bK1", "1 INVITE", SipListener.Copy.FIRST);
        add(messages, "INVITE sip:b@x SIP/2.0", "z9hG4bK1", "1 INVITE", SipListener.Copy.MIRRORED);
        add(messages, "INVITE sip:b@x SIP/2.0", "z9hG4bK1", "1 INVITE", SipListener.Copy.RETRANSMISSION);
        assertThat(only(messages)).hasSize(1);
        assertThat(only(messages).getFirst().transmissions).isEqualTo(2);
        assertThat(only(messages).getFirst().atNs).isEqualTo(1000);
        assertThat(only(messages).getFirst().lastNs).isEqualTo(3000);
    }

    @Test
    void aProxyChangesTheBranchAndNotTheDialog() {
        PointMessages messages = new PointMessages();
        add(messages, "INVITE sip:b@x SIP/2.0", "z9hG4bK1", "1 INVITE", SipListener.Copy.FIRST);
        add(messages, "INVITE sip:b@y SIP/2.0", "z9hG4bK2", "1 INVITE", SipListener.Copy.FIRST);
        PointMessage here = only(messages).getFirst();
        PointMessage there = only(messages).getLast();
        assertThat(here.hopKey).isNotEqualTo(there.hopKey);
        assertThat(here.dialogKey).isEqualTo(there.dialogKey);
    }

    @Test
    void whatGoesFromHopToHopIsKnownAsSuch() {
        PointMessages messages = new PointMessages();
        add(messages, "SIP/2.0 100 Trying", "z9hG4bK1", "1 INVITE", SipListener.Copy.FIRST);
        add(messages, "CANCEL sip:b@x SIP/2.0", "z9hG4bK1", "1 CANCEL", SipListener.Copy.FIRST);
        add(messages, "SIP/2.0 180 Ringing", "z9hG4bK1", "1 INVITE", SipListener.Copy.FIRST);
        assertThat(only(messages).stream().map(message -> message.isHopByHop)).containsExactly(true, true, false);
        assertThat(only(messages).stream().map(message -> message.what))
                .containsExactly("100 INVITE", "CANCEL", "180 INVITE");
    }

    @Test
    void messagesBeyondTheLimitAreCounted() {
        PointMessages messages = new PointMessages(2);
        for (int i = 1; i <= 5; i++) {
            add(messages, "OPTIONS sip:b@x SIP/2.0", "z9hG4bK" + i, i + " OPTIONS", SipListener.Copy.FIRST);
        }
        add(messages, "OPTIONS sip:b@x SIP/2.0", "z9hG4bK1", "1 OPTIONS", SipListener.Copy.RETRANSMISSION);
        assertThat(only(messages)).hasSize(2);
        assertThat(messages.leftOut().count()).isEqualTo(3);
        assertThat(messages.leftOut().firstFrame()).isEqualTo(3);
    }
}
