package io.offhook.proxy.mirror;

import io.offhook.hep.HepFeed;
import io.offhook.hep.HepPacket;
import io.offhook.hep.HepPayloadType;
import io.offhook.packet.Endpoint;
import io.offhook.proxy.tap.MessageWatcher;
import io.offhook.proxy.tap.SeenMessage;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipTransport;

/** Copies the messages of one lane into its ring, from which the sender's thread takes them. Never waits, allocates nothing. */
final class MessageMirror implements MessageWatcher {
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SCTP = 132;

    private final HepFeed feed;
    private final HepPacket packet = new HepPacket();

    MessageMirror(HepFeed feed) {
        this.feed = feed;
    }

    @Override
    public void seen(SeenMessage message) {
        SipHop remote = message.remote();
        Endpoint local = message.local();
        if (message.isSent()) {
            packet.source(local.high(), local.low(), local.port());
            packet.destination(remote.high(), remote.low(), remote.port());
        } else {
            packet.source(remote.high(), remote.low(), remote.port());
            packet.destination(local.high(), local.low(), local.port());
        }
        packet.protocol(protocol(remote.transport()))
                .timestampNs(message.epochNs())
                .payload(HepPayloadType.SIP, message.octets(), message.offset(), message.length())
                .correlationId(message.octets(), message.callIdOffset(), message.callIdLength());
        boolean _ = feed.offer(packet); // what is dropped is counted by the feed
    }

    private static int protocol(SipTransport transport) {
        return switch (transport) {
            case UDP -> UDP;
            case SCTP -> SCTP;
            case TCP, TLS, WS, WSS -> TCP;
        };
    }
}
