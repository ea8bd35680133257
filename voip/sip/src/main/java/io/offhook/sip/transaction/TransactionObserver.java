package io.offhook.sip.transaction;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;

/**
 * Is notified of each message that a layer takes and gives, and of each transaction, for statistics and traces. Called on the layer's thread; messages
 * and hops are valid during the call only. By default nothing is done.
 */
public interface TransactionObserver {
    /** An observer that does nothing. */
    TransactionObserver NONE = new TransactionObserver() {};

    /**
     * A message was received, which is complete and has the headers that it needs.
     *
     * @param isAgain whether its transaction had it before: it is a retransmission
     */
    default void received(SipMessageView message, SipHop from, boolean isAgain, long nowNs) {}

    /**
     * Something was received that no transaction gets: no SIP, or a message with a fault. A request may still be answered.
     *
     * @param octets the array with it, from {@code offset}
     */
    default void rejected(byte[] octets, int offset, int length, MessageFault fault, SipHop from, long nowNs) {}

    /**
     * A message was given to the output, which took it.
     *
     * @param octets the array with the message, from its beginning
     * @param method the method of the request, or of that which a response answers
     * @param status of a response; 0 for a request
     * @param isAgain whether it was sent before: it is a retransmission
     */
    default void sent(byte[] octets, int length, SipMethod method, int status, SipHop to, boolean isAgain) {}

    /** A transaction began. */
    default void began(boolean isServer, boolean isInvite) {}

    /**
     * A transaction is over.
     *
     * @param isExpired whether the other side was silent: timers B, F and H
     */
    default void ended(boolean isServer, boolean isInvite, boolean isExpired) {}
}
