package io.offhook.store;

import io.offhook.calls.event.SipPacket;
import io.offhook.sip.SipMessageView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Copies the message out of a datagram, behind which there may be other bytes. */
final class PacketText {
    private static final ThreadLocal<SipMessageView> VIEW = ThreadLocal.withInitial(SipMessageView::new);

    private PacketText() {}

    static byte[] of(SipPacket packet) {
        byte[] octets = new byte[packet.length()];
        MemorySegment.copy(packet.segment(), ValueLayout.JAVA_BYTE, packet.offset(), octets, 0, octets.length);
        SipMessageView view = VIEW.get();
        view.wrap(octets, 0, octets.length);
        int from = view.offset();
        return from == 0 && view.length() == octets.length
                ? octets
                : Arrays.copyOfRange(octets, from, from + view.length());
    }
}
