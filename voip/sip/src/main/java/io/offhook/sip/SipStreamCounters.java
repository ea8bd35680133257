package io.offhook.sip;

import io.offhook.packet.PlacedCount;

/** The counters of all streams of one lane. Single-threaded: the streams write them, and the owning lane reads them. */
public final class SipStreamCounters {
    long messages;
    long keepAlives;
    long resynchronisations;
    long gaps;
    long gapBytes;
    long rejectedStreams;
    long webSocketMessages;
    long webSocketForeignMessages;
    private final PlacedCount skippedBytes = new PlacedCount();
    private final PlacedCount contentLengthMissing = new PlacedCount();
    private final PlacedCount contentLengthWrong = new PlacedCount();
    private final PlacedCount oversized = new PlacedCount();
    private final PlacedCount partialDropped = new PlacedCount();
    private final PlacedCount bufferRefusals = new PlacedCount();
    private final PlacedCount webSocketUnreadable = new PlacedCount();
    private final PlacedCount webSocketErrors = new PlacedCount();
    /** The number of the current frame. */
    private long frameNumber;

    private long timestampNs;

    /** Creates counters of zero. */
    public SipStreamCounters() {}

    /**
     * Sets the place of subsequent counts. {@link SipStream#data} does so itself; call this before reporting a gap or
     * an end.
     *
     * @param frameNumber the number of the current frame, 1-based
     * @param timestampNs the time of the frame, in nanoseconds since the epoch
     */
    public void at(long frameNumber, long timestampNs) {
        this.frameNumber = frameNumber;
        this.timestampNs = timestampNs;
    }

    void skip(long bytes) {
        skippedBytes.add(bytes, frameNumber, timestampNs);
    }

    void missContentLength() {
        contentLengthMissing.add(frameNumber, timestampNs);
    }

    void findContentLengthWrong() {
        contentLengthWrong.add(frameNumber, timestampNs);
    }

    void meetOversized() {
        oversized.add(frameNumber, timestampNs);
    }

    void dropPartial() {
        partialDropped.add(frameNumber, timestampNs);
    }

    void refuseBuffer() {
        bufferRefusals.add(frameNumber, timestampNs);
    }

    void failToReadWebSocket() {
        webSocketUnreadable.add(frameNumber, timestampNs);
    }

    void meetWebSocketError() {
        webSocketErrors.add(frameNumber, timestampNs);
    }

    /** Messages passed on, including those in WebSocket frames. */
    public long messages() {
        return messages;
    }

    /** Sequences of line ends or zeros between messages, and WebSocket messages that contain nothing else. */
    public long keepAlives() {
        return keepAlives;
    }

    /** Bytes of SIP streams outside messages that were passed on: garbage and incomplete messages. */
    public PlacedCount skippedBytes() {
        return skippedBytes;
    }

    /** How often the bytes did not begin with a start line and one was searched. */
    public long resynchronisations() {
        return resynchronisations;
    }

    /** Messages without Content-Length, which RFC 3261, 18.3 requires on a stream. */
    public PlacedCount contentLengthMissing() {
        return contentLengthMissing;
    }

    /** Messages whose Content-Length is not a number, or reaches into the next message. */
    public PlacedCount contentLengthWrong() {
        return contentLengthWrong;
    }

    /**
     * Messages longer than {@link SipBufferPool#MESSAGE_LIMIT}: passed on without body, or dropped if the headers do
     * not end.
     */
    public PlacedCount oversized() {
        return oversized;
    }

    /** Incomplete messages dropped because of a gap, the end of the stream, or the lack of a buffer. */
    public PlacedCount partialDropped() {
        return partialDropped;
    }

    /** Incomplete messages dropped because of the lack of a buffer. */
    public PlacedCount bufferRefusals() {
        return bufferRefusals;
    }

    /** Gaps reported for the streams. */
    public long gaps() {
        return gaps;
    }

    /** Bytes that were missing in all gaps. */
    public long gapBytes() {
        return gapBytes;
    }

    /** Streams that carry another protocol. */
    public long rejectedStreams() {
        return rejectedStreams;
    }

    /** SIP messages in WebSocket messages. */
    public long webSocketMessages() {
        return webSocketMessages;
    }

    /** WebSocket messages that are not SIP. */
    public long webSocketForeignMessages() {
        return webSocketForeignMessages;
    }

    /** Compressed WebSocket messages that could not be inflated: damaged, too large, or without their context. */
    public PlacedCount webSocketUnreadable() {
        return webSocketUnreadable;
    }

    /** Frames that violate RFC 6455, after each of which a frame boundary is searched. */
    public PlacedCount webSocketErrors() {
        return webSocketErrors;
    }
}
