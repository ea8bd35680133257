package io.offhook.sip;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * A SIP message: its start line and an index of its headers (RFC 3261, 7).
 *
 * <pre>
 * generic-message = start-line *message-header CRLF [ message-body ]
 * start-line      = Method SP Request-URI SP SIP-Version CRLF
 *                 | SIP-Version SP Status-Code SP Reason-Phrase CRLF
 * message-header  = name HCOLON value *( CRLF LWS value ) CRLF
 * </pre>
 *
 * <p>{@link #wrap(byte[], int, int)} looks at bytes in place; {@link #wrap(MemorySegment, long, int)} copies them first,
 * for text is read byte by byte, and that is an instruction in an array and a dozen in a segment. All positions are
 * indexes into {@link #octets()}: of a message out of a segment, bytes from the offset given.
 *
 * <p>Wrapping says OK when the start line is one and the headers are ended by an empty line, TRUNCATED when the
 * bytes end before that (what is there can be used, {@link #isHeaderComplete()} is false), MALFORMED when it is not SIP;
 * then there are no headers. Names are compared without case, in long and compact form; lines may be folded and may end
 * in CRLF, LF or CR. At most {@value SipHeaderIndex#LIMIT} headers are kept, more are counted. Wrapping allocates
 * nothing once it has seen a message as long, and one from the same segment; text is made when asked for. Absent text
 * is "", absent numbers are -1.
 *
 * <p>Reused and single-threaded. An array must stay as it is while the view is used; a segment is not needed any more.
 */
public final class SipMessageView {
    private static final byte[] CAUSE = SipLexer.lowerCase("cause");

    private final SipText copy = new SipText();
    private final SipHeaderIndex index = new SipHeaderIndex();
    private final SipParameters parameters = new SipParameters();
    private final SipAddressView address = new SipAddressView();
    private final SipViaView via = new SipViaView();
    private final SipValueCursor cursor = new SipValueCursor();
    private final SipBodyLength bodyLength = new SipBodyLength();

    private byte[] text = SipLexer.NONE;
    private int captured;
    private int end;
    private int start;
    private int methodEnd;
    private int uriStart;
    private int uriEnd;
    private int startLineEnd;
    private int bodyStart;
    private int statusCode;
    private SipMethod method = SipMethod.OTHER;

    /** A view on nothing. */
    public SipMessageView() {}

    /**
     * Copies the message that the bytes start with, and indexes it like {@link #wrap(byte[], int, int)}.
     *
     * @param segment a native segment
     * @param length what was captured of it: a datagram's payload, or the message that {@link SipStream} found; above
     *     {@value SipText#LIMIT} bytes the rest counts as not captured
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        copy.copy(segment, offset, length);
        return wrap(copy.octets(), 0, copy.length());
    }

    /**
     * Indexes the message that the bytes start with, in place; line ends before it are skipped.
     *
     * @param length what was captured of it
     */
    public WrapStatus wrap(byte[] octets, int offset, int length) {
        int bytes = Math.max(length, 0);
        captured = Objects.checkFromIndexSize(offset, bytes, octets.length);
        text = octets;
        end = captured + bytes;
        start = SipLexer.skipLineEnds(text, offset, end);
        boolean sip = SipRecognizer.isMessageStart(text, start, end - start);
        int lineEnd = sip ? SipLexer.lineEnd(text, start, end) : start;
        readStartLine(lineEnd);
        bodyStart = index.fill(text, SipLexer.nextLine(text, lineEnd, sip ? end : lineEnd), sip ? end : lineEnd);
        bodyLength.measure(text, index, bodyStart, sip ? end : bodyStart);
        if (!sip) {
            return WrapStatus.MALFORMED;
        }
        return index.isComplete() ? WrapStatus.OK : WrapStatus.TRUNCATED;
    }

    private void readStartLine(int lineEnd) {
        startLineEnd = lineEnd;
        statusCode = -1;
        method = SipMethod.OTHER;
        methodEnd = start;
        while (methodEnd < lineEnd && SipLexer.isToken(text[methodEnd])) {
            methodEnd++;
        }
        if (methodEnd < lineEnd && text[methodEnd] == '/') {
            statusCode = (int) SipLexer.number(text, start + 8, start + 11);
            methodEnd = start;
            uriStart = start;
            uriEnd = start;
            return;
        }
        method = SipMethod.read(text, start, methodEnd);
        uriStart = SipLexer.skipBlanks(text, methodEnd, lineEnd);
        int whole = SipRecognizer.uriEnd(text, uriStart, lineEnd);
        uriEnd = whole < 0 ? lineEnd : whole;
    }

    // start line

    /** Whether it is a request, and no response. */
    public boolean isRequest() {
        return statusCode < 0;
    }

    /** The method of a request; that of a response is {@link #cseqMethod()}. */
    public SipMethod method() {
        return method;
    }

    /** The method of a request as written. */
    public String methodText() {
        return SipLexer.text(text, start, methodEnd);
    }

    /** 100 to 699, or -1 in a request. */
    public int statusCode() {
        return statusCode;
    }

    /** Of a response, as written; "" in a request. */
    public String reasonPhrase() {
        return isRequest() || startLineEnd - start < 12
                ? ""
                : SipLexer.text(text, start + 12, SipLexer.trimEnd(text, start + 12, startLineEnd));
    }

    /** The Request-URI as written; "" in a response. */
    public String requestUri() {
        return SipLexer.text(text, uriStart, uriEnd);
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

    /** Headers that were kept. */
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
        return SipLexer.text(text, nameOffset(i), nameOffset(i) + nameLength(i));
    }

    /** Where the name of header {@code i} starts, an index into {@link #octets()}. */
    public int nameOffset(int i) {
        return index.nameOffset(checked(i));
    }

    /** Of the name of header {@code i}, in bytes. */
    public int nameLength(int i) {
        return index.nameLength(checked(i));
    }

    /** The value with folds made single spaces. */
    public String value(int i) {
        return SipLexer.unfolded(text, index.valueOffset(checked(i)), index.valueEnd(i));
    }

    /** Where the value of header {@code i} starts, an index into {@link #octets()}. */
    public int valueOffset(int i) {
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
        cursor.start(text, index, header);
        return cursor.next() ? cursor.text() : "";
    }

    /** Puts an address view on the first value of this header; false (and the view empty) where there is none. */
    public boolean address(SipHeader header, SipAddressView view) {
        cursor.start(text, index, header);
        boolean found = cursor.next();
        view.wrap(text, found ? cursor.offset() : start, found ? cursor.length() : 0);
        return found;
    }

    /** Puts a Via view on the topmost Via; false (and the view empty) where there is none. */
    public boolean topVia(SipViaView view) {
        cursor.start(text, index, SipHeader.VIA);
        boolean found = cursor.next();
        view.wrap(text, found ? cursor.offset() : start, found ? cursor.length() : 0);
        return found;
    }

    // Call-ID

    /** The Call-ID as written. */
    public String callId() {
        return text(SipHeader.CALL_ID);
    }

    /** Whether the Call-ID is this text. */
    public boolean callIdEquals(String other) {
        int i = index.find(SipHeader.CALL_ID, 0);
        if (i < 0) {
            return other.isEmpty();
        }
        int offset = index.valueOffset(i);
        int length = index.valueLength(i);
        for (int at = 0; at < length; at++) {
            int octet = text[offset + at];
            if (octet < 0 || SipLexer.isLineEnd(octet)) {
                return value(i).equals(other);
            }
            if (at >= other.length() || other.charAt(at) != octet) {
                return false;
            }
        }
        return length == other.length();
    }

    /** Whether the Call-ID is these bytes. */
    public boolean callIdEquals(byte[] other, int offset, int length) {
        int i = index.find(SipHeader.CALL_ID, 0);
        return i < 0
                ? length == 0
                : Arrays.equals(text, index.valueOffset(i), index.valueEnd(i), other, offset, offset + length);
    }

    /** A 64-bit hash of the Call-ID, the same in every run; 0 where there is none. */
    public long callIdHash() {
        int i = index.find(SipHeader.CALL_ID, 0);
        return i < 0 || index.valueLength(i) == 0
                ? 0
                : OctetHash.ofValue(text, index.valueOffset(i), index.valueEnd(i));
    }

    /** {@link #callIdHash()} of a message that is not wrapped, by looking for this header only. */
    public static long callIdHash(byte[] octets, int offset, int length) {
        int end = offset + length;
        int value = SipHeaderScan.callId(octets, SipLexer.skipLineEnds(octets, offset, end), end);
        int valueEnd = value < 0 ? -1 : SipHeaderScan.valueEnd(octets, value, end);
        return value == valueEnd ? 0 : OctetHash.ofValue(octets, value, valueEnd);
    }

    /** A 64-bit hash of all that was captured, what stands before and after the message too; the same in every run. */
    public long captureHash() {
        return OctetHash.of(text, captured, end);
    }

    // From, To, Contact

    /** The URI in From, as written. */
    public String fromUri() {
        return uri(SipHeader.FROM);
    }

    /** The user part, or telephone number, with escapes decoded. */
    public String fromUser() {
        return user(SipHeader.FROM);
    }

    /** The display name in From. */
    public String fromDisplayName() {
        return address(SipHeader.FROM, address) ? address.displayName() : "";
    }

    /** The tag of From. */
    public String fromTag() {
        return address(SipHeader.FROM, address) ? address.tag() : "";
    }

    /** A hash of the From tag, 0 where there is none. */
    public long fromTagHash() {
        return address(SipHeader.FROM, address) ? address.tagHash() : 0;
    }

    /** The URI in To, as written. */
    public String toUri() {
        return uri(SipHeader.TO);
    }

    /** The user part, or telephone number, with escapes decoded. */
    public String toUser() {
        return user(SipHeader.TO);
    }

    /** The display name in To. */
    public String toDisplayName() {
        return address(SipHeader.TO, address) ? address.displayName() : "";
    }

    /** The tag of To. */
    public String toTag() {
        return address(SipHeader.TO, address) ? address.tag() : "";
    }

    /** A hash of the To tag, 0 where there is none: a request or response outside a dialog. */
    public long toTagHash() {
        return address(SipHeader.TO, address) ? address.tagHash() : 0;
    }

    /** The URI in the first Contact, as written. */
    public String contactUri() {
        return uri(SipHeader.CONTACT);
    }

    /** The URI in the first P-Asserted-Identity (RFC 3325, 9.1), as written. */
    public String assertedIdentityUri() {
        return uri(SipHeader.P_ASSERTED_IDENTITY);
    }

    // transaction

    /** 0 to 2^32 - 1, or -1 where there is none. */
    public long cseqNumber() {
        return number(SipHeader.CSEQ);
    }

    /** The method in CSeq. */
    public SipMethod cseqMethod() {
        int i = index.find(SipHeader.CSEQ, 0);
        return i < 0 ? SipMethod.OTHER : SipMethod.read(text, cseqMethodStart(i), index.valueEnd(i));
    }

    /** The method in CSeq, as written. */
    public String cseqMethodText() {
        int i = index.find(SipHeader.CSEQ, 0);
        return i < 0 ? "" : SipLexer.text(text, cseqMethodStart(i), index.valueEnd(i));
    }

    /** The branch of the topmost Via. */
    public String topViaBranch() {
        return topVia(via) ? via.branch() : "";
    }

    /** A hash of the top Via's branch, 0 where there is none. */
    public long topViaBranchHash() {
        return topVia(via) ? via.branchHash() : 0;
    }

    /** Host and port that the topmost Via was sent by. */
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

    /** Max-Forwards; -1 without it. */
    public long maxForwards() {
        return number(SipHeader.MAX_FORWARDS);
    }

    /** Seconds, or -1. */
    public long retryAfter() {
        return number(SipHeader.RETRY_AFTER);
    }

    /** The User-Agent header as written. */
    public String userAgent() {
        return text(SipHeader.USER_AGENT);
    }

    /** The Reason header (RFC 3326) as written: {@code Q.850;cause=16;text="Terminated"}. */
    public String reason() {
        return text(SipHeader.REASON);
    }

    /** The cause of the first Reason value, whatever its protocol (Q.850 or SIP), or -1. */
    public int reasonCause() {
        cursor.start(text, index, SipHeader.REASON);
        if (!cursor.next() || !parameters.find(text, cursor.offset(), cursor.offset() + cursor.length(), CAUSE)) {
            return -1;
        }
        long cause = SipLexer.number(text, parameters.offset(), parameters.offset() + parameters.length());
        return cause > 999 ? -1 : (int) cause;
    }

    // body

    /** Where the body starts, whether there is one or not. */
    public int bodyOffset() {
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

    /** What is wrong with Content-Length, as far as can be told. */
    public ContentLengthProblem contentLengthProblem() {
        return bodyLength.problem();
    }

    /**
     * Looks for the session description: the body, or a part of a multipart body (RFC 5621), one level nested.
     *
     * @return false where there is none; else {@code part} has its place
     */
    public boolean findSdp(SipMultipart part) {
        return part.findSdp(text, bodyStart, bodyLength(), text(SipHeader.CONTENT_TYPE));
    }

    /** The bytes that positions are indexes into: those given, or the view's own until it wraps again. Not to be written. */
    public byte[] octets() {
        return text;
    }

    /** Where the start line stands. */
    public int offset() {
        return start;
    }

    /** Bytes from the start line to the end of the body. */
    public int length() {
        return bodyStart - start + bodyLength();
    }

    /** The start line as written. */
    public String startLine() {
        return SipLexer.text(text, start, startLineEnd);
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
        return i < 0 ? -1 : SipLexer.number(text, index.valueOffset(i), index.valueEnd(i));
    }

    private int cseqMethodStart(int i) {
        int end = index.valueEnd(i);
        return SipLexer.skipLws(text, SipLexer.skipDigits(text, index.valueOffset(i), end), end);
    }
}
