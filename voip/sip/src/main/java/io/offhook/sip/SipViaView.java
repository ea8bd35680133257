package io.offhook.sip;

/**
 * A view of one value of Via (RFC 3261, 20.42 and 25.1), with white space wherever the grammar allows it.
 *
 * <pre>
 * via-parm = "SIP" / "2.0" / transport LWS host [ ":" port ] *( ";" name [ "=" value ] )
 * </pre>
 *
 * <p>Reused and single-threaded; valid while the bytes are unchanged. Absent text is "".
 */
public final class SipViaView {
    private static final byte[] BRANCH = SipLexer.lowerCase("branch");

    private final SipParameters parameters = new SipParameters();
    private byte[] text = SipLexer.NONE;
    private int transportStart;
    private int transportEnd;
    private int sentByStart;
    private int sentByEnd;
    private int end;

    /** Creates a view without a value. */
    public SipViaView() {}

    /**
     * Wraps a value, which must not change while the view is used.
     *
     * @param text the array with the value
     * @param offset the first byte of the value
     * @param length the length of the value, in bytes
     */
    public void wrap(byte[] text, int offset, int length) {
        this.text = text;
        end = offset + length;
        int at = afterSlash(afterSlash(offset));
        transportStart = at;
        while (at < end && SipLexer.isToken(text[at])) {
            at++;
        }
        transportEnd = at;
        sentByStart = SipLexer.skipLws(text, at, end);
        sentByEnd = SipLexer.indexOf(text, sentByStart, end, ';');
    }

    /** The transport as written: UDP, TCP, TLS, SCTP, WS, WSS... */
    public String transport() {
        return SipLexer.text(text, transportStart, transportEnd);
    }

    /** The sent-by value (host and port) as written: "192.0.2.1:5060". */
    public String sentBy() {
        return SipLexer.unfolded(text, sentByStart, SipLexer.trimEnd(text, sentByStart, sentByEnd));
    }

    /** The branch parameter. */
    public String branch() {
        return findBranch() ? parameters.text(text) : "";
    }

    /** A hash of the branch's bytes, the same in every run; 0 if there is no branch. */
    public long branchHash() {
        return findBranch() ? OctetHash.of(text, parameters.offset(), parameters.offset() + parameters.length()) : 0;
    }

    /** The value of a parameter ("received", "rport"...), without quotes; "" if it is absent or has no value. */
    public String parameter(String name) {
        return parameters.find(text, sentByEnd, end, SipLexer.lowerCase(name)) ? parameters.text(text) : "";
    }

    private boolean findBranch() {
        return parameters.find(text, sentByEnd, end, BRANCH) && parameters.length() > 0;
    }

    private int afterSlash(int from) {
        int slash = SipLexer.indexOf(text, from, end, '/');
        return slash == end ? end : SipLexer.skipLws(text, slash + 1, end);
    }
}
