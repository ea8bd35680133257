package io.offhook.sip.proxy;

/** What a core has counted; written by its thread. */
public final class ProxyCounters {
    long requestsForwarded;
    long responsesForwarded;
    long acksForwarded;
    long statelessForwarded;
    long responsesDropped;
    long refused;
    long turnedAway;
    long badRequests;
    long tooLarge;
    long loops;
    long unsignedRoutes;
    long unroutable;
    long undeliverable;
    long challengesAnswered;
    long challengesRefused;
    long held;
    long heldBehind;
    long heldAgain;
    long heldExpired;
    long heldRefused;

    ProxyCounters() {}

    /** Requests sent on, one a branch. */
    public long requestsForwarded() {
        return requestsForwarded;
    }

    /** Responses sent on. */
    public long responsesForwarded() {
        return responsesForwarded;
    }

    /** ACKs to 2xx sent on. */
    public long acksForwarded() {
        return acksForwarded;
    }

    /** CANCELs and their responses sent on without a transaction. */
    public long statelessForwarded() {
        return statelessForwarded;
    }

    /** Responses that are not forwarded: provisional ones after a final one, or to requests other than INVITE. */
    public long responsesDropped() {
        return responsesDropped;
    }

    /** Requests that the checks of RFC 3261, 16.3, refused. */
    public long refused() {
        return refused;
    }

    /** Requests that the policy did not take ({@link ProxyPolicy#retryAfterS}). */
    public long turnedAway() {
        return turnedAway;
    }

    /** Messages that no transaction could take. */
    public long badRequests() {
        return badRequests;
    }

    /** Refusals that were not sent, because they are more than three times as large as their datagrams. */
    public long tooLarge() {
        return tooLarge;
    }

    /** Requests that came back in a loop. */
    public long loops() {
        return loops;
    }

    /** Requests with a tag in To, and ACKs, along a Route of ours without the signature of their dialog. */
    public long unsignedRoutes() {
        return unsignedRoutes;
    }

    /** Requests and ACKs whose next hop was not found. */
    public long unroutable() {
        return unroutable;
    }

    /** Messages that the output did not take. */
    public long undeliverable() {
        return undeliverable;
    }

    /** Challenges of a 401 or 407 that the proxy itself has answered. */
    public long challengesAnswered() {
        return challengesAnswered;
    }

    /** Those that it passed on although it has an account: for another realm, or its credentials were refused. */
    public long challengesRefused() {
        return challengesRefused;
    }

    /** Messages held until their bodies were changed. */
    public long held() {
        return held;
    }

    /** Messages kept behind those. */
    public long heldBehind() {
        return heldBehind;
    }

    /** Messages that came again while they waited, and were absorbed. */
    public long heldAgain() {
        return heldAgain;
    }

    /** Messages held for as long as may be. */
    public long heldExpired() {
        return heldExpired;
    }

    /** Messages that would have had to wait beyond a limit: requests are answered 503, others dropped or passed on. */
    public long heldRefused() {
        return heldRefused;
    }
}
