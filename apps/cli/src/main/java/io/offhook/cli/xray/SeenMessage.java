package io.offhook.cli.xray;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;

/**
 * What pairs SIP messages with each other, copied from one that was captured.
 *
 * @param ns when it was captured, nanoseconds since the epoch
 * @param callId Call-ID
 * @param label "INVITE", or "180 Ringing"
 * @param method of a request; of a response, that of its CSeq
 * @param status of a response; -1 of a request
 * @param cseq the number of CSeq
 * @param branch a hash of the branch of the first Via; 0 if there is none
 * @param branchBelow a hash of that of the second Via; 0 if there is none
 * @param isStream whether its transport is a stream
 * @param octets its length
 */
record SeenMessage(
        long ns,
        String callId,
        String label,
        String method,
        int status,
        long cseq,
        long branch,
        long branchBelow,
        Endpoint source,
        Endpoint destination,
        boolean isStream,
        int octets) {

    static SeenMessage of(SipMessageView message, SipPacket packet) {
        boolean isRequest = message.isRequest();
        String method = isRequest ? message.methodText() : message.cseqMethodText();
        return new SeenMessage(
                packet.timestampNs(),
                message.callId(),
                isRequest ? method : (message.statusCode() + " " + message.reasonPhrase()).strip(),
                method,
                isRequest ? -1 : message.statusCode(),
                message.cseqNumber(),
                message.topViaBranchHash(),
                message.secondViaBranchHash(),
                packet.source(),
                packet.destination(),
                packet.transport() != SipTransport.UDP,
                packet.length());
    }

    boolean isRequest() {
        return status < 0;
    }

    private boolean isOfTransaction(SeenMessage other) {
        return cseq == other.cseq && method.equals(other.method);
    }

    /** Whether it is the same message once more. */
    boolean repeats(SeenMessage earlier) {
        return isOfTransaction(earlier)
                && status == earlier.status
                && branch == earlier.branch
                && source.equals(earlier.source);
    }

    /** Whether it is this request, passed on by a proxy, which put its Via on top. */
    boolean isForwardedRequest(SeenMessage request) {
        return isRequest()
                && request.isRequest()
                && isOfTransaction(request)
                && request.branch != 0
                && branchBelow == request.branch;
    }

    /** Whether it was sent because of a message of the same Call-ID. */
    boolean isFor(SeenMessage cause) {
        if (cause.isRequest()) {
            // before RFC 3261 there were no branches
            boolean isAnswer = !isRequest()
                    && isOfTransaction(cause)
                    && (branch == 0 || cause.branch == 0 || branch == cause.branch);
            return isAnswer || isForwardedRequest(cause);
        }
        if (isRequest()) {
            // who has nobody to pass a response on to acknowledges it
            return method.equals("ACK")
                    && cause.method.equals("INVITE")
                    && cause.status >= 200
                    && cause.branchBelow == 0
                    && cseq == cause.cseq;
        }
        return isOfTransaction(cause)
                && status == cause.status
                && cause.branchBelow != 0
                && branch == cause.branchBelow;
    }
}
