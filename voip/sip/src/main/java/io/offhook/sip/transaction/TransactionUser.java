package io.offhook.sip.transaction;

import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import org.jspecify.annotations.Nullable;

/**
 * What uses a transaction layer: a proxy core, or a user agent. Called on the layer's thread. Messages are valid during the
 * call.
 */
public interface TransactionUser {
    /**
     * Whether a new request other than ACK and CANCEL is taken; called before anything is kept of it. If not, it is over: the
     * user has answered it without a transaction (RFC 3261, 8.2.7). Its retransmissions are new requests again.
     *
     * @param transaction a hash that retransmissions of the request have in common, and no other request
     */
    default boolean admits(SipMessageView request, SipHop source, long transaction, long nowNs) {
        return true;
    }

    /** A new request other than ACK and CANCEL; the transaction waits for its response. */
    void request(ServerTransaction transaction, SipMessageView request, long nowNs);

    /**
     * A CANCEL, which has a transaction of its own.
     *
     * @param transaction the transaction of the CANCEL, which waits for its response
     * @param invite the transaction to be cancelled; null if there is none
     */
    void cancel(ServerTransaction transaction, @Nullable ServerTransaction invite, SipMessageView request, long nowNs);

    /** An ACK that belongs to no response of 300 to 699: it acknowledges a 2xx, end to end. */
    void ack(SipMessageView ack, SipHop source, long nowNs);

    /** A response to a request of ours: provisional, final, or a further 2xx to an INVITE. */
    void response(ClientTransaction transaction, SipMessageView response, long nowNs);

    /**
     * A response to a request that was forwarded without a transaction, with our Via on top.
     *
     * @param source where it came from
     */
    void statelessResponse(SipMessageView response, SipHop source, long nowNs);

    /** No final response has come in time (timer B or F); {@link #ended(ClientTransaction)} follows. */
    void timedOut(ClientTransaction transaction, long nowNs);

    /** The request could not be delivered; {@link #ended(ClientTransaction)} follows. */
    void failed(ClientTransaction transaction, long nowNs);

    /** The transaction is over and will be used for another request. */
    void ended(ServerTransaction transaction);

    /** The transaction is over and will be used for another request. */
    void ended(ClientTransaction transaction);

    /**
     * What could not be given to a transaction: it is no complete message, lacks a header that every message must have, or a
     * limit was met.
     *
     * @param message what was read of it
     * @param status OK if it is a complete message
     * @param fault what is wrong
     */
    void rejected(SipMessageView message, WrapStatus status, MessageFault fault, SipHop source, long nowNs);
}
