package io.offhook.sip.stream;

/** What a {@link SipStreamFramer} found at the beginning of the bytes. */
public enum SipStreamUnit {
    /** Nothing that is complete: the same bytes are to be passed again, with more behind them. */
    INCOMPLETE,
    /** A message, start line to end of body. */
    MESSAGE,
    /**
     * A single CRLF between messages: the answer to a keep-alive (RFC 5626, 4.4.1) if one was sent, or the first half of
     * the peer's.
     */
    PONG,
    /** The second CRLF of a keep-alive (RFC 5626, 4.4.1), to be answered with one CRLF. */
    PING,
    /** Where the next message begins cannot be known: {@link SipStreamFramer#fault()}. Nothing follows. */
    FAULT
}
