package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.edit.ResponseWriter;
import io.offhook.sip.transaction.KeyedHash;
import io.offhook.sip.transaction.MessageOutput;
import io.offhook.sip.transaction.ServerTransaction;
import io.offhook.sip.transaction.ViaReply;
import java.nio.charset.StandardCharsets;

/** Responses that the proxy itself gives. Reused. */
final class OwnResponses {
    private static final int LIMIT = 65_535;

    private final KeyedHash tags;
    private final MessageOutput output;
    private final ResponseWriter responses = new ResponseWriter();
    private final OctetWriter out = new OctetWriter(LIMIT);
    private final SipViaView via = new SipViaView();
    private final ViaReply reply = new ViaReply();

    OwnResponses(ProxySettings settings, MessageOutput output) {
        tags = new KeyedHash(settings.secret(), 0x746f_2d74_6167L);
        this.output = output;
    }

    void send(
            ServerTransaction transaction,
            SipMessageView request,
            int status,
            String reason,
            String headers,
            long nowNs) {
        write(request, transaction.source(), status, reason, headers);
        transaction.respond(out, status, nowNs);
    }

    /** Answers without a transaction; to a request without a Via nothing is sent. */
    void sendStateless(SipMessageView request, SipHop source, int status, String reason, String headers) {
        if (request.topVia(via)) {
            reply.compute(via, request.octets(), source);
            write(request, source, status, reason, headers);
            output.send(reply.hop(), out.octets(), 0, out.length());
        }
    }

    /** Writes a response with the same tag whenever the same request comes. */
    OctetWriter write(SipMessageView request, SipHop source, int status, String reason, String headers) {
        request.topVia(via);
        long tag = tags.begin()
                .add(request.octets(), via.offset(), via.length())
                .add(request.callIdHash())
                .end()
                .low();
        out.clear();
        responses.begin(request, source, status, reason.getBytes(StandardCharsets.UTF_8), tag, out);
        out.put(headers);
        responses.end(out);
        return out;
    }
}
