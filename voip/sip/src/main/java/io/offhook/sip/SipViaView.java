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
    private static final int MAX_PORT = 0xffff;

    private final SipParameters parameters = new SipParameters();
    private byte[] text = SipLexer.NONE;
    private int start;
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
        start = offset;
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

    /** The start of the value, an index into the array. */
    public int offset() {
        return start;
    }

    /** The length of the value, in bytes. */
    public int length() {
        return end - start;
    }

    /** The start of the transport, an index into the array. */
    public int transportOffset() {
        return transportStart;
    }

    /** The length of the transport, in bytes. */
    public int transportLength() {
        return transportEnd - transportStart;
    }

    /** The start of the host in sent-by, an index into the array. */
    public int hostOffset() {
        return sentByStart;
    }

    /** The length of the host in bytes; that of an IPv6 address includes the brackets. */
    public int hostLength() {
        return hostEnd() - sentByStart;
    }

    /** The end of sent-by: where the parameters start. */
    public int sentByEnd() {
        return SipLexer.trimEnd(text, sentByStart, sentByEnd);
    }

    /** The port in sent-by, 1 to 65535; -1 if there is none, or it is not a port. */
    public int port() {
        int colon = SipLexer.indexOf(text, hostEnd(), sentByEnd, ':');
        if (colon == sentByEnd) {
            return -1;
        }
        long port = SipLexer.number(text, SipLexer.skipLws(text, colon + 1, sentByEnd), sentByEnd);
        return port < 1 || port > MAX_PORT ? -1 : (int) port;
    }

    private int hostEnd() {
        int from = sentByStart < sentByEnd && text[sentByStart] == '['
                ? SipLexer.indexOf(text, sentByStart, sentByEnd, ']')
                : sentByStart;
        return SipLexer.trimEnd(text, sentByStart, SipLexer.indexOf(text, from, sentByEnd, ':'));
    }

    /**
     * Finds a parameter; its value is at {@link #valueOffset}.
     *
     * @param lowerCaseName the name in lower case
     * @return whether it is present, even without a value
     */
    public boolean find(byte[] lowerCaseName) {
        return parameters.find(text, sentByEnd, end, lowerCaseName);
    }

    /** The start of the value that {@link #find} found, quotes included. */
    public int valueOffset() {
        return parameters.offset();
    }

    /** The length of the value that {@link #find} found; 0 if it has none. */
    public int valueLength() {
        return parameters.length();
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
