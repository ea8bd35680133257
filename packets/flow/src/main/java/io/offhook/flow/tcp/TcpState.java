package io.offhook.flow.tcp;

/**
 * The state of a TCP connection as a passive observer sees it: the states of RFC 9293, 3.3.2, of both ends combined.
 * {@link #label()} is the name in JSON and text output.
 */
public enum TcpState {
    /** A SYN was seen, but no answer. */
    SYN_SENT("syn sent"),
    /** Both ends have sent a SYN: as an answer, or at the same time (simultaneous open). */
    SYN_RECEIVED("syn received"),
    /** Both SYN segments were acknowledged. */
    ESTABLISHED("established"),
    /** The connection existed before the capture began, or its SYN was not captured. */
    MID_STREAM("mid-stream"),
    /** One end has sent its FIN. */
    HALF_CLOSED("half closed"),
    /** Both ends have sent a FIN, but not both were acknowledged yet. */
    CLOSING("closing"),
    /** Both FIN segments were acknowledged. */
    CLOSED("closed"),
    /** One end has reset the connection. */
    RESET("reset");

    private final String label;

    TcpState(String label) {
        this.label = label;
    }

    /** The name of the state in JSON and text output. */
    public String label() {
        return label;
    }
}
