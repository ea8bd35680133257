package io.offhook.proxy.control;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipTransport;

/**
 * A message of a call.
 *
 * @param epochUs when it came or went, microseconds since 1970
 * @param isSent whether the proxy sent it
 * @param transport what carried it
 * @param local the proxy's end
 * @param remote the other end
 * @param content what it is
 */
public record LiveMessage(
        long epochUs, boolean isSent, SipTransport transport, Endpoint local, Endpoint remote, Content content) {
    /**
     * What a message is.
     *
     * @param method of the request, or of that which a response answers
     * @param status of a response; 0 for a request
     * @param isRepeated whether it went the same way before: a retransmission
     */
    public record Content(SipMethod method, int status, boolean isRepeated) {}

    /** Where it came from. */
    public Endpoint from() {
        return isSent ? local : remote;
    }

    /** Where it went. */
    public Endpoint to() {
        return isSent ? remote : local;
    }
}
