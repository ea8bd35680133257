package io.offhook.sip;

/**
 * What the streams of one lane met, added up. Single-threaded: written by the streams, read by the lane that owns them.
 */
public final class SipStreamCounters {
    long messages;
    long keepAlives;
    long skippedBytes;
    long resynchronisations;
    long contentLengthMissing;
    long contentLengthWrong;
    long oversized;
    long partialDropped;
    long bufferRefusals;
    long gaps;
    long gapBytes;
    long rejectedStreams;
    long webSocketMessages;
    long webSocketForeignMessages;
    long webSocketUnreadable;
    long webSocketErrors;

    /** All zero. */
    public SipStreamCounters() {}

    /** Messages handed on, those in WebSocket frames included. */
    public long messages() {
        return messages;
    }

    /** Runs of line ends or zeros between messages, and WebSocket messages of nothing else. */
    public long keepAlives() {
        return keepAlives;
    }

    /** Bytes of SIP streams that belong to no message handed on: garbage, and unfinished messages. */
    public long skippedBytes() {
        return skippedBytes;
    }

    /** How often a start line was looked for because bytes did not start with one. */
    public long resynchronisations() {
        return resynchronisations;
    }

    /** Messages without Content-Length, which a stream needs (RFC 3261, 18.3). */
    public long contentLengthMissing() {
        return contentLengthMissing;
    }

    /** Messages whose Content-Length is no number, or reaches into the message that follows. */
    public long contentLengthWrong() {
        return contentLengthWrong;
    }

    /** Messages above {@link SipBufferPool#MESSAGE_LIMIT}: handed on without body, or dropped where headers do not end. */
    public long oversized() {
        return oversized;
    }

    /** Messages begun and not finished: by a gap, the end of the stream, or for want of a buffer. */
    public long partialDropped() {
        return partialDropped;
    }

    /** Those of them for want of a buffer. */
    public long bufferRefusals() {
        return bufferRefusals;
    }

    /** Holes in streams, as told. */
    public long gaps() {
        return gaps;
    }

    public long gapBytes() {
        return gapBytes;
    }

    /** Streams found to carry something else. */
    public long rejectedStreams() {
        return rejectedStreams;
    }

    /** SIP messages that came in WebSocket messages. */
    public long webSocketMessages() {
        return webSocketMessages;
    }

    /** WebSocket messages that are not SIP. */
    public long webSocketForeignMessages() {
        return webSocketForeignMessages;
    }

    /** Compressed WebSocket messages that could not be inflated: damaged, too large, or their context was not captured. */
    public long webSocketUnreadable() {
        return webSocketUnreadable;
    }

    /** Frames that break RFC 6455, after each of which a frame boundary is looked for. */
    public long webSocketErrors() {
        return webSocketErrors;
    }
}
