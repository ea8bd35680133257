package io.offhook.sip.transaction;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipViaView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.OctetPool.Octets;
import java.nio.charset.StandardCharsets;

/** Writes the ACK and the CANCEL of an INVITE that we sent (RFC 3261, 17.1.1.3 and 9.1). Reused. */
final class DerivedRequests {
    private static final byte[] ACK = ascii("ACK");
    private static final byte[] CANCEL = ascii("CANCEL");
    private static final byte[] VERSION = ascii(" SIP/2.0\r\nVia: ");
    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] CSEQ = ascii("CSeq: ");
    private static final byte[] REASON = ascii("Reason: ");
    private static final byte[] REST = ascii("Max-Forwards: 70\r\nContent-Length: 0\r\n\r\n");
    private static final int LIMIT = 65_535;

    private final SipMessageView request = new SipMessageView();
    private final SipViaView via = new SipViaView();
    private final OctetWriter out = new OctetWriter(LIMIT);

    /** The ACK to a final response other than 2xx; valid until the next call. */
    OctetWriter ack(Octets invite, SipMessageView response) {
        begin(invite, ACK);
        int to = response.find(SipHeader.TO, 0);
        if (to >= 0) {
            putLine(response, to);
        } else {
            putLines(SipHeader.TO);
        }
        return end(ACK);
    }

    /** The CANCEL, with a Reason unless it is empty; valid until the next call. */
    OctetWriter cancel(Octets invite, byte[] reason) {
        begin(invite, CANCEL);
        putLines(SipHeader.TO);
        if (reason.length > 0) {
            out.put(REASON).put(reason).put(LINE_END);
        }
        return end(CANCEL);
    }

    private void begin(Octets invite, byte[] method) {
        request.wrap(invite.octets, 0, invite.length);
        out.clear();
        out.put(method).put(' ').put(invite.octets, request.requestUriOffset(), request.requestUriLength());
        out.put(VERSION);
        request.topVia(via);
        out.put(invite.octets, via.offset(), via.length()).put(LINE_END);
        putLines(SipHeader.ROUTE);
        putLines(SipHeader.FROM);
        putLines(SipHeader.CALL_ID);
    }

    private OctetWriter end(byte[] method) {
        out.put(CSEQ)
                .putDecimal(Math.max(request.cseqNumber(), 0))
                .put(' ')
                .put(method)
                .put(LINE_END)
                .put(REST);
        return out;
    }

    private void putLines(SipHeader header) {
        for (int i = request.find(header, 0); i >= 0; i = request.find(header, i + 1)) {
            putLine(request, i);
        }
    }

    private void putLine(SipMessageView message, int line) {
        int from = message.nameOffset(line);
        out.put(message.octets(), from, message.valueOffset(line) + message.valueLength(line) - from)
                .put(LINE_END);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
