package io.offhook.sip.stream;

/** Why a stream cannot be read on. {@link #label()} is the name in JSON and text output. */
public enum SipStreamFault {
    /** What follows a message is no start line of SIP. */
    GARBAGE("garbage", false),
    /** A CR or LF alone in the headers: programs differ on whether it ends a line. */
    BARE_LINE_END("bareLineEnd", false),
    /** Start line and headers exceed {@link SipStreamLimits#headerBytes}. */
    HEADERS_TOO_LONG("headersTooLong", false),
    /** There is no Content-Length, which a stream requires (RFC 3261, 18.3). */
    CONTENT_LENGTH_MISSING("contentLengthMissing", true),
    /** The Content-Length is no number. */
    CONTENT_LENGTH_MALFORMED("contentLengthMalformed", true),
    /** Several Content-Lengths differ. */
    CONTENT_LENGTH_CONTRADICTORY("contentLengthContradictory", true),
    /** The Content-Length exceeds {@link SipStreamLimits#bodyBytes}. */
    BODY_TOO_LONG("bodyTooLong", true);

    private final String label;
    private final boolean hasHeaders;

    SipStreamFault(String label, boolean hasHeaders) {
        this.label = label;
        this.hasHeaders = hasHeaders;
    }

    /** The name of the fault in JSON and text output. */
    public String label() {
        return label;
    }

    /**
     * Whether start line and headers are complete, so that a request can be answered before the connection is closed: with
     * 413 if the body is too long, otherwise with 400.
     */
    public boolean hasHeaders() {
        return hasHeaders;
    }
}
