package io.offhook.sip.proxy;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.edit.ResponseWriter;
import io.offhook.sip.transaction.KeyedHash;
import io.offhook.sip.transaction.ServerTransaction;
import io.offhook.sip.transaction.TransactionLayer;
import io.offhook.sip.transaction.ViaReply;
import java.nio.charset.StandardCharsets;

/** Responses that the proxy itself gives. Reused. */
final class OwnResponses {
    private static final int LIMIT = 65_535;
    private static final int TAG_DIGITS = 16;
    private static final int FIRST_REFUSAL = 300;
    private static final int MOST_FACTOR = 3;
    private static final int UNAVAILABLE = 503;
    private static final byte[] TAG = "tag".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UNAVAILABLE_REASON = "Service Unavailable".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RETRY_AFTER = "Retry-After: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LINE_END = {'\r', '\n'};

    private final KeyedHash tags;
    private final TransactionLayer layer;
    private final ProxyCounters counters;
    private final ResponseWriter responses = new ResponseWriter();
    private final OctetWriter out = new OctetWriter(LIMIT);
    private final SipViaView via = new SipViaView();
    private final SipAddressView to = new SipAddressView();
    private final ViaReply reply = new ViaReply();

    OwnResponses(ProxySettings settings, TransactionLayer layer, ProxyCounters counters) {
        tags = new KeyedHash(settings.secret(), 0x746f_2d74_6167L);
        this.layer = layer;
        this.counters = counters;
    }

    void send(
            ServerTransaction transaction,
            SipMessageView request,
            int status,
            String reason,
            String headers,
            long nowNs) {
        write(request, transaction.source(), status, reason, headers);
        if (isTooLarge(request, transaction.source(), status)) {
            transaction.abandon();
        } else {
            transaction.respondOnce(out, status, nowNs);
        }
    }

    /** Answers without a transaction; to a request without a Via nothing is sent. */
    void sendStateless(SipMessageView request, SipHop source, int status, String reason, String headers) {
        if (request.topVia(via)) {
            reply.compute(via, request.octets(), source);
            write(request, source, status, reason, headers);
            if (!isTooLarge(request, source, status)) {
                layer.sendStateless(reply.hop(), out, request.method(), status);
            }
        }
    }

    /**
     * Whether a refusal would be of use to somebody who has forged the source of a datagram to hit another: it is more than
     * three times as large as the request, the factor that QUIC allows (RFC 9000, 8.1). It is not sent then.
     */
    private boolean isTooLarge(SipMessageView request, SipHop source, int status) {
        boolean isTooLarge = status >= FIRST_REFUSAL
                && !source.transport().isReliable()
                && out.length() > MOST_FACTOR * request.length();
        counters.tooLarge += isTooLarge ? 1 : 0;
        return isTooLarge;
    }

    /** Answers 503 without a transaction, and without allocation: under overload, this is what is done most. */
    void turnAway(SipMessageView request, SipHop source, int retryAfterS) {
        if (request.topVia(via)) {
            reply.compute(via, request.octets(), source);
            out.clear();
            responses.begin(request, source, UNAVAILABLE, UNAVAILABLE_REASON, tag(request), out);
            out.put(RETRY_AFTER).putDecimal(retryAfterS).put(LINE_END);
            responses.end(out);
            layer.sendStateless(reply.hop(), out, request.method(), UNAVAILABLE);
        }
    }

    /** Sends what was written for an earlier request, of whose transaction only the place for responses is left. */
    boolean pass(SipHop to, OctetWriter response, int status) {
        return layer.sendStateless(to, response, SipMethod.INVITE, status);
    }

    /** Whether an ACK answers a response of ours whose transaction is over, or that never had one, so that it ends here. */
    boolean isForOwn(SipMessageView ack) {
        if (!ack.topVia(via) || !ack.address(SipHeader.TO, to) || !to.find(TAG) || to.valueLength() != TAG_DIGITS) {
            return false;
        }
        long expected = tag(ack);
        for (int i = 0; i < TAG_DIGITS; i++) {
            int digit = (int) (expected >>> (TAG_DIGITS - 1 - i) * 4) & 0xf;
            if (ack.octets()[to.valueOffset() + i] != (digit < 10 ? '0' + digit : 'a' + digit - 10)) {
                return false;
            }
        }
        return true;
    }

    private long tag(SipMessageView request) {
        return tags.begin()
                .add(request.octets(), via.offset(), via.length())
                .add(request.callIdHash())
                .end()
                .low();
    }

    /** Writes a response with the same tag whenever the same request comes. */
    OctetWriter write(SipMessageView request, SipHop source, int status, String reason, String headers) {
        request.topVia(via);
        long tag = tag(request);
        out.clear();
        responses.begin(request, source, status, reason.getBytes(StandardCharsets.UTF_8), tag, out);
        out.put(headers);
        responses.end(out);
        return out;
    }
}
