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
}
