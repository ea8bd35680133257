package io.offhook.sip;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a TCP connection: finds out whether it carries SIP, as text or in WebSocket frames (RFC 7118), and
 * takes the messages out. The bytes come in order; holes and the end are told.
 *
 * <p>It may be attached to any stream. One that starts like HTTP without an upgrade to WebSocket, one that is binary in
 * its first {@value #BINARY_PIECES} pieces, and one that shows no start line in its first {@value #UNDECIDED_LIMIT} bytes
 * of text is rejected and takes no more time; a capture that starts in the middle of a message, or of a frame, is thus
 * picked up at the next one.
 *
 * <p>Messages are handed on in place where they can be; otherwise they are put together in a buffer borrowed from the
 * lane's pool. Never throws on what the bytes are. Single-threaded, like its pool and counters.
 */
public final class SipStream {
    private static final int UNDECIDED_LIMIT = 65_536;
    private static final int BINARY_PIECES = 4;
    private static final int FOREIGN_MESSAGES = 8;
    private static final int HANDSHAKE_LIMIT = 16_384;
    /** Bytes that are waited for when they do not tell by themselves what the stream is: a frame's header and some payload. */
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
    private final GatherBuffer opening;
    private final GatherBuffer handshake;
    private final SipFramer framer;
    private @Nullable WebSocketReader webSocket;
    private State state = State.UNDECIDED;
    private boolean negotiatedSip;
    private long undecidedBytes;
    private int binaryPieces;

    /** A stream that nothing is known of; pool and counters are those of the lane. */
    public SipStream(SipBufferPool pool, SipStreamCounters counters) {
        this.pool = pool;
        this.counters = counters;
        opening = new GatherBuffer(pool);
        handshake = new GatherBuffer(pool);
        framer = new SipFramer(pool, counters);
    }

    /** Whether SIP was found in it. */
    public boolean isSip() {
        return state == State.TEXT
                || state == State.WEBSOCKET && (negotiatedSip || webSocket != null && webSocket.foundSip());
    }

    /** Whether it carries something else, so that no more bytes need be fed. */
    public boolean isRejected() {
        return state == State.REJECTED;
    }

    /** Whether the messages come in WebSocket frames: then their Via says WS or WSS. */
    public boolean isWebSocket() {
        return state == State.WEBSOCKET;
    }

    /** The transport as Via would name it: "WS" or "TCP". */
    public String transport() {
        return isWebSocket() ? "WS" : "TCP";
    }

    /**
     * The next bytes of the stream, taken like those of {@link #data(byte[], int, int, long, long, SipSink)} once they
     * are copied. All streams of a pool copy to one place: the sink is not to feed another one.
     *
     * @param segment a native segment, borrowed until this returns
     * @param timestampNs of the packet that they came in, or that made them the next ones; ns since the epoch
     * @param frameNumber of that packet
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
     * The next bytes of the stream.
     *
     * @param text borrowed until this returns; messages that lie within them are handed on where they are
     * @param timestampNs of the packet that they came in, or that made them the next ones; ns since the epoch
     * @param frameNumber of that packet
     */
    public void data(byte[] text, int offset, int length, long timestampNs, long frameNumber, SipSink sink) {
        counters.at(frameNumber, timestampNs);
        switch (state) {
            case TEXT -> framer.data(text, offset, length, timestampNs, frameNumber, sink);
            case WEBSOCKET -> webSocketData(text, offset, length, timestampNs, frameNumber, sink);
            case HANDSHAKE -> handshake(text, offset, length, timestampNs, frameNumber, sink);
            case UNDECIDED -> open(text, offset, length, timestampNs, frameNumber, sink);
            case REJECTED -> {
                // nothing to find
            }
        }
    }

    /** So many bytes are missing here: the unfinished message is dropped, and the next start looked for. */
    public void gap(long bytes) {
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

    /** The stream has ended: an unfinished message is counted, buffers are given back. */
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
            int at = offset;
            while (at < end && (text[at] == 0 || SipLexer.isLineEnd(text[at]))) {
                at++;
            }
            if (at > offset) {
                counters.keepAlives++;
            }
            if (end - at >= OPENING_LENGTH || isOpening(text, at, end - at)) {
                decide(text, at, end - at, timestampNs, frame, sink);
            } else if (at < end && !opening.append(text, at, end - at)) {
                reject();
            }
            return;
        }
        if (isOpening(text, offset, length) && !mayGoOn()) {
            // what came before was the end of something else
            counters.skip(opening.length());
            opening.clear();
            decide(text, offset, length, timestampNs, frame, sink);
            return;
        }
        int wanted = Math.min(length, OPENING_LENGTH - opening.length());
        if (!opening.append(text, offset, wanted)) {
            reject();
        } else if (opening.length() == OPENING_LENGTH) {
            decide(opening.octets(), 0, OPENING_LENGTH, timestampNs, frame, sink);
            opening.clear();
            if (wanted < length) {
                data(text, offset + wanted, length - wanted, timestampNs, frame, sink);
            }
        }
    }

    /** Whether what is gathered may be the start of a start line or handshake: then what follows is not looked at alone. */
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

    /** Whether the bytes tell by themselves, however few they are. */
    private static boolean isOpening(byte[] text, int offset, int length) {
        return SipRecognizer.match(text, offset, length) == SipMatch.YES
                || WebSocketReader.startsWithSipFrame(text, offset, length)
                || SipLexer.startsWith(text, offset, offset + length, GET)
                || SipLexer.startsWith(text, offset, offset + length, HTTP);
    }

    private void decide(byte[] text, int at, int length, long timestampNs, long frame, SipSink sink) {
        int end = at + length;
        if (SipLexer.startsWith(text, at, end, GET) || SipLexer.startsWith(text, at, end, HTTP)) {
            state = State.HANDSHAKE;
            handshake(text, at, length, timestampNs, frame, sink);
        } else if (WebSocketReader.startsWithSipFrame(text, at, length)) {
            state = State.WEBSOCKET;
            webSocketData(text, at, length, timestampNs, frame, sink);
        } else if (SipRecognizer.match(text, at, length) != SipMatch.NO
                || SipRecognizer.looksLikeText(text, at, length)) {
            framer.data(text, at, length, timestampNs, frame, sink);
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

    /** Gathers the HTTP message that a WebSocket connection starts with (RFC 6455, 4). */
    private void handshake(byte[] text, int at, int length, long timestampNs, long frame, SipSink sink) {
        int before = handshake.length();
        int bytes = Math.min(length, HANDSHAKE_LIMIT - before);
        if (before == HANDSHAKE_LIMIT || !handshake.append(text, at, bytes)) {
            reject();
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

    /** Whether an upgrade to WebSocket is asked for or granted, and the subprotocol, where one is named, is SIP. */
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
        WebSocketReader reader = webSocket == null ? new WebSocketReader(pool, counters) : webSocket;
        webSocket = reader;
        reader.data(text, offset, length, timestampNs, frame, sink);
        if (!reader.foundSip() && reader.foreignMessages() >= FOREIGN_MESSAGES) {
            reject();
        }
    }

    private void reject() {
        end();
        state = State.REJECTED;
        counters.rejectedStreams++;
    }

    private void dropOpening() {
        opening.clear();
        handshake.clear();
    }
}
