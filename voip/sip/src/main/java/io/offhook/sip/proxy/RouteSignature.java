package io.offhook.sip.proxy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUriView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.KeyedHash;
import java.nio.charset.StandardCharsets;

/**
 * The parameter of our Record-Route by which a request of a dialog proves that we have let its dialog in: {@code
 * sip:192.0.2.1;lr;k=0123456789abcdef}.
 *
 * <p>It is a keyed hash of the Call-ID, and of the flow token before it, so that a token of one dialog is of no use in another.
 * The Call-ID is the only part of a dialog's name that is known when the first request passes, is the same in both directions, on
 * all branches of a fork and on each turn of a spiral, and that no user agent changes. Who takes part in a dialog learns its
 * signature; it may send to any Request-URI within it, as a target refresh allows (RFC 3261, 12.2).
 *
 * <p>Reused and single-threaded.
 */
final class RouteSignature {
    private static final byte[] NAME = "k".getBytes(StandardCharsets.US_ASCII);
    private static final int DIGITS = 16;

    private final KeyedHash hash;

    RouteSignature(RouteKey key) {
        hash = key.hash("route");
    }

    /**
     * Appends the parameter to a URI that is being written.
     *
     * @param user where its user part begins in what was written, with {@code userLength} bytes
     */
    void write(SipMessageView request, int user, int userLength, OctetWriter out) {
        long signature = of(request, out.octets(), user, userLength);
        out.put(';').put(NAME).put('=').putHex(signature, DIGITS);
    }

    /** Whether a URI has the signature that we wrote for the dialog of this request. */
    boolean isValid(SipMessageView request, SipUriView uri) {
        if (!uri.find(NAME) || uri.valueLength() != DIGITS) {
            return false;
        }
        byte[] octets = uri.octets();
        int at = uri.valueOffset();
        if (!FlowToken.isNumber(octets, at, DIGITS)) {
            return false;
        }
        // of two numbers, in the same time wherever they differ
        long difference =
                FlowToken.number(octets, at, DIGITS) ^ of(request, octets, uri.userOffset(), uri.userLength());
        return difference == 0;
    }

    private long of(SipMessageView request, byte[] octets, int user, int userLength) {
        hash.begin().add(octets, user, userLength).add('\n');
        int callId = request.find(SipHeader.CALL_ID, 0);
        if (callId >= 0) {
            hash.add(request.octets(), request.valueOffset(callId), request.valueLength(callId));
        }
        return hash.end().low();
    }
}
