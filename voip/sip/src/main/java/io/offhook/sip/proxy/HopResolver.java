package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import java.util.List;

/** Finds where a URI with a host name leads (RFC 3263). Addresses are not asked for. */
@FunctionalInterface
public interface HopResolver {
    /** Receives the result, on the thread of the core, during the call or later. */
    @FunctionalInterface
    interface Result {
        /**
         * Called once.
         *
         * @param hops the places to try one after the other; empty if there are none
         * @param nowNs the time
         */
        void resolved(List<SipHop> hops, long nowNs);
    }

    /**
     * Finds the places of a URI.
     *
     * @param uri a SIP or SIPS URI
     * @param nowNs the time
     * @param result receives them
     */
    void resolve(String uri, long nowNs, Result result);

    /**
     * A place that it had found failed, so that others should come before it for a while (RFC 3263, 4.3).
     *
     * @param place one of those of a {@link Result}
     * @param status 408 if it did not answer, 503 if nothing could be sent there or it said so
     * @param retryAfterS the Retry-After of its response in seconds; 0 if there is none, -1 if no response came
     */
    default void failed(SipHop place, int status, long retryAfterS) {}

    /** A place that it had found answered, other than by 503. */
    default void answered(SipHop place) {}
}
