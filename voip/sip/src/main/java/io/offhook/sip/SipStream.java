package io.offhook.sip;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a TCP connection: determines whether it carries SIP, as text or in WebSocket frames (RFC 7118), and
 * extracts the messages. The caller passes the bytes in order, and reports holes and the end.
 *
 * <p>It may be attached to any stream. A stream is rejected, and costs no further time, if it begins as HTTP without an
 * upgrade to WebSocket, if its first {@value #BINARY_PIECES} pieces are binary, or if its first
 * {@value #UNDECIDED_LIMIT} bytes of text contain no start line. A capture that starts in the middle of a message or
 * frame is therefore picked up at the next one.
 *
 * <p>Messages are passed on in place if possible, otherwise assembled in a buffer borrowed from the pool of the lane.
 * Never throws because of the content. Single-threaded, like its pool and counters.
 */
public final class SipStream {
    private static final int UNDECIDED_LIMIT = 65_536;
    private static final int BINARY_PIECES = 4;
    private static final int FOREIGN_MESSAGES = 8;
    private static final int HANDSHAKE_LIMIT = 16_384;
    /** The number of bytes to wait for if fewer do not identify the stream: a frame header and some payload. */
    private static final int OPENING_LENGTH = 40;

    private static final byte[] GET = SipLexer.lowerCase("GET ");
    private static final byte[] HTTP = SipLexer.lowerCase("HTTP/1.");
    private static final byte[] SWITCHING = SipLexer.lowerCase("101");
    private static final byte[] UPGRADE = SipLexer.lowerCase("upgrade");
    private static final byte[] WEBSOCKET = SipLexer.lowerCase("websocket");
    private static final byte[] SUBPROTOCOL = SipLexer.lowerCase("sec-websocket-protocol");
    private static final byte[] SIP = SipLexer.lowerCase("sip");

    private enum State {
        UNDECIDED,
        HANDSHAKE,
        TEXT,
        WEBSOCKET,
        REJECTED
    }

    private final SipBufferPool pool;
    private final SipStreamCounters counters;
    private final StreamPlace place = new StreamPlace();
    private final GatherBuffer opening;
    private final GatherBuffer handshake;
    private final SipFramer framer;
    private @Nullable WebSocketReader webSocket;
    private State state = State.UNDECIDED;
    private boolean negotiatedSip;
    private long undecidedBytes;
    private int binaryPieces;
    /** Bytes delivered and missing so far. */
    private long position;
    /** The position that the byte at index 0 of the array at hand has, or would have. */
    private long base;
    /** The position of the first byte of {@link #opening}. */
    private long openingStart;

    /**
     * Creates a stream of unknown content.
     *
     * @param pool the buffer pool of the lane
     * @param counters the counters of the lane
     */
    public SipStream(SipBufferPool pool, SipStreamCounters counters) {
        this.pool = pool;
        this.counters = counters;
        opening = new GatherBuffer(pool);
        handshake = new GatherBuffer(pool);
        framer = new SipFramer(pool, counters, place);
    }

    /** Whether the stream contains SIP. */
    public boolean isSip() {
        return state == State.TEXT
                || state == State.WEBSOCKET && (negotiatedSip || webSocket != null && webSocket.foundSip());
    }

    /** Whether the stream carries another protocol, so that no further bytes need be passed. */
    public boolean isRejected() {
        return state == State.REJECTED;
    }

    /** Whether the messages arrive in WebSocket frames, with WS or WSS in their Via. */
    public boolean isWebSocket() {
        return state == State.WEBSOCKET;
    }

    /** The transport: {@link SipTransport#WS} or {@link SipTransport#TCP}. */
    public SipTransport transport() {
        return isWebSocket() ? SipTransport.WS : SipTransport.TCP;
    }

    /**
     * Passes the next bytes of the stream, which are copied and then processed as by
     * {@link #data(byte[], int, int, long, long, SipSink)}. All streams of a pool use the same copy, so the sink must
     * not pass bytes to another stream.
     *
     * @param segment a native segment, borrowed until this method returns
     * @param offset the first byte in the segment
     * @param length the number of bytes
     * @param timestampNs the time of the packet that carried the bytes, or that put them in sequence, in nanoseconds
     *     since the epoch
     * @param frameNumber the number of that packet's frame
     * @param sink receives the messages
     */
    public void data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber, SipSink sink) {
        for (int taken = 0; taken < length; ) {
            SipText piece = pool.piece();
            piece.copy(segment, offset + taken, length - taken);
            taken += piece.length();
            data(piece.octets(), 0, piece.length(), timestampNs, frameNumber, sink);
        }
    }

    /**
     * Passes the next bytes of the stream.
     *
     * @param text borrowed until this method returns; messages within it are passed on in place
     * @param offset the first byte in the array
     * @param length the number of bytes
     * @param timestampNs the time of the packet that carried the bytes, or that put them in sequence, in nanoseconds
     *     since the epoch
     * @param frameNumber the number of that packet's frame
     * @param sink receives the messages
     */
    public void data(byte[] text, int offset, int length, long timestampNs, long frameNumber, SipSink sink) {
        counters.at(frameNumber, timestampNs);
        base = position - offset;
        position += length;
        take(text, offset, length, timestampNs, frameNumber, sink);
    }

    private void take(byte[] text, int offset, int length, long timestampNs, long frameNumber, SipSink sink) {
        switch (state) {
            case TEXT -> framer.data(text, offset, length, timestampNs, frameNumber, sink, base);
            case WEBSOCKET -> webSocketData(text, offset, length, timestampNs, frameNumber, sink);
            case HANDSHAKE -> handshake(text, offset, length, timestampNs, frameNumber, sink);
            case UNDECIDED -> open(text, offset, length, timestampNs, frameNumber, sink);
            case REJECTED -> {
                // not SIP: nothing to find
            }
        }
    }

    /**
     * Where the message that the sink is given begins in the stream: with its start line, or with the first byte of its
     * first WebSocket frame. Bytes delivered and missing ones count from 0. Valid while the sink is called.
     */
    public long messageStart() {
        return place.start();
    }

    /** The position behind the last byte of that message, or of its last WebSocket frame. */
    public long messageEnd() {
        return place.end();
    }

    /**
     * Reports a hole: the incomplete message is dropped, and the next start line searched.
     *
     * @param bytes the size of the hole
     */
    public void gap(long bytes) {
        position += bytes;
        if (state == State.REJECTED) {
            return;
        }
        counters.gaps++;
        counters.gapBytes += bytes;
        dropOpening();
        framer.gap();
        if (webSocket != null) {
            webSocket.gap();
        }
        if (state == State.HANDSHAKE) {
            state = State.UNDECIDED;
        }
    }

    /** Reports the end of the stream: an incomplete message is counted, and buffers are returned to the pool. */
    public void end() {
        dropOpening();
        framer.end();
        if (webSocket != null) {
            webSocket.end();
        }
    }

    private void open(byte[] text, int offset, int length, long timestampNs, long frame, SipSink sink) {
        int end = offset + length;
        if (opening.isEmpty()) {
            // behind the beginning of a start line, line ends belong to it, and few bytes are enough
            boolean goesOn = framer.isGathering();
            int at = goesOn ? offset : skipKeepAlive(text, offset, end);
            if (goesOn || end - at >= OPENING_LENGTH || isOpening(text, at, end - at)) {
                decide(text, at, end - at, timestampNs, frame, sink);
            } else if (at < end) {
                openingStart = base + at;
                if (!opening.append(text, at, end - at)) {
                    refuse(end - at);
                }
            }
            return;
        }
        gatherOpening(text, offset, length, timestampNs, frame, sink);
    }

    /** Adds to what is gathered of the beginning, and decides once that identifies the stream or is long enough. */
    private void gatherOpening(byte[] text, int offset, int length, long timestampNs, long frame, SipSink sink) {
        boolean belongsTogether = mayGoOn();
        int before = opening.length();
        int wanted = Math.min(length, OPENING_LENGTH - before);
        if (!opening.append(text, offset, wanted)) {
            refuse(length);
            return;
        }
        int gathered = opening.length();
        boolean isOpening = isOpening(opening.octets(), 0, gathered);
        belongsTogether |= WebSocketFrame.startsWithKnownSip(opening.octets(), 0, gathered);
        if (!belongsTogether && isOpening(text, offset, length)) {
            // the bytes before it belong to another message
            counters.skip(before);
            opening.clear();
            decide(text, offset, length, timestampNs, frame, sink);
        } else if (isOpening || gathered == OPENING_LENGTH) {
            long following = base;
            base = openingStart;
            decide(opening.octets(), 0, gathered, timestampNs, frame, sink);
            base = following;
            opening.clear();
            if (wanted < length) {
                take(text, offset + wanted, length - wanted, timestampNs, frame, sink);
            }
        }
    }

    private int skipKeepAlive(byte[] text, int offset, int end) {
        int at = offset;
        while (at < end && (text[at] == 0 || SipLexer.isLineEnd(text[at]))) {
            at++;
        }
        if (at > offset) {
            counters.keepAlives++;
        }
        return at;
    }

    /**
     * Whether the gathered bytes may be the beginning of a start line or handshake, so that later bytes must not be
     * examined separately.
     */
    private boolean mayGoOn() {
        byte[] gathered = opening.octets();
        return SipRecognizer.match(gathered, 0, opening.length()) != SipMatch.NO
                || agree(gathered, opening.length(), GET)
                || agree(gathered, opening.length(), HTTP);
    }

    /** Whether the bytes start with the text, or end within it. */
    private static boolean agree(byte[] text, int length, byte[] lowerCase) {
        for (int i = 0; i < Math.min(length, lowerCase.length); i++) {
            if (SipLexer.lower(text[i]) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the bytes, however few, identify the stream. */
    private static boolean isOpening(byte[] text, int offset, int length) {
        return SipRecognizer.match(text, offset, length) == SipMatch.YES
                || WebSocketFrame.startsWithSip(text, offset, length)
                || SipLexer.startsWith(text, offset, offset + length, GET)
                || SipLexer.startsWith(text, offset, offset + length, HTTP);
    }

    private void decide(byte[] text, int at, int length, long timestampNs, long frame, SipSink sink) {
        int end = at + length;
        boolean goesOn = framer.isGathering(); // then no bytes of it begin anything else
        if (!goesOn && (SipLexer.startsWith(text, at, end, GET) || SipLexer.startsWith(text, at, end, HTTP))) {
            state = State.HANDSHAKE;
            handshake(text, at, length, timestampNs, frame, sink);
        } else if (!goesOn && WebSocketFrame.startsWithSip(text, at, length)) {
            state = State.WEBSOCKET;
            webSocketData(text, at, length, timestampNs, frame, sink);
        } else if (goesOn
                || SipRecognizer.match(text, at, length) != SipMatch.NO
                || SipRecognizer.looksLikeText(text, at, length)) {
            framer.data(text, at, length, timestampNs, frame, sink, base);
            undecidedBytes += length;
            if (framer.foundSip()) {
                state = State.TEXT;
            } else if (undecidedBytes > UNDECIDED_LIMIT) {
                reject();
            }
        } else if (++binaryPieces >= BINARY_PIECES) {
            reject();
        }
    }

    /** Gathers the HTTP message that opens a WebSocket connection (RFC 6455, 4). */
    private void handshake(byte[] text, int at, int length, long timestampNs, long frame, SipSink sink) {
        int before = handshake.length();
        int bytes = Math.min(length, HANDSHAKE_LIMIT - before);
        if (before == HANDSHAKE_LIMIT) {
            reject();
            return;
        }
        if (!handshake.append(text, at, bytes)) {
            refuse(length);
            return;
        }
        int body = SipHeaderScan.headersEnd(handshake.octets(), Math.max(0, before - 8), handshake.length());
        if (body < 0) {
            return;
        }
        boolean upgraded = isUpgrade(handshake.octets(), body);
        handshake.clear();
        if (!upgraded) {
            reject();
            return;
        }
        state = State.WEBSOCKET;
        int used = body - before;
        webSocketData(text, at + used, length - used, timestampNs, frame, sink);
    }

    /** Whether the message requests or grants an upgrade to WebSocket, and its subprotocol, if any, is SIP. */
    private boolean isUpgrade(byte[] text, int end) {
        int space = SipLexer.indexOf(text, 0, end, SipLexer.SP);
        boolean request = SipLexer.startsWith(text, 0, end, GET);
        if (!request && !SipLexer.startsWith(text, space + 1, end, SWITCHING)) {
            return false;
        }
        int upgrade = SipHeaderScan.find(text, 0, end, UPGRADE, 0);
        if (upgrade < 0 || !SipLexer.startsWith(text, upgrade, end, WEBSOCKET)) {
            return false;
        }
        int protocol = SipHeaderScan.find(text, 0, end, SUBPROTOCOL, 0);
        if (protocol < 0) {
            return true;
        }
        negotiatedSip = namesSip(text, protocol, SipHeaderScan.valueEnd(text, protocol, end));
        return negotiatedSip;
    }

    private static boolean namesSip(byte[] text, int from, int end) {
        int at = from;
        while (at < end) {
            int comma = SipLexer.indexOf(text, at, end, ',');
            int start = SipLexer.skipLws(text, at, comma);
            int wordEnd = SipLexer.trimEnd(text, start, comma);
            if (wordEnd - start == SIP.length && SipLexer.startsWith(text, start, wordEnd, SIP)) {
                return true;
            }
            at = comma + 1;
        }
        return false;
    }

    private void webSocketData(byte[] text, int offset, int length, long timestampNs, long frame, SipSink sink) {
        WebSocketReader reader = webSocket == null ? new WebSocketReader(pool, counters, place) : webSocket;
        webSocket = reader;
        reader.data(text, offset, length, timestampNs, frame, sink, base);
        if (!reader.foundSip() && reader.foreignMessages() >= FOREIGN_MESSAGES) {
            reject();
        }
    }

    private void reject() {
        end();
        state = State.REJECTED;
        counters.rejectedStreams++;
    }

    /** The pool has no buffer for the beginning: a later start line or frame may still identify the stream. */
    private void refuse(int bytes) {
        counters.refuseBuffer();
        counters.skip(opening.length() + handshake.length() + bytes);
        dropOpening();
        state = State.UNDECIDED;
    }

    private void dropOpening() {
        opening.clear();
        handshake.clear();
    }
}
