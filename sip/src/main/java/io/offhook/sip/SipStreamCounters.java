package io.offhook.sip;

import io.offhook.packet.PlacedCount;

/**
 * What the streams of one lane met, added up. Single-threaded: written by the streams, read by the lane that owns them.
 */
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
    /** The packet at hand. */
    private long frameNumber;

    private long timestampNs;

    /** All zero. */
    public SipStreamCounters() {}

    /**
     * Says where what is counted from now on happens. {@link SipStream#data} does so by itself; who tells a gap or an end
     * says it before.
     *
     * @param frameNumber of the packet at hand, 1-based
     * @param timestampNs its time, nanoseconds since the epoch
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

    /** Messages handed on, those in WebSocket frames included. */
    public long messages() {
        return messages;
    }

    /** Runs of line ends or zeros between messages, and WebSocket messages of nothing else. */
    public long keepAlives() {
        return keepAlives;
    }

    /** Bytes of SIP streams that belong to no message handed on: garbage, and unfinished messages. */
    public PlacedCount skippedBytes() {
        return skippedBytes;
    }

    /** How often a start line was looked for because bytes did not start with one. */
    public long resynchronisations() {
        return resynchronisations;
    }

    /** Messages without Content-Length, which a stream needs (RFC 3261, 18.3). */
    public PlacedCount contentLengthMissing() {
        return contentLengthMissing;
    }

    /** Messages whose Content-Length is no number, or reaches into the message that follows. */
    public PlacedCount contentLengthWrong() {
        return contentLengthWrong;
    }

    /** Messages above {@link SipBufferPool#MESSAGE_LIMIT}: handed on without body, or dropped where headers do not end. */
    public PlacedCount oversized() {
        return oversized;
    }

    /** Messages begun and not finished: by a gap, the end of the stream, or for want of a buffer. */
    public PlacedCount partialDropped() {
        return partialDropped;
    }

    /** Those of them for want of a buffer. */
    public PlacedCount bufferRefusals() {
        return bufferRefusals;
    }

    /** Holes in streams, as told. */
    public long gaps() {
        return gaps;
    }

    /** Bytes that were missing in all gaps. */
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
    public PlacedCount webSocketUnreadable() {
        return webSocketUnreadable;
    }

    /** Frames that break RFC 6455, after each of which a frame boundary is looked for. */
    public PlacedCount webSocketErrors() {
        return webSocketErrors;
    }
}
