package io.offhook.sip;

/**
 * One value of Via, in place (RFC 3261, 20.42 and 25.1), with white space wherever the grammar allows it.
 *
 * <pre>
 * via-parm = "SIP" / "2.0" / transport LWS host [ ":" port ] *( ";" name [ "=" value ] )
 * </pre>
 *
 * <p>Reused and single-threaded; valid as long as the bytes are. Absent text is "".
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

    /** A view on nothing. */
    public SipViaView() {}

    /** Puts the view on a value, which must stay as it is. */
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

    /** UDP, TCP, TLS, SCTP, WS, WSS... as written. */
    public String transport() {
        return SipLexer.text(text, transportStart, transportEnd);
    }

    /** Host and port as written: "192.0.2.1:5060". */
    public String sentBy() {
        return SipLexer.unfolded(text, sentByStart, SipLexer.trimEnd(text, sentByStart, sentByEnd));
    }

    /** The branch parameter. */
    public String branch() {
        return findBranch() ? parameters.text(text) : "";
    }

    /** A hash of the branch's bytes, 0 where there is none; stable. */
    public long branchHash() {
        return findBranch() ? OctetHash.of(text, parameters.offset(), parameters.offset() + parameters.length()) : 0;
    }

    /** A parameter's value ("received", "rport"...) without quotes; "" where it is absent or has no value. */
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
