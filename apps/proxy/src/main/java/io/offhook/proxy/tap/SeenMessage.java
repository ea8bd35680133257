package io.offhook.proxy.tap;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.transaction.KeyedHash;
import java.util.Arrays;
import java.util.List;

/**
 * A message that a lane received or sent: its bytes, the ends between which it went, and the time. Reused; a watcher copies
 * what it keeps.
 */
public final class SeenMessage {
    private static final Endpoint NOWHERE = new Endpoint(0, 0, 0);
    private static final int UNKNOWN = -2;
    private static final int NONE = -1;
    /** Longer lines are not remembered. */
    private static final int MOST_LINE = 256;

    private final List<Endpoint> locals;
    private final KeyedHash hash;

    private byte[] octets = {};
    private int offset;
    private int length;
    private boolean sent;
    private boolean again;
    private boolean rejected;
    private SipMethod method = SipMethod.OTHER;
    private int status;
    private SipHop remote = new SipHop();
    private long epochNs;
    /** Where the Call-ID is; found when somebody asks. */
    private int callIdOffset;

    private int callIdLength;
    private long callKey;

    /**
     * The Call-ID line of the last message that came, from the line end before it to the one behind it. What is forwarded has
     * it at the same distance from its end, as what a proxy changes is above: so it is found there without a scan.
     */
    private final byte[] line = new byte[MOST_LINE];

    private int lineLength;
    private int lineFromEnd;
    private int lineValue;
    private int lineValueLength;
    private long lineKey;

    /**
     * @param locals the addresses of the listeners, in their order
     * @param hash of Call-IDs, of this lane alone
     */
    SeenMessage(List<Endpoint> locals, KeyedHash hash) {
        this.locals = locals;
        this.hash = hash;
    }

    void received(SipMessageView message, SipHop from, boolean isAgain, long atNs) {
        set(message.octets(), message.offset(), message.length(), from, atNs);
        sent = false;
        again = isAgain;
        rejected = false;
        boolean isRequest = message.isRequest();
        method = isRequest ? message.method() : message.cseqMethod();
        status = isRequest ? 0 : message.statusCode();
        lineLength = 0;
        lineKey = 0;
        int header = message.find(SipHeader.CALL_ID, 0);
        if (header >= 0) {
            callIdOffset = message.valueOffset(header);
            callIdLength = message.valueLength(header);
            remember(message.nameOffset(header) - 1);
        }
    }

    private void remember(int from) {
        int count = callIdOffset + callIdLength + 1 - from;
        if (from >= offset && from + count <= offset + length && count <= MOST_LINE) {
            System.arraycopy(octets, from, line, 0, count);
            lineLength = count;
            lineFromEnd = offset + length - from;
            lineValue = callIdOffset - from;
            lineValueLength = callIdLength;
        }
    }

    void rejected(byte[] bytes, int from, int count, SipHop source, long atNs) {
        set(bytes, from, count, source, atNs);
        sent = false;
        again = false;
        rejected = true;
        method = SipMethod.OTHER;
        status = 0;
    }

    void sent(byte[] bytes, int count, SipHop to, long atNs) {
        set(bytes, 0, count, to, atNs);
        sent = true;
        rejected = false;
    }

    void sentAs(SipMethod ofRequest, int ofResponse, boolean isAgain) {
        method = ofRequest;
        status = ofResponse;
        again = isAgain;
    }

    private void set(byte[] bytes, int from, int count, SipHop hop, long atNs) {
        octets = bytes;
        offset = from;
        length = count;
        remote = hop;
        epochNs = atNs;
        callIdOffset = UNKNOWN;
        callIdLength = 0;
        callKey = 0;
    }

    private void findCallId() {
        if (callIdOffset != UNKNOWN) {
            return;
        }
        int known = offset + length - lineFromEnd;
        if (lineLength > 0 && known > offset && Arrays.equals(octets, known, known + lineLength, line, 0, lineLength)) {
            callIdOffset = known + lineValue;
            callIdLength = lineValueLength;
            callKey = lineKey;
            return;
        }
        callIdOffset = SipMessageView.callIdOffset(octets, offset, length);
        if (callIdOffset == NONE) {
            return;
        }
        int end = callIdOffset;
        while (end < offset + length && octets[end] != '\r' && octets[end] != '\n') {
            end++;
        }
        while (end > callIdOffset && (octets[end - 1] == ' ' || octets[end - 1] == '\t')) {
            end--;
        }
        callIdLength = end - callIdOffset;
    }

    /** The array with the message. */
    public byte[] octets() {
        return octets;
    }

    /** The first byte. */
    public int offset() {
        return offset;
    }

    /** The length in bytes. */
    public int length() {
        return length;
    }

    /** Whether the proxy sent it. */
    public boolean isSent() {
        return sent;
    }

    /** Whether it went the same way before: it is a retransmission. */
    public boolean isAgain() {
        return again;
    }

    /** Whether it has a fault, because of which no transaction got it; then its method and status are unknown. */
    public boolean isRejected() {
        return rejected;
    }

    /** The method of the request, or of that which a response answers. */
    public SipMethod method() {
        return method;
    }

    /** The status of a response; 0 for a request. */
    public int status() {
        return status;
    }

    /** The other end. */
    public SipHop remote() {
        return remote;
    }

    /** The listener's end, as {@link MessageTap} was given it. */
    public Endpoint local() {
        return local(locals, remote.listener());
    }

    static Endpoint local(List<Endpoint> locals, int listener) {
        return listener >= 0 && listener < locals.size() ? locals.get(listener) : NOWHERE;
    }

    /** When it came or went, nanoseconds since 1970. */
    public long epochNs() {
        return epochNs;
    }

    /** The first byte of the Call-ID; meaningless if it has no length. */
    public int callIdOffset() {
        findCallId();
        return callIdOffset;
    }

    /** The length of the Call-ID in bytes; 0 if there is none. */
    public int callIdLength() {
        findCallId();
        return callIdLength;
    }

    /** A number that no other call has: a hash of the Call-ID whose key nobody knows. 0 if there is no Call-ID. */
    public long callKey() {
        if (callIdLength() > 0 && callKey == 0) {
            callKey = CallKeys.of(hash, octets, callIdOffset, callIdLength);
            lineKey = sent ? lineKey : callKey;
        }
        return callKey;
    }
}
