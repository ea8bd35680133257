package io.offhook.sip;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A view of a SIP message: its start line and an index of its headers (RFC 3261, 7).
 *
 * <pre>
 * generic-message = start-line *message-header CRLF [ message-body ]
 * start-line      = Method SP Request-URI SP SIP-Version CRLF
 *                 | SIP-Version SP Status-Code SP Reason-Phrase CRLF
 * message-header  = name HCOLON value *( CRLF LWS value ) CRLF
 * </pre>
 *
 * <p>{@link #wrap(byte[], int, int)} reads bytes in place. {@link #wrap(MemorySegment, long, int)} copies them first,
 * because text is read byte by byte, which is faster in an array than in a segment. All positions are indexes into
 * {@link #octets()}; for a message from a segment, they are relative to the given offset.
 *
 * <p>Wrapping returns OK if the start line is valid and an empty line ends the headers; TRUNCATED if the bytes end
 * before that (what is present can be used, and {@link #isHeaderComplete()} is false); MALFORMED if the bytes are not
 * SIP, in which case there are no headers. Names are compared without case, in long and compact form. Lines may be
 * folded and may end in CRLF, LF or CR. At most {@value SipHeaderIndex#LIMIT} headers are kept; further ones are
 * counted. Wrapping allocates nothing once it has wrapped a message of that length, and one from the same segment; text
 * is created on demand. Absent text is "", absent numbers are -1.
 *
 * <p>Reused and single-threaded. An array must not change while the view is used; a segment is no longer needed after
 * wrapping.
 */
public final class SipMessageView {
    private final SipText copy = new SipText();
    private final SipStartLine startLine = new SipStartLine();
    private final SipHeaderIndex index = new SipHeaderIndex();
    private final SipAddressView address = new SipAddressView();
    private final SipViaView via = new SipViaView();
    private final SipValueCursor cursor = new SipValueCursor();
    private final SipReason reason = new SipReason();
    private final SipBodyLength bodyLength = new SipBodyLength();

    private byte[] text = SipLexer.NONE;
    private int captured;
    private int end;
    private int start;
    private int bodyStart;

    /** Creates a view without a message. */
    public SipMessageView() {}

    /**
     * Copies the message at the start of the bytes, and indexes it as {@link #wrap(byte[], int, int)} does.
     *
     * @param segment a native segment
     * @param offset the first byte of the message
     * @param length captured bytes: a datagram's payload, or the message that {@link SipStream} found; bytes beyond
     *     {@value SipText#LIMIT} count as not captured
     * @return OK, TRUNCATED or MALFORMED, as described for the class
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        copy.copy(segment, offset, length);
        return wrap(copy.octets(), 0, copy.length());
    }

    /**
     * Indexes the message at the start of the bytes, in place; line ends before it are skipped.
     *
     * @param octets the array with the message
     * @param offset the first byte of the message
     * @param length captured bytes
     * @return OK, TRUNCATED or MALFORMED, as described for the class
     */
    public WrapStatus wrap(byte[] octets, int offset, int length) {
        int bytes = Math.max(length, 0);
        captured = Objects.checkFromIndexSize(offset, bytes, octets.length);
        text = octets;
        end = captured + bytes;
        start = SipLexer.skipLineEnds(text, offset, end);
        boolean sip = SipRecognizer.isMessageStart(text, start, end - start);
        int lineEnd = sip ? SipLexer.lineEnd(text, start, end) : start;
        startLine.read(text, start, lineEnd);
        bodyStart = index.fill(text, SipLexer.nextLine(text, lineEnd, sip ? end : lineEnd), sip ? end : lineEnd);
        bodyLength.measure(text, index, bodyStart, sip ? end : bodyStart);
        if (!sip) {
            return WrapStatus.MALFORMED;
        }
        return index.isComplete() ? WrapStatus.OK : WrapStatus.TRUNCATED;
    }

    // start line

    /** Whether the message is a request rather than a response. */
    public boolean isRequest() {
        return startLine.isRequest();
    }

    /** The method of a request; for a response use {@link #cseqMethod()}. */
    public SipMethod method() {
        return startLine.method();
    }

    /** The method of a request as written. */
    public String methodText() {
        return startLine.methodText();
    }

    /** The status code of a response, 100 to 699; -1 for a request. */
    public int statusCode() {
        return startLine.statusCode();
    }

    /** The reason phrase of a response, as written; "" for a request. */
    public String reasonPhrase() {
        return startLine.reasonPhrase();
    }

    /** The Request-URI as written; "" for a response. */
    public String requestUri() {
        return startLine.requestUri();
    }

    /** Wraps the Request-URI in a view; false if it is not well formed, as that of a response, which has none. */
    public boolean requestUri(SipUriView view) {
        return view.wrap(text, startLine.uriOffset(), requestUriLength());
    }

    /** The start of the Request-URI, an index into {@link #octets()}. */
    public int requestUriOffset() {
        return startLine.uriOffset();
    }

    /** The length of the Request-URI in bytes; 0 for a response. */
    public int requestUriLength() {
        return startLine.uriEnd() - startLine.uriOffset();
    }

    /** The length of the method of a request, which starts at {@link #offset()}, in bytes; 0 for a response. */
    public int methodLength() {
        return startLine.methodEnd() - start;
    }

    // headers

    /** The start of the first line after the start line. */
    public int headersOffset() {
        return SipLexer.nextLine(text, SipLexer.lineEnd(text, start, end), end);
    }

    /** The start of the empty line that ends the headers; the end of the message if there is none. */
    public int headersEnd() {
        return index.headersEnd();
    }

    /** The end of header {@code i} with its folds and its line end: the start of the next line. */
    public int lineEnd(int i) {
        int at = index.valueEnd(checked(i));
        do {
            at = SipLexer.nextLine(text, SipLexer.lineEnd(text, at, end), end);
        } while (at < bodyStart && SipLexer.isBlank(text[at]));
        return at;
    }

    /** Whether the empty line that ends the headers is present. */
    public boolean isHeaderComplete() {
        return index.isComplete();
    }

    /** Whether the bytes end in the middle of the last header's line, so that its value may be truncated. */
    public boolean isLastHeaderCut() {
        return index.isLastCut();
    }

    /** The number of headers kept. */
    public int headerCount() {
        return index.count();
    }

    /** The number of headers beyond the limit, which are not kept. */
    public int headerOverflow() {
        return index.overflow();
    }

    /** The number of header lines that are malformed, or whose name is not a token. */
    public int malformedLines() {
        return index.malformedLines();
    }

    /** The header of line {@code i}, counted from 0. */
    public SipHeader header(int i) {
        return index.header(checked(i));
    }

    /** The name as written, compact or not. */
    public String name(int i) {
        return SipLexer.text(text, nameOffset(i), nameOffset(i) + nameLength(i));
    }

    /** The start of the name of header {@code i}, an index into {@link #octets()}. */
    public int nameOffset(int i) {
        return index.nameOffset(checked(i));
    }

    /** The length of the name of header {@code i}, in bytes. */
    public int nameLength(int i) {
        return index.nameLength(checked(i));
    }

    /** The value with each fold replaced by a single space. */
    public String value(int i) {
        return SipLexer.unfolded(text, index.valueOffset(checked(i)), index.valueEnd(i));
    }

    /** The start of the value of header {@code i}, an index into {@link #octets()}. */
    public int valueOffset(int i) {
        return index.valueOffset(checked(i));
    }

    /** The length of the value in bytes, including folds but not the white space around it. */
    public int valueLength(int i) {
        return index.valueLength(checked(i));
    }

    /** The first line of this header at or after line {@code from}; -1 if there is none. */
    public int find(SipHeader header, int from) {
        return index.find(header, from);
    }

    /** The whole value of the first line of this header; "" if there is none. */
    public String text(SipHeader header) {
        int i = index.find(header, 0);
        return i < 0 ? "" : value(i);
    }

    /** The first value of this header, even if the line has several; "" if there is none. */
    public String firstValue(SipHeader header) {
        cursor.start(text, index, header);
        return cursor.next() ? cursor.text() : "";
    }

    /** Wraps the first value of this header in an address view; false, with an empty view, if there is none. */
    public boolean address(SipHeader header, SipAddressView view) {
        cursor.start(text, index, header);
        boolean found = cursor.next();
        view.wrap(text, found ? cursor.offset() : start, found ? cursor.length() : 0);
        return found;
    }

    /** Wraps the topmost Via; false, with an empty view, if there is none. */
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

    /** Whether the Call-ID equals this text. */
    public boolean callIdEquals(String other) {
        int i = index.find(SipHeader.CALL_ID, 0);
        return i < 0 ? other.isEmpty() : SipCallId.equals(text, index.valueOffset(i), index.valueEnd(i), other);
    }

    /** Whether the Call-ID equals these bytes. */
    public boolean callIdEquals(byte[] other, int offset, int length) {
        int i = index.find(SipHeader.CALL_ID, 0);
        return i < 0
                ? length == 0
                : SipCallId.equals(text, index.valueOffset(i), index.valueEnd(i), other, offset, length);
    }

    /** A 64-bit hash of the Call-ID, the same in every run; 0 if there is none. */
    public long callIdHash() {
        int i = index.find(SipHeader.CALL_ID, 0);
        return i < 0 ? 0 : SipCallId.hash(text, index.valueOffset(i), index.valueEnd(i));
    }

    /** The {@link #callIdHash()} of a message that is not wrapped; scans for this header only. */
    public static long callIdHash(byte[] octets, int offset, int length) {
        return SipCallId.hashOfMessage(octets, offset, length);
    }

    /** The {@link #callIdHash()} of messages with this Call-ID, which has no line fold; 0 if it is empty. */
    public static long callIdHash(String callId) {
        byte[] octets = callId.getBytes(StandardCharsets.UTF_8);
        return SipCallId.hash(octets, 0, octets.length);
    }

    /** The start of the Call-ID's value in a message that is not wrapped; -1 if there is none. Scans for this header only. */
    public static int callIdOffset(byte[] octets, int offset, int length) {
        return SipHeaderScan.callId(octets, offset, offset + length);
    }

    /** A 64-bit hash of all captured bytes, including those before and after the message; the same in every run. */
    public long captureHash() {
        return OctetHash.of(text, captured, end);
    }

    // From, To, Contact

    /** The URI in From, as written. */
    public String fromUri() {
        return uri(SipHeader.FROM);
    }

    /** The user part or telephone number in From, with escapes decoded. */
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

    /** A hash of the From tag; 0 if there is none. */
    public long fromTagHash() {
        return address(SipHeader.FROM, address) ? address.tagHash() : 0;
    }

    /** The URI in To, as written. */
    public String toUri() {
        return uri(SipHeader.TO);
    }

    /** The user part or telephone number in To, with escapes decoded. */
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

    /** A hash of the To tag; 0 if there is none, as in a request outside a dialog. */
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

    /** The CSeq number, 0 to 2^32 - 1; -1 if there is none. */
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

    /** A hash of the branch of the topmost Via; 0 if there is none. */
    public long topViaBranchHash() {
        return topVia(via) ? via.branchHash() : 0;
    }

    /** Wraps the second Via: that of the element before the one that sent the request; false if there is none. */
    public boolean secondVia(SipViaView view) {
        cursor.start(text, index, SipHeader.VIA);
        boolean hasFirst = cursor.next();
        boolean found = hasFirst && cursor.next();
        view.wrap(text, found ? cursor.offset() : start, found ? cursor.length() : 0);
        return found;
    }

    /** A hash of the branch of the second Via: that of the request before a proxy passed it on; 0 if there is none. */
    public long secondViaBranchHash() {
        cursor.start(text, index, SipHeader.VIA);
        boolean hasFirst = cursor.next();
        boolean hasSecond = hasFirst && cursor.next();
        if (!hasSecond) {
            return 0;
        }
        via.wrap(text, cursor.offset(), cursor.length());
        return via.branchHash();
    }

    /** The sent-by value (host and port) of the topmost Via. */
    public String topViaSentBy() {
        return topVia(via) ? via.sentBy() : "";
    }

    /** The transport of the topmost Via, as written: UDP, TCP, TLS, WS, WSS... */
    public String topViaTransport() {
        return topVia(via) ? via.transport() : "";
    }

    // other headers

    /** The media type in lower case, without parameters: "application/sdp". */
    public String contentType() {
        return SipMultipart.mediaType(text(SipHeader.CONTENT_TYPE));
    }

    /** Expires, in seconds; -1 if there is none. */
    public long expires() {
        return number(SipHeader.EXPIRES);
    }

    /** The interval of Session-Expires (RFC 4028, 4), in seconds, 0 to 2^32 - 1; -1 if there is none, or more. */
    public long sessionExpires() {
        return number(SipHeader.SESSION_EXPIRES);
    }

    /** Max-Forwards; -1 if there is none. */
    public long maxForwards() {
        return number(SipHeader.MAX_FORWARDS);
    }

    /** Retry-After, in seconds; -1 if there is none. */
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

    /** The cause of the first Reason value, of any protocol (Q.850 or SIP); -1 if there is none. */
    public int reasonCause() {
        return reason.cause(text, index);
    }

    /**
     * The cause of the first Reason value of a protocol (RFC 3326, 2; RFC 6432 for responses): 1 to 127 for Q.850, a
     * status for SIP; -1 if there is none.
     *
     * @param protocol "Q.850" or "SIP"; case is ignored
     */
    public int reasonCause(String protocol) {
        return reason.cause(text, index, protocol);
    }

    // body

    /** The start of the body, even if it is empty. */
    public int bodyOffset() {
        return bodyStart;
    }

    /** Bytes of the body: limited by Content-Length and by what was captured. */
    public int bodyLength() {
        return bodyLength.length();
    }

    /** The value of Content-Length; -1 if there is none. */
    public long contentLength() {
        return bodyLength.declared();
    }

    /** The fault of Content-Length, as far as it can be determined. */
    public ContentLengthProblem contentLengthProblem() {
        return bodyLength.problem();
    }

    /**
     * Finds the session description: the body, or a part of a multipart body (RFC 5621), nested at most one level.
     *
     * @return false if there is none; otherwise {@code part} has its position
     */
    public boolean findSdp(SipMultipart part) {
        return part.findSdp(text, bodyStart, bodyLength(), text(SipHeader.CONTENT_TYPE));
    }

    /**
     * The array that positions refer to: the given one, or the view's own until the next wrap. Must not be modified.
     */
    public byte[] octets() {
        return text;
    }

    /** The start of the start line, an index into {@link #octets()}. */
    public int offset() {
        return start;
    }

    /** Bytes from the start line to the end of the body. */
    public int length() {
        return bodyStart - start + bodyLength();
    }

    /** The start line as written. */
    public String startLine() {
        return startLine.text();
    }

    /** The start line, for logs. */
    @Override
    public String toString() {
        return startLine();
    }

    SipHeaderIndex index() {
        return index;
    }

    private int checked(int i) {
        if (i < 0 || i >= index.count()) {
            throw new IndexOutOfBoundsException("header " + i + " is not in 0 to " + (index.count() - 1));
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
