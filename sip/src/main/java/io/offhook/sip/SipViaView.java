package io.offhook.sip;

import static io.offhook.sip.SipLexer.u8;

import java.lang.foreign.MemorySegment;

/**
 * One value of Via, in place (RFC 3261, 20.42): {@code SIP/2.0/UDP host:port;branch=...;received=...}, with white space
 * wherever the grammar allows it. Reused and single-threaded; valid as long as the bytes are. Absent text is "".
 */
public final class SipViaView {
    private static final byte[] BRANCH = SipLexer.lowerCase("branch");

    private final SipParameters parameters = new SipParameters();
    private MemorySegment segment = MemorySegment.NULL;
    private long transportStart;
    private long transportEnd;
    private long sentByStart;
    private long sentByEnd;
    private long end;

    /** A view on nothing. */
    public SipViaView() {}

    public void wrap(MemorySegment segment, long offset, int length) {
        this.segment = segment;
        end = offset + length;
        long at = afterSlash(afterSlash(offset));
        transportStart = at;
        while (at < end && SipLexer.isToken(u8(segment, at))) {
            at++;
        }
        transportEnd = at;
        sentByStart = SipLexer.skipLws(segment, at, end);
        sentByEnd = SipLexer.indexOf(segment, sentByStart, end, ';');
    }

    /** UDP, TCP, TLS, SCTP, WS, WSS... as written. */
    public String transport() {
        return SipLexer.text(segment, transportStart, transportEnd);
    }

    /** Host and port as written: "192.0.2.1:5060". */
    public String sentBy() {
        return SipLexer.unfolded(segment, sentByStart, SipLexer.trimEnd(segment, sentByStart, sentByEnd));
    }

    public String branch() {
        return findBranch() ? parameters.text(segment) : "";
    }

    /** A hash of the branch's bytes, 0 where there is none; stable. */
    public long branchHash() {
        return findBranch() ? OctetHash.of(segment, parameters.offset(), parameters.offset() + parameters.length()) : 0;
    }

    /** A parameter's value ("received", "rport"...) without quotes; "" where it is absent or has no value. */
    public String parameter(String name) {
        return parameters.find(segment, sentByEnd, end, SipLexer.lowerCase(name)) ? parameters.text(segment) : "";
    }

    private boolean findBranch() {
        return parameters.find(segment, sentByEnd, end, BRANCH) && parameters.length() > 0;
    }

    private long afterSlash(long from) {
        long slash = SipLexer.indexOf(segment, from, end, '/');
        return slash == end ? end : SipLexer.skipLws(segment, slash + 1, end);
    }
}
