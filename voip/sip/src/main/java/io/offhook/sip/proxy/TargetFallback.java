package io.offhook.sip.proxy;

import org.jspecify.annotations.Nullable;

/** Knows other ways to a target: the members of a group of next hops. Called on the core's thread. */
public interface TargetFallback {
    /**
     * A target has failed, at all of its places.
     *
     * @param status the final response, 300 to 699; of our own conclusion 408 if none came, 503 if it could not be reached
     * @param isLocal whether it is our own conclusion
     * @param retryAfterS the Retry-After of the response in seconds; -1 if there is none
     * @param nowNs the time
     * @return the target to try instead, on the same branch; null if the status is the branch's answer
     */
    @Nullable
    ForkTarget after(int status, boolean isLocal, long retryAfterS, long nowNs);

    /** A target has responded with anything above 100 for which {@link #after} is not asked. */
    default void responded(int status, long nowNs) {}
}
