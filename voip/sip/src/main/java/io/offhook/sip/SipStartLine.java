package io.offhook.sip;

/** The start line of a message: a request line or a status line (RFC 3261, 7.1 and 7.2). Reused. */
final class SipStartLine {
    // offsets in a status line, whose version is always "SIP/2.0"
    private static final int STATUS_CODE = 8;
    private static final int STATUS_CODE_END = 11;
    private static final int REASON_PHRASE = 12;

    private byte[] text = SipLexer.NONE;
    private int start;
    private int methodEnd;
    private int uriStart;
    private int uriEnd;
    private int end;
    private int statusCode;
    private SipMethod method = SipMethod.OTHER;

    /** Reads the line in place; an empty one is a request of an unknown method. */
    void read(byte[] text, int start, int end) {
        this.text = text;
        this.start = start;
        this.end = end;
        statusCode = -1;
        method = SipMethod.OTHER;
        methodEnd = start;
        while (methodEnd < end && SipLexer.isToken(text[methodEnd])) {
            methodEnd++;
        }
        if (methodEnd < end && text[methodEnd] == '/') {
            statusCode = (int) SipLexer.number(text, start + STATUS_CODE, start + STATUS_CODE_END);
            methodEnd = start;
            uriStart = start;
            uriEnd = start;
            return;
        }
        method = SipMethod.read(text, start, methodEnd);
        uriStart = SipLexer.skipBlanks(text, methodEnd, end);
        int whole = SipRecognizer.uriEnd(text, uriStart, end);
        uriEnd = whole < 0 ? end : whole;
    }

    boolean isRequest() {
        return statusCode < 0;
    }

    SipMethod method() {
        return method;
    }

    String methodText() {
        return SipLexer.text(text, start, methodEnd);
    }

    int statusCode() {
        return statusCode;
    }

    String reasonPhrase() {
        return isRequest() || end - start < REASON_PHRASE
                ? ""
                : SipLexer.text(text, start + REASON_PHRASE, SipLexer.trimEnd(text, start + REASON_PHRASE, end));
    }

    String requestUri() {
        return SipLexer.text(text, uriStart, uriEnd);
    }

    int uriOffset() {
        return uriStart;
    }

    int uriEnd() {
        return uriEnd;
    }

    int methodEnd() {
        return methodEnd;
    }

    /** The line as written. */
    String text() {
        return SipLexer.text(text, start, end);
    }
}
