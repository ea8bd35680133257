package io.offhook.sip;

/** What is wrong with a message's Content-Length, and how the body was bounded all the same. */
public enum ContentLengthProblem {
    /** It is right. */
    NONE,
    /** There is none; the body is the rest of the datagram, as RFC 3261, 18.3 has it. Wrong only on a stream. */
    MISSING,
    /** More than there is: the sender's error, or a capture that was cut. The body is what is there. */
    TOO_LONG,
    /** Less than there is, line ends and zeros after it aside. The body ends where it says (RFC 3261, 18.3). */
    TOO_SHORT,
    /** A minus sign. The body is the rest of the datagram. */
    NEGATIVE,
    /** No number. The body is the rest of the datagram. */
    NOT_A_NUMBER,
    /** Several that differ. The first counts. */
    CONTRADICTORY
}
