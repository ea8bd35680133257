package io.offhook.sip.transaction;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipViaView;
import java.nio.charset.StandardCharsets;

/**
 * The key of a server transaction (RFC 3261, 17.2.3): branch and sent-by of the topmost Via and the method, that of INVITE
 * for its ACK; for a branch without the magic cookie, what RFC 2543 compares instead. To's tag is left out of the latter,
 * because an ACK has that of the response.
 */
final class TransactionKey {
    private static final byte[] COOKIE = "z9hG4bK".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] INVITE = "INVITE".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BRANCH = "branch".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAG = "tag".getBytes(StandardCharsets.US_ASCII);
    private static final int OLD = 1;
    private static final int NEW = 2;

    private final KeyedHash hash;
    private final SipAddressView from = new SipAddressView();

    TransactionKey(KeyedHash hash) {
        this.hash = hash;
    }

    /** Computes the key of a request; {@code asInvite} for that of the INVITE that an ACK or CANCEL belongs to. */
    void compute(SipMessageView request, SipViaView via, boolean asInvite) {
        byte[] octets = request.octets();
        hash.begin();
        if (hasCookie(via, octets)) {
            hash.add(NEW).add(octets, via.valueOffset(), via.valueLength());
            hash.add('\n').addLowerCase(octets, via.hostOffset(), via.sentByEnd() - via.hostOffset());
        } else {
            hash.add(OLD).add(octets, request.requestUriOffset(), request.requestUriLength());
            hash.add('\n').add(octets, via.offset(), via.length()).add('\n');
            if (request.address(SipHeader.FROM, from) && from.find(TAG)) {
                hash.add(octets, from.valueOffset(), from.valueLength());
            }
            hash.add('\n');
            int callId = request.find(SipHeader.CALL_ID, 0);
            if (callId >= 0) {
                hash.add(octets, request.valueOffset(callId), request.valueLength(callId));
            }
            hash.add('\n').add(request.cseqNumber());
        }
        hash.add('\n');
        if (asInvite) {
            hash.add(INVITE, 0, INVITE.length);
        } else {
            hash.add(octets, request.offset(), request.methodLength());
        }
        hash.end();
    }

    long high() {
        return hash.high();
    }

    long low() {
        return hash.low();
    }

    /** Whether the branch begins with the magic cookie; case matters in practice, not in the RFC. */
    private static boolean hasCookie(SipViaView via, byte[] octets) {
        if (!via.find(BRANCH) || via.valueLength() <= COOKIE.length) {
            return false;
        }
        int at = via.valueOffset();
        for (int i = 0; i < COOKIE.length; i++) {
            if ((octets[at + i] | 0x20) != (COOKIE[i] | 0x20)) {
                return false;
            }
        }
        return true;
    }
}
