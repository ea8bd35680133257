package io.offhook.sip;

/**
 * Extracts SIP from one direction of a WebSocket connection (RFC 6455, 5.2; the "sip" subprotocol RFC 7118).
 *
 * <p>A text or binary message contains one SIP message, or line ends as a keep-alive. A message in one unmasked frame
 * within the delivered bytes is passed on in place. Masked messages are unmasked, fragmented ones assembled and
 * compressed ones (RFC 7692) inflated, each in a borrowed buffer. After a hole, or a frame that violates the RFC, the
 * start of each segment is searched for a frame that contains a SIP message.
 */
final class WebSocketReader {
    private final SipStreamCounters counters;
    private final StreamPlace place;
    private final GatherBuffer frame;
    private final GatherBuffer message;
    private final MessageInflater inflater;
    private boolean synchronised = true;
    private boolean inMessage;
    private boolean compressed;
    /** Whether the message is too large or incomplete, so that its frames are skipped. */
    private boolean unusable;
    /** Bytes still to skip of a frame that is too large to gather. */
    private long skip;

    private int foreignMessages;
    private boolean foundSip;
    /** The position in the stream that the byte at index 0 of the text at hand has, or would have. */
    private long base;
    /** Where the frame at hand begins and ends in the stream, and where its message begins. */
    private long frameStart;

    private long frameEnd;
    private long messageStart;
    private long timestampNs;
    private long frameNumber;

    /** @param place is set to where the frames of each message lie, before it is handed on */
    WebSocketReader(SipBufferPool pool, SipStreamCounters counters, StreamPlace place) {
        this.counters = counters;
        this.place = place;
        frame = new GatherBuffer(pool);
        message = new GatherBuffer(pool);
        inflater = new MessageInflater(pool);
    }

    /** Whether any message was SIP. */
    boolean foundSip() {
        return foundSip;
    }

    /** The number of consecutive messages that were not SIP. */
    int foreignMessages() {
        return foreignMessages;
    }

    /** @param base the position in the stream that the byte at index 0 of the text has, or would have */
    void data(byte[] text, int offset, int length, long timestampNs, long frameNumber, SipSink sink, long base) {
        this.base = base;
        this.timestampNs = timestampNs;
        this.frameNumber = frameNumber;
        int end = offset + length;
        int at = offset;
        if (!synchronised) {
            if (!WebSocketFrame.startsWithSip(text, offset, length)) {
                counters.skip(length);
                return;
            }
            synchronised = true;
        }
        while (at < end && synchronised) {
            if (skip > 0) {
                int passed = (int) Math.min(skip, end - at);
                skip -= passed;
                at += passed;
            } else {
                at = frame.isEmpty() ? inPlace(text, at, end, sink) : gathered(text, at, end, sink);
            }
        }
        counters.skip(end - at);
    }

    /** Notes that bytes are missing here. */
    void gap() {
        drop();
        synchronised = false;
        inflater.loseContext();
    }

    /** Notes that no bytes follow. */
    void end() {
        drop();
        inflater.close();
    }

    private void drop() {
        if (inMessage || !frame.isEmpty()) {
            counters.dropPartial();
        }
        counters.skip(frame.length() + message.length());
        frame.clear();
        forgetMessage();
        skip = 0;
    }

    private int inPlace(byte[] text, int at, int end, SipSink sink) {
        int available = end - at;
        frameStart = base + at;
        long needed = WebSocketFrame.needed(text, at, available);
        if (needed < 0) {
            return breakOff(end, available);
        }
        if (needed > SipBufferPool.MESSAGE_LIMIT) {
            passOver(text, at, needed, 0);
            return at;
        }
        if (needed > available) {
            return frame.append(text, at, available) ? end : refuse(end, available);
        }
        frameEnd = frameStart + needed;
        frame(text, at, sink);
        return at + (int) needed;
    }

    private int gathered(byte[] text, int at, int end, SipSink sink) {
        int have = frame.length();
        long needed = WebSocketFrame.needed(frame.octets(), 0, have);
        int bytes = (int) Math.min(needed - have, end - at);
        if (!frame.append(text, at, bytes)) {
            return refuse(end, end - at);
        }
        have += bytes;
        needed = WebSocketFrame.needed(frame.octets(), 0, have);
        if (needed < 0) {
            return breakOff(end, end - at);
        }
        if (needed > SipBufferPool.MESSAGE_LIMIT) {
            passOver(frame.octets(), 0, needed, have);
            frame.clear();
        } else if (needed == have) {
            frameEnd = frameStart + needed;
            frame(frame.octets(), 0, sink);
            frame.clear();
        }
        return at + bytes;
    }

