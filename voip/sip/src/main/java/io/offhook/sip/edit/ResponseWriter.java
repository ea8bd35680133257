package io.offhook.sip.edit;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipViaView;
import java.nio.charset.StandardCharsets;

/**
 * Writes the response of a server to a request (RFC 3261, 8.2.6): Via, From, To, Call-ID and CSeq are copied as they came,
 * {@code received} and {@code rport} are added to the topmost Via, and a tag to To. Reused and single-threaded; it
 * allocates nothing for a reason phrase given as bytes.
 */
public final class ResponseWriter {
    private static final byte[] VERSION = ascii("SIP/2.0 ");
    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] TAG = ascii("tag");
    private static final byte[] TAG_PARAMETER = ascii(";tag=");
    private static final byte[] NO_BODY = ascii("Content-Length: 0\r\n\r\n");
    private static final int TRYING = 100;
    private static final int TAG_DIGITS = 16;

    private final SipViaView via = new SipViaView();
    private final SipAddressView to = new SipAddressView();
    private final ReceivedVia received = new ReceivedVia();

    /** Creates a writer. */
    public ResponseWriter() {}

    /**
     * Writes all but the end of a response without a body; the caller may append headers before {@link #end}.
     *
     * @param request the request
     * @param source where it came from
     * @param status 100 to 699
     * @param reason the reason phrase
     * @param toTag the tag of To if the request has none: 16 hexadecimal digits are made of it; a 100 gets none
     * @param out receives the response
     */
    public void begin(SipMessageView request, SipHop source, int status, byte[] reason, long toTag, OctetWriter out) {
        byte[] octets = request.octets();
        out.put(VERSION).putDecimal(status).put(' ').put(reason).put(LINE_END);
        boolean hasVia = request.topVia(via);
        for (int i = 0; i < request.headerCount(); i++) {
            SipHeader header = request.header(i);
            if (header == SipHeader.VIA) {
                // a line without a value may come before
                putVia(request, i, hasVia && isIn(request, i, via.offset()), source, out);
            } else if (header == SipHeader.TO) {
                putLine(request, i, out);
                if (status > TRYING && !hasTag(request, i, octets)) {
                    out.put(TAG_PARAMETER).putHex(toTag, TAG_DIGITS);
                }
                out.put(LINE_END);
            } else if (header == SipHeader.FROM
                    || header == SipHeader.CALL_ID
                    || header == SipHeader.CSEQ
                    || header == SipHeader.TIMESTAMP && status == TRYING) {
                putLine(request, i, out);
                out.put(LINE_END);
            }
        }
    }

    /** Ends the headers of a response without body. */
    public void end(OctetWriter out) {
        out.put(NO_BODY);
    }

    private void putVia(SipMessageView request, int line, boolean isTop, SipHop source, OctetWriter out) {
        byte[] octets = request.octets();
        if (!isTop) {
            putLine(request, line, out);
        } else {
            int end = request.valueOffset(line) + request.valueLength(line);
            int viaEnd = via.offset() + via.length();
            out.put(octets, request.nameOffset(line), via.offset() - request.nameOffset(line));
            received.write(via, octets, source, out);
            out.put(octets, viaEnd, end - viaEnd);
        }
        out.put(LINE_END);
    }

    private static boolean isIn(SipMessageView request, int line, int offset) {
        int from = request.valueOffset(line);
        return offset >= from && offset < from + request.valueLength(line);
    }

    private boolean hasTag(SipMessageView request, int line, byte[] octets) {
        to.wrap(octets, request.valueOffset(line), request.valueLength(line));
        return to.find(TAG) && to.valueLength() > 0;
    }

    private static void putLine(SipMessageView request, int line, OctetWriter out) {
        int from = request.nameOffset(line);
        out.put(request.octets(), from, request.valueOffset(line) + request.valueLength(line) - from);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
