package io.offhook.sip.proxy;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.TransactionLimits;
import io.offhook.sip.transaction.TransactionSettings;
import io.offhook.sip.transaction.TransactionTimers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Whole calls through a core, one after the other, of a test that allocates nothing itself. */
final class RelayedCalls implements ProxyPolicy {
    private static final long MS = 1_000_000;

    private static final IpAddress IPV4 = Objects.requireNonNull(IpAddress.parse("192.0.2.1"));
    private static final IpAddress IPV6 = Objects.requireNonNull(IpAddress.parse("2001:db8::1"));
    private SipHop alice = new SipHop();
    private SipHop bob = new SipHop();
    private byte[] via = new byte[0];
    private final boolean isBehindNat;

    private final SipMessageView view = new SipMessageView();
    private final OctetWriter message = new OctetWriter(4096);
    private final OctetWriter vias = new OctetWriter(4096);
    private final OctetWriter route = new OctetWriter(4096);
    private long nowNs = MS;
    long sent;
    long toBob;
    int retryAfterS;
    long unsigned;
    final ProxyCore core;

    RelayedCalls(TransactionTimers timers, boolean isBehindNat) {
        this.isBehindNat = isBehindNat;
        ProxyIdentity identity = new ProxyIdentity(
                List.of(ProxyListener.of(SipTransport.UDP, IPV4, 5060), ProxyListener.of(SipTransport.UDP, IPV6, 5060)),
                Set.of(IPV4, IPV6),
                Set.of());
        core = new ProxyCore(
                0,
                new ProxySetup(
                        identity,
                        ProxySettings.standard(7),
                        new TransactionSettings(timers, TransactionLimits.DEFAULT, 7)),
                this,
                (uri, atNs, result) -> result.resolved(List.of(), atNs),
                this::output,
                nowNs);
    }

    @Override
    public int retryAfterS(SipMessageView request, boolean isInDialog, long transaction, long atNs) {
        return retryAfterS;
    }

    @Override
    public void decide(ResponseContext context, SipMessageView request, long atNs) {
        unsigned += context.isInDialog() && !context.followsOwnRoute() ? 1 : 0;
        context.relay(atNs);
    }

    @Override
    public boolean needsFlowToken(SipMessageView request, SipHop source) {
        return isBehindNat && source.low() == alice.low();
    }

    /** Keeps the Via lines of the request that Bob got last, and its Record-Route. */
    private boolean output(SipHop to, byte[] octets, int offset, int length) {
        sent++;
        if (to.port() == 5070) {
            toBob++;
            view.wrap(octets, offset, length);
            vias.clear();
            vias.put(
                    octets, view.headersOffset(), view.nameOffset(view.find(SipHeader.FROM, 0)) - view.headersOffset());
            keepRoute(octets);
        }
        return true;
    }

    /** The route set of the caller: what was recorded, in reverse. */
    private void keepRoute(byte[] octets) {
        int first = view.find(SipHeader.RECORD_ROUTE, 0);
        if (first < 0) {
            return;
        }
        route.clear();
        int second = view.find(SipHeader.RECORD_ROUTE, first + 1);
        if (second >= 0) {
            route.put(octets, view.valueOffset(second), view.valueLength(second))
                    .put(',');
        }
        route.put(octets, view.valueOffset(first), view.valueLength(first));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static final byte[] FROM = ascii("\r\nMax-Forwards: 70\r\n");
    private static final byte[] DIALOG = ascii("From: <sip:alice@example.com>;tag=a\r\nTo: <sip:bob@example.com>");
    private static final byte[] TAG = ascii(";tag=b");
    private static final byte[] CALL = ascii("\r\nCall-ID: call-");
    private static final byte[] CSEQ = ascii("\r\nCSeq: 1 ");
    private static final byte[] ROUTE = ascii("\r\nRoute: ");
    private static final byte[] END = ascii("\r\nContent-Length: 0\r\n\r\n");
    static final byte[] INVITE = ascii("INVITE");
    private static final byte[] ACK = ascii("ACK");
    private static final byte[] BYE = ascii("BYE");
    private static final byte[] RINGING = ascii("SIP/2.0 180 Ringing\r\n");
    private static final byte[] OK = ascii("SIP/2.0 200 OK\r\n");
    private static final byte[] BUSY = ascii("SIP/2.0 486 Busy Here\r\n");

    void request(byte[] method, int call, int branch, boolean inDialog) {
        message.clear();
        message.put(method)
                .put(via)
                .putDecimal(call)
                .put('-')
                .putDecimal(branch)
                .put(FROM)
                .put(DIALOG);
        if (inDialog) {
            message.put(TAG);
        }
        message.put(CALL).putDecimal(call).put(CSEQ).put(method);
        if (inDialog) {
            message.put(ROUTE).put(route.octets(), 0, route.length());
        }
        message.put(END);
        core.transactions().receive(message.octets(), 0, message.length(), alice, nowNs);
    }

    private void response(byte[] statusLine, byte[] method, int call) {
        message.clear();
        message.put(statusLine).put(vias.octets(), 0, vias.length()).put(DIALOG).put(TAG);
        message.put(CALL).putDecimal(call).put(CSEQ).put(method).put(END);
        core.transactions().receive(message.octets(), 0, message.length(), bob, nowNs);
    }

    void pass(long ns) {
        nowNs += ns;
        core.transactions().advance(nowNs);
    }

    /** A call with retransmissions on both sides, our own 100, repeated 2xx, its ACK and its BYE; or one that is rejected. */
    void call(int i) {
        request(INVITE, i, 1, false);
        pass(2 * MS);
        request(INVITE, i, 1, false);
        response(RINGING, INVITE, i);
        request(INVITE, i, 1, false);
        if (i % 4 == 0) {
            response(BUSY, INVITE, i);
            response(BUSY, INVITE, i);
            pass(3 * MS);
            request(ACK, i, 1, true);
            return;
        }
        response(OK, INVITE, i);
        response(OK, INVITE, i);
        request(ACK, i, 2, true);
        request(ACK, i, 2, true);
        pass(MS);
        request(BYE, i, 3, true);
        pass(2 * MS);
        request(BYE, i, 3, true);
        response(OK, BYE, i);
        response(OK, BYE, i);
        request(BYE, i, 3, true);
    }

    void between(String from, String to) {
        alice = ProxyScene.hop(from).listener(from.startsWith("[") ? 1 : 0);
        bob = ProxyScene.hop(to).listener(to.startsWith("[") ? 1 : 0);
        String sentBy = isBehindNat ? "[fd00::7]:5060" : from;
        via = ascii(" sip:bob@" + to + " SIP/2.0\r\nVia: SIP/2.0/UDP " + sentBy + ";rport;branch=z9hG4bK-");
    }
}
