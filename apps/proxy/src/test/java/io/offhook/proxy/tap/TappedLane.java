package io.offhook.proxy.tap;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.transaction.MessageFault;
import io.offhook.sip.transaction.TransactionObserver;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** A lane that receives and sends what a test says, at the listener 192.0.2.9:5060. */
public final class TappedLane {
    public static final Endpoint LISTENER = Endpoint.of("192.0.2.9", 5060);
    public static final SipHop ALICE = hop(SipTransport.UDP, "192.0.2.1", 5060);
    public static final SipHop BOB = hop(SipTransport.TCP, "2001:db8::2", 5080);

    private final SipMessageView view = new SipMessageView();
    private final CallKeys keys = new CallKeys(new Random(1));
    private final MessageTap tap;

    public TappedLane(MessageWatcher watcher, InstantSource clock) {
        tap = new MessageTap(TransactionObserver.NONE, List.of(watcher), List.of(LISTENER), keys, clock);
    }

    public static SipHop hop(SipTransport transport, String address, int port) {
        IpAddress ip = Objects.requireNonNull(IpAddress.parse(address));
        return new SipHop().set(transport, 0, ip.high(), ip.low(), port);
    }

    /** A message between alice and bob, without a tag in To. */
    public static byte[] message(String firstLine, String callId, String cseqMethod) {
        return message(firstLine, "alice", "bob", callId, cseqMethod);
    }

    public static byte[] message(String firstLine, String from, String to, String callId, String cseqMethod) {
        return (firstLine + "\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1\r\nFrom: <sip:" + from
                        + "@example.com>;tag=1\r\nTo: <sip:" + to + "@example.com>\r\nCall-ID: " + callId
                        + "\r\nCSeq: 1 " + cseqMethod + "\r\nContent-Length: 0\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The keys of its calls. */
    public CallKeys keys() {
        return keys;
    }

    public void received(byte[] message, SipHop from) {
        received(message, from, false);
    }

    public void received(byte[] message, SipHop from, boolean isAgain) {
        view.wrap(message, 0, message.length);
        tap.received(view, from, isAgain, 0);
    }

    public void sent(byte[] message, SipHop to) {
        sent(message, to, false);
    }

    public void sent(byte[] message, SipHop to, boolean isAgain) {
        view.wrap(message, 0, message.length);
        boolean isRequest = view.isRequest();
        tap.sent(
                message,
                message.length,
                isRequest ? view.method() : view.cseqMethod(),
                isRequest ? 0 : view.statusCode(),
                to,
                isAgain);
    }

    public void rejected(byte[] octets, MessageFault fault, SipHop from) {
        tap.rejected(octets, 0, octets.length, fault, from, 0);
    }
}
