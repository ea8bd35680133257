package io.offhook.store;

import io.offhook.calls.event.SipListener.Copy;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a SIP message that waits to be written.
 *
 * @param feed where it comes from
 * @param copy null if that is not known
 * @param octets all that was captured of it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CapturedMessage(
        MessageFeed feed,
        long timestampNs,
        long frameNumber,
        Endpoint source,
        Endpoint destination,
        SipTransport transport,
        @Nullable Copy copy,
        byte[] octets) {
    static CapturedMessage of(SipPacket packet, @Nullable Copy copy, MessageFeed feed, byte[] octets) {
        return new CapturedMessage(
                feed,
                packet.timestampNs(),
                packet.frameNumber(),
                packet.source(),
                packet.destination(),
                packet.transport(),
                copy,
                octets);
    }
}
