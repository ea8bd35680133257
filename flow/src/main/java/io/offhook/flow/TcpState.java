package io.offhook.flow;

/**
 * What state a TCP connection is in, as far as a passive observer can tell: the states of RFC 9293, 3.3.2, of both ends
 * taken together. {@link #label()} is what JSON and text output call it.
 */
public enum TcpState {
    /** A SYN was seen, no answer. */
    SYN_SENT("syn sent"),
    /** Both have sent a SYN: as an answer, or at the same time (simultaneous open). */
    SYN_RECEIVED("syn received"),
    /** Both SYN were acknowledged. */
    ESTABLISHED("established"),
    /** It was there already when the capture began, or its SYN was not captured. */
    MID_STREAM("mid-stream"),
    /** One end has sent its FIN. */
    HALF_CLOSED("half closed"),
    /** Both have, and not both were acknowledged so far. */
    CLOSING("closing"),
    /** Both FIN were acknowledged. */
    CLOSED("closed"),
    /** One of the two has reset it. */
    RESET("reset");

    private final String label;

    TcpState(String label) {
        this.label = label;
    }

    /** What JSON and text output call it. */
    public String label() {
        return label;
    }
}
