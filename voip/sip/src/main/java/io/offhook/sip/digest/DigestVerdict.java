package io.offhook.sip.digest;

/**
 * What was found of the credentials of a request.
 *
 * @param finding the finding
 * @param username the user whom the credentials name; "" if there are none for the realm
 */
public record DigestVerdict(Finding finding, String username) {
    /** What can be found. */
    public enum Finding {
        /** The request is the user's. */
        AUTHENTIC,
        /** There are no credentials for the realm. Answer with a challenge. */
        ABSENT,
        /** There are none for the realm, and some cannot be read. Answer 400. */
        MALFORMED,
        /** An algorithm or quality of protection that was not offered. Answer with a challenge. */
        NOT_OFFERED,
        /** There is no such user, or not with a key for the algorithm. Answer with a challenge, as for a wrong password. */
        UNKNOWN_USER,
        /** The response is not that of the user's key. Answer with a challenge. */
        WRONG_RESPONSE,
        /** The URI is another one than that of the request. Answer 400. */
        OTHER_URI,
        /** The response is right, but the nonce has expired or is not known. Answer with a challenge that says so. */
        STALE,
        /** The response is right, but was seen before. Answer with a challenge that says the nonce is stale. */
        REPLAYED
    }

    /** Whether the request is the user's. */
    public boolean isAuthentic() {
        return finding == Finding.AUTHENTIC;
    }

    /** Whether the answer is 400 rather than a challenge. */
    public boolean isBadRequest() {
        return finding == Finding.MALFORMED || finding == Finding.OTHER_URI;
    }

    /** Whether the challenge says that the nonce is stale. */
    public boolean isStale() {
        return finding == Finding.STALE || finding == Finding.REPLAYED;
    }
}