    /** Processes a complete frame. */
    private void frame(byte[] text, int at, SipSink sink) {
        int first = text[at];
        int opcode = first & 0xf;
        if (opcode >= WebSocketFrame.CLOSE) {
            return;
        }
        boolean last = (first & 0x80) != 0;
        boolean masked = (text[at + 1] & 0x80) != 0;
        int payload = at + WebSocketFrame.headerLength(text, at);
        int length = (int) WebSocketFrame.payloadLength(text, at);
        if (opcode != WebSocketFrame.CONTINUATION) {
            if (inMessage) {
                counters.meetWebSocketError();
            }
            forgetMessage();
            inMessage = true;
            messageStart = frameStart;
            compressed = (first & 0x40) != 0;
            if (last && !masked && !compressed) {
                deliver(text, payload, length, sink);
                forgetMessage();
                return;
            }
        }
        addToMessage(text, payload, length, masked);
        if (last && inMessage) {
            finishMessage(sink);
        }
    }

    private void addToMessage(byte[] text, int payload, int length, boolean masked) {
        if (!inMessage) {
            // a continuation of a frame that was not captured
            counters.skip(length);
            return;
        }
        boolean added = !unusable
                && (masked
                        ? message.appendUnmasked(
                                text, payload, length, (int) WebSocketFrame.number(text, payload - 4, 4))
                        : message.append(text, payload, length));
        if (!added) {
            counters.skip(length);
            makeUnusable(length > message.room());
        }
    }

    private void finishMessage(SipSink sink) {
        if (unusable) {
            passOverMessage();
        } else if (!compressed) {
            deliver(message.octets(), 0, message.length(), sink);
        } else if (inflater.inflate(message)) {
            deliver(inflater.output().octets(), 0, inflater.output().length(), sink);
            inflater.output().clear();
        } else {
            counters.failToReadWebSocket();
            counters.skip(message.length());
        }
        forgetMessage();
    }

    private void deliver(byte[] text, int offset, int length, SipSink sink) {
        int end = offset + length;
        int start = SipLexer.skipLineEnds(text, offset, end);
        if (start == end) {
            counters.keepAlives++;
            return;
        }
        int bytes = end - start;
        if (!SipRecognizer.isMessageStart(text, start, bytes)) {
            counters.webSocketForeignMessages++;
            counters.skip(bytes);
            foreignMessages++;
            return;
        }
        foundSip = true;
        foreignMessages = 0;
        counters.messages++;
        counters.webSocketMessages++;
        place.set(messageStart, frameEnd);
        sink.message(text, start, bytes, timestampNs, frameNumber);
    }

    /** @param tooLong whether the message exceeds the limit; otherwise there is no buffer for it */
    private void makeUnusable(boolean tooLong) {
        if (!unusable) {
            unusable = true;
            if (tooLong) {
                counters.meetOversized();
            } else {
                counters.refuseBuffer();
            }
        }
        counters.skip(message.length());
        message.clear();
    }

    /** Ends an unusable message, which was counted when it became unusable. */
    private void passOverMessage() {
        if (compressed) {
            inflater.loseContext();
        }
        forgetMessage();
    }

    private void forgetMessage() {
        message.clear();
        inMessage = false;
        compressed = false;
        unusable = false;
    }

    /** Skips a frame that is too large to gather, and drops the message that it belongs to. */
    private void passOver(byte[] text, int at, long needed, int have) {
        int first = text[at];
        if ((first & 0xf) != WebSocketFrame.CONTINUATION) {
            forgetMessage();
            inMessage = true;
            compressed = (first & 0x40) != 0;
        }
        makeUnusable(true);
        counters.skip(needed);
        if ((first & 0x80) != 0) {
            passOverMessage();
        }
        skip = needed - have;
    }

    /** Handles bytes that are not a frame. */
    private int breakOff(int end, long bytes) {
        counters.meetWebSocketError();
        return giveUp(end, bytes);
    }

    /** Handles a frame for which the pool has no buffer. */
    private int refuse(int end, long bytes) {
        counters.refuseBuffer();
        return giveUp(end, bytes);
    }

    /** Gives up everything up to the end of the delivered bytes. */
    private int giveUp(int end, long bytes) {
        counters.skip(bytes);
        drop();
        synchronised = false;
        inflater.loseContext();
        return end;
    }
}
