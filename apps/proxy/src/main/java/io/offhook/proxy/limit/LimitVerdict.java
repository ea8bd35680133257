package io.offhook.proxy.limit;

/** What the limits say of a request. */
public enum LimitVerdict {
    /** Within the limits; it has been counted. */
    ALLOWED,
    /** More requests than its rate allows: 503 with Retry-After. */
    REQUEST_RATE,
    /** More new calls than its rate allows: 503 with Retry-After. */
    CALL_RATE,
    /** As many calls as are allowed at a time: 486. */
    CONCURRENT_CALLS
}
