package io.offhook.sip;

/** A fault of a message's Content-Length. Each constant states how the body is bounded nevertheless. */
public enum ContentLengthProblem {
    /** The value is correct. */
    NONE,
    /**
     * There is no Content-Length. The body is the rest of the datagram (RFC 3261, 18.3); this is a fault on a stream
     * only.
     */
    MISSING,
    /**
     * The value exceeds the bytes present: an error of the sender, or a truncated capture. The body is what is present.
     */
    TOO_LONG,
    /**
     * The value is less than the bytes present, not counting trailing line ends and zeros. The body ends where the
     * value says (RFC 3261, 18.3).
     */
    TOO_SHORT,
    /** The value has a minus sign. The body is the rest of the datagram. */
    NEGATIVE,
    /** The value is not a number. The body is the rest of the datagram. */
    NOT_A_NUMBER,
    /** There are several different values. The first one counts. */
    CONTRADICTORY
}
