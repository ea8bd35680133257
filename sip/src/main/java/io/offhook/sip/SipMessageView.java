package io.offhook.sip;

import static io.offhook.sip.SipLexer.u8;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A SIP message in place: its start line and an index of its headers (RFC 3261, 7).
 *
 * <pre>
 * generic-message = start-line *message-header CRLF [ message-body ]
 * start-line      = Method SP Request-URI SP SIP-Version CRLF
 *                 | SIP-Version SP Status-Code SP Reason-Phrase CRLF
 * message-header  = name HCOLON value *( CRLF LWS value ) CRLF
 * </pre>
 *
 * <p>{@link #wrap} says OK when the start line is one and the headers are ended by an empty line, TRUNCATED when the
 * bytes end before that (what is there can be used, {@link #isHeaderComplete()} is false), MALFORMED when it is not SIP;
 * then there are no headers. Names are compared without case, in long and compact form; lines may be folded and may end
 * in CRLF, LF or CR. At most {@value SipHeaderIndex#LIMIT} headers are kept, more are counted. Wrapping allocates
 * nothing; text is made when asked for. Absent text is "", absent numbers are -1.
 *
 * <p>Native segments only. Reused and single-threaded; valid as long as the bytes are.
 */
public final class SipMessageView {
    private static final byte[] CAUSE = SipLexer.lowerCase("cause");

    private final SipHeaderIndex index = new SipHeaderIndex();
    private final SipParameters parameters = new SipParameters();
    private final SipAddressView address = new SipAddressView();
    private final SipViaView via = new SipViaView();
    private final SipValueCursor cursor = new SipValueCursor();
    private final SipBodyLength bodyLength = new SipBodyLength();

    private MemorySegment segment = MemorySegment.NULL;
    private long start;
    private long end;
    private long methodEnd;
    private long uriStart;
    private long uriEnd;
    private long startLineEnd;
    private long bodyStart;
    private int statusCode;
    private SipMethod method = SipMethod.OTHER;

    /** A view on nothing. */
    public SipMessageView() {}

    /**
     * Indexes the message that the bytes start with; line ends before it are skipped.
     *
     * @param length what was captured of it: a datagram's payload, or the message that {@link SipStream} found
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        this.segment = segment;
        end = offset + Math.max(length, 0);
        start = SipLexer.skipLineEnds(segment, offset, end);
        boolean sip = SipRecognizer.isMessageStart(segment, start, (int) (end - start));
        long lineEnd = sip ? SipLexer.lineEnd(segment, start, end) : start;
        readStartLine(lineEnd);
        bodyStart = index.fill(
                segment, start, SipLexer.nextLine(segment, lineEnd, sip ? end : lineEnd), sip ? end : lineEnd);
        bodyLength.measure(segment, index, bodyStart, sip ? end : bodyStart);
        if (!sip) {
            return WrapStatus.MALFORMED;
        }
        return index.isComplete() ? WrapStatus.OK : WrapStatus.TRUNCATED;
    }

    private void readStartLine(long lineEnd) {
        startLineEnd = lineEnd;
        statusCode = -1;
        method = SipMethod.OTHER;
        methodEnd = start;
        while (methodEnd < lineEnd && SipLexer.isToken(u8(segment, methodEnd))) {
            methodEnd++;
        }
        if (methodEnd < lineEnd && u8(segment, methodEnd) == '/') {
            statusCode = (int) SipLexer.number(segment, start + 8, start + 11);
            methodEnd = start;
            uriStart = start;
            uriEnd = start;
            return;
        }
        method = SipMethod.read(segment, start, methodEnd);
        uriStart = SipLexer.skipBlanks(segment, methodEnd, lineEnd);
        long whole = SipRecognizer.uriEnd(segment, uriStart, lineEnd);
        uriEnd = whole < 0 ? lineEnd : whole;
    }

    // start line

    public boolean isRequest() {
        return statusCode < 0;
    }

    /** The method of a request; that of a response is {@link #cseqMethod()}. */
    public SipMethod method() {
        return method;
    }

    /** The method of a request as written. */
    public String methodText() {
        return SipLexer.text(segment, start, methodEnd);
    }

    /** 100 to 699, or -1 in a request. */
    public int statusCode() {
        return statusCode;
    }

    public String reasonPhrase() {
        return isRequest() || startLineEnd - start < 12
                ? ""
                : SipLexer.text(segment, start + 12, SipLexer.trimEnd(segment, start + 12, startLineEnd));
    }

    /** The Request-URI as written; "" in a response. */
    public String requestUri() {
        return SipLexer.text(segment, uriStart, uriEnd);
    }

    // headers

    /** Whether the empty line that ends the headers is there. */
    public boolean isHeaderComplete() {
        return index.isComplete();
    }

    /** Whether the bytes end in the middle of the last header's line, so that its value may be cut. */
    public boolean isLastHeaderCut() {
        return index.isLastCut();
    }

    public int headerCount() {
        return index.count();
    }

    /** Headers above the limit, not kept. */
    public int headerOverflow() {
        return index.overflow();
    }

    /** Lines among the headers that are none, or whose name is no token. */
    public int malformedLines() {
        return index.malformedLines();
    }

    /** The header of line {@code i}, from 0. */
    public SipHeader header(int i) {
        return index.header(checked(i));
    }

    /** The name as written, compact or not. */
    public String name(int i) {
        return SipLexer.text(segment, nameOffset(i), nameOffset(i) + nameLength(i));
    }

    public long nameOffset(int i) {
        return index.nameOffset(checked(i));
    }

    public int nameLength(int i) {
        return index.nameLength(checked(i));
    }

    /** The value with folds made single spaces. */
    public String value(int i) {
        return SipLexer.unfolded(segment, index.valueOffset(checked(i)), index.valueEnd(i));
    }

    public long valueOffset(int i) {
        return index.valueOffset(checked(i));
    }

    /** Bytes of the value, folds included, white space about it not. */
    public int valueLength(int i) {
        return index.valueLength(checked(i));
    }

    /** The first line at or after {@code from} that has this header, or -1. */
    public int find(SipHeader header, int from) {
        return index.find(header, from);
    }

    /** The whole value of the first line with this header, "" where there is none. */
    public String text(SipHeader header) {
        int i = index.find(header, 0);
        return i < 0 ? "" : value(i);
    }

    /** The first value of this header, of several in a line too; "" where there is none. */
    public String firstValue(SipHeader header) {
        cursor.start(segment, index, header);
        return cursor.next() ? cursor.text() : "";
    }

    /** Puts an address view on the first value of this header; false (and the view empty) where there is none. */
    public boolean address(SipHeader header, SipAddressView view) {
        cursor.start(segment, index, header);
        boolean found = cursor.next();
        view.wrap(segment, found ? cursor.offset() : start, found ? cursor.length() : 0);
        return found;
    }

    /** Puts a Via view on the topmost Via; false (and the view empty) where there is none. */
    public boolean topVia(SipViaView view) {
        cursor.start(segment, index, SipHeader.VIA);
        boolean found = cursor.next();
        view.wrap(segment, found ? cursor.offset() : start, found ? cursor.length() : 0);
        return found;
    }

    // Call-ID

    public String callId() {
        return text(SipHeader.CALL_ID);
    }

    /** Whether the Call-ID is this text. */
    public boolean callIdEquals(String text) {
        int i = index.find(SipHeader.CALL_ID, 0);
        if (i < 0) {
            return text.isEmpty();
        }
        long offset = index.valueOffset(i);
        int length = index.valueLength(i);
        for (int at = 0; at < length; at++) {
            int octet = u8(segment, offset + at);
            if (octet >= 0x80 || SipLexer.isLineEnd(octet)) {
                return value(i).equals(text);
            }
            if (at >= text.length() || text.charAt(at) != octet) {
                return false;
            }
        }
        return length == text.length();
    }

    /** Whether the Call-ID is these bytes. */
    public boolean callIdEquals(MemorySegment other, long offset, int length) {
        int i = index.find(SipHeader.CALL_ID, 0);
        if (i < 0) {
            return length == 0;
        }
        long from = index.valueOffset(i);
        return index.valueLength(i) == length
                && MemorySegment.mismatch(segment, from, from + length, other, offset, offset + length) < 0;
    }

    /** A 64-bit hash of the Call-ID, the same in every run; 0 where there is none. */
    public long callIdHash() {
        int i = index.find(SipHeader.CALL_ID, 0);
        return i < 0 || index.valueLength(i) == 0
                ? 0
                : OctetHash.ofValue(segment, index.valueOffset(i), index.valueEnd(i));
    }

    /** {@link #callIdHash()} of a message that is not wrapped, by looking for this header only. */
    public static long callIdHash(MemorySegment segment, long offset, int length) {
        long end = offset + length;
        long value = SipHeaderScan.callId(segment, SipLexer.skipLineEnds(segment, offset, end), end);
        long valueEnd = value < 0 ? -1 : SipHeaderScan.valueEnd(segment, value, end);
        return value == valueEnd ? 0 : OctetHash.ofValue(segment, value, valueEnd);
    }

    // From, To, Contact

    public String fromUri() {
        return uri(SipHeader.FROM);
    }

    /** The user part, or telephone number, with escapes decoded. */
    public String fromUser() {
        return user(SipHeader.FROM);
    }

    public String fromDisplayName() {
        return address(SipHeader.FROM, address) ? address.displayName() : "";
    }

    public String fromTag() {
        return address(SipHeader.FROM, address) ? address.tag() : "";
    }

    /** A hash of the From tag, 0 where there is none. */
    public long fromTagHash() {
        return address(SipHeader.FROM, address) ? address.tagHash() : 0;
    }

    public String toUri() {
        return uri(SipHeader.TO);
    }

    /** The user part, or telephone number, with escapes decoded. */
    public String toUser() {
        return user(SipHeader.TO);
    }

    public String toDisplayName() {
        return address(SipHeader.TO, address) ? address.displayName() : "";
    }

    public String toTag() {
        return address(SipHeader.TO, address) ? address.tag() : "";
    }

    /** A hash of the To tag, 0 where there is none: a request or response outside a dialog. */
    public long toTagHash() {
        return address(SipHeader.TO, address) ? address.tagHash() : 0;
    }

    public String contactUri() {
        return uri(SipHeader.CONTACT);
    }

    public String assertedIdentityUri() {
        return uri(SipHeader.P_ASSERTED_IDENTITY);
    }

    // transaction

    /** 0 to 2^32 - 1, or -1 where there is none. */
    public long cseqNumber() {
        return number(SipHeader.CSEQ);
    }

    public SipMethod cseqMethod() {
        int i = index.find(SipHeader.CSEQ, 0);
        return i < 0 ? SipMethod.OTHER : SipMethod.read(segment, cseqMethodStart(i), index.valueEnd(i));
    }

    public String cseqMethodText() {
        int i = index.find(SipHeader.CSEQ, 0);
        return i < 0 ? "" : SipLexer.text(segment, cseqMethodStart(i), index.valueEnd(i));
    }

    public String topViaBranch() {
        return topVia(via) ? via.branch() : "";
    }

    /** A hash of the top Via's branch, 0 where there is none. */
    public long topViaBranchHash() {
        return topVia(via) ? via.branchHash() : 0;
    }

    public String topViaSentBy() {
        return topVia(via) ? via.sentBy() : "";
    }

    /** The transport that the top Via names: UDP, TCP, TLS, WS, WSS... as written. */
    public String topViaTransport() {
        return topVia(via) ? via.transport() : "";
    }

    // others

    /** The media type in lower case without parameters: "application/sdp". */
    public String contentType() {
        return SipMultipart.mediaType(text(SipHeader.CONTENT_TYPE));
    }

    /** Seconds, or -1. */
    public long expires() {
        return number(SipHeader.EXPIRES);
    }

    public long maxForwards() {
        return number(SipHeader.MAX_FORWARDS);
    }

    /** Seconds, or -1. */
    public long retryAfter() {
        return number(SipHeader.RETRY_AFTER);
    }

    public String userAgent() {
        return text(SipHeader.USER_AGENT);
    }

    /** The Reason header (RFC 3326) as written: {@code Q.850;cause=16;text="Terminated"}. */
    public String reason() {
        return text(SipHeader.REASON);
    }

    /** The cause of the first Reason value, whatever its protocol (Q.850 or SIP), or -1. */
    public int reasonCause() {
        cursor.start(segment, index, SipHeader.REASON);
        if (!cursor.next() || !parameters.find(segment, cursor.offset(), cursor.offset() + cursor.length(), CAUSE)) {
            return -1;
        }
        long cause = SipLexer.number(segment, parameters.offset(), parameters.offset() + parameters.length());
        return cause > 999 ? -1 : (int) cause;
    }

    // body

    /** Where the body starts, whether there is one or not. */
    public long bodyOffset() {
        return bodyStart;
    }

    /** Bytes of the body that are there: at most what Content-Length says and what was captured. */
    public int bodyLength() {
        return bodyLength.length();
    }

    /** What Content-Length says, or -1. */
    public long contentLength() {
        return bodyLength.declared();
    }

    public ContentLengthProblem contentLengthProblem() {
        return bodyLength.problem();
    }

    /**
     * Looks for the session description: the body, or a part of a multipart body (RFC 5621), one level nested.
     *
     * @return false where there is none; else {@code part} has its place
     */
    public boolean findSdp(SipMultipart part) {
        return part.findSdp(segment, bodyStart, bodyLength(), text(SipHeader.CONTENT_TYPE));
    }

    public MemorySegment segment() {
        return segment;
    }

    /** Where the start line stands. */
    public long offset() {
        return start;
    }

    /** Bytes from the start line to the end of the body. */
    public int length() {
        return (int) (bodyStart - start) + bodyLength();
    }

    /** The start line as written. */
    public String startLine() {
        return SipLexer.text(segment, start, startLineEnd);
    }

    /** The start line, to log. */
    @Override
    public String toString() {
        return startLine();
    }

    SipHeaderIndex index() {
        return index;
    }

    private int checked(int i) {
        if (i < 0 || i >= index.count()) {
            throw new IndexOutOfBoundsException("header " + i + " of " + index.count());
        }
        return i;
    }

    private String uri(SipHeader header) {
        return address(header, address) ? address.uri() : "";
    }

    private String user(SipHeader header) {
        return address(header, address) ? SipUri.parse(address.uri()).displayUser() : "";
    }

    private long number(SipHeader header) {
        int i = index.find(header, 0);
        return i < 0 ? -1 : SipLexer.number(segment, index.valueOffset(i), index.valueEnd(i));
    }

    private long cseqMethodStart(int i) {
        long end = index.valueEnd(i);
        return SipLexer.skipLws(segment, SipLexer.skipDigits(segment, index.valueOffset(i), end), end);
    }
}
