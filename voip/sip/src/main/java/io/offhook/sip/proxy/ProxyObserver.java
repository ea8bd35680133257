package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;

/**
 * Is notified of what a core does, for statistics and call records. Called on the core's thread; messages, hops and contexts
 * are valid during the call only. By default nothing is done.
 */
public interface ProxyObserver {
    /** An observer that does nothing. */
    ProxyObserver NONE = new ProxyObserver() {};

    /** A request was sent to a place of one of its targets; {@code request} is as it was received. */
    default void requestForwarded(ResponseContext context, SipMessageView request, SipHop to, long nowNs) {}

    /**
     * A place that a request was sent to gives its first provisional response beyond 100, or its final one, whether or not
     * that goes back.
     *
     * @param method the method of the request
     * @param from where the request had been sent
     * @param sentNs when it had been sent there
     */
    default void targetResponded(SipMethod method, int status, SipHop from, long sentNs, long nowNs) {}

    /**
     * A response goes back to the sender of the request.
     *
     * @param response the response as it was received
     * @param from where the request had been sent
     * @param sentNs when it had been sent there
     */
    default void responseForwarded(
            ResponseContext context, SipMessageView response, SipHop from, long sentNs, long nowNs) {}

    /** A request gets a response of our own. */
    default void responseGiven(ResponseContext context, int status, long nowNs) {}

    /**
     * An INVITE outside a dialog gets its first 2xx.
     *
     * @param response the 2xx as it was received
     * @param from who answered
     */
    default void callAnswered(ResponseContext context, SipMessageView response, SipHop from, long nowNs) {}

    /** An INVITE outside a dialog gets a final response of 300 to 699. */
    default void callFailed(ResponseContext context, int status, long nowNs) {}

    /** A BYE gets its final response; status 408 if it will get none. */
    default void callEnded(ResponseContext context, int status, long nowNs) {}
}
