package io.offhook.proxy.limit;

/** Something that scanners, guessers and floods do more than others. */
public enum BadEvent {
    /** Bytes that are no SIP message. */
    MALFORMED,
    /** A User-Agent of a known scanner. */
    SCANNER,
    /** Credentials that are wrong: answered 401, 407 or 403. */
    WRONG_CREDENTIALS,
    /** A request without credentials, which was challenged. Each phone begins like this; success clears it. */
    CHALLENGED,
    /** A request to a user or domain that does not exist: answered 404. */
    NOT_FOUND,
    /** A request that is not allowed, such as to be relayed to a foreign address: answered 403. */
    FORBIDDEN,
    /** A request beyond a rate of {@link RequestLimits}. */
    TOO_MANY
}
