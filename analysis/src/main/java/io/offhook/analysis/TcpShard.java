package io.offhook.analysis;

import io.offhook.calls.LossTimes;
import io.offhook.calls.SipPacket;
import io.offhook.flow.TcpLimits;
import io.offhook.flow.TcpStream;
import io.offhook.flow.TcpStreamHandler;
import io.offhook.flow.TcpStreams;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.NetworkOrder;
import io.offhook.sip.SipBufferPool;
import io.offhook.sip.SipMatch;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipSink;
import io.offhook.sip.SipStream;
import io.offhook.sip.SipStreamCounters;
import io.offhook.sip.SipText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The TCP connections of one shard: puts their streams together, finds the SIP messages in them, and keeps these until
 * the end of the round. Single-threaded.
 */
final class TcpShard implements TcpStreamHandler {
    /** A shard's part of what {@link TcpLimits#DEFAULT} allows for all. */
    private static final TcpLimits LIMITS = new TcpLimits(
            TcpLimits.DEFAULT.connections() / Shards.TCP * 2,
            TcpLimits.DEFAULT.bytesPerStream(),
            TcpLimits.DEFAULT.bytesHeld() / Shards.TCP,
            TcpLimits.DEFAULT.segmentsHeld(),
            TcpLimits.DEFAULT.segmentsWaiting(),
            TcpLimits.DEFAULT.holdTimeNs(),
            TcpLimits.DEFAULT.idleTimeoutNs());

    /** The first byte of a whole text or binary message (RFC 6455, 5.2). */
    private static final int WEB_SOCKET_TEXT = 0x81;

    private static final int WEB_SOCKET_BINARY = 0x82;

    /** For messages that span segments, of all streams of the shard. */
    private static final long BUFFER_BYTES = 4L << 20;

    private final TcpStreams streams;
    private final RoundMemory memory;
    private final SipBufferPool buffers = new SipBufferPool(BUFFER_BYTES);
    private final SipText text = new SipText();
    private final SipStreamCounters counters = new SipStreamCounters();
    private final List<SipPacket> messages = new ArrayList<>();
    private final LossTimes captureLosses = new LossTimes();
    private final TlsStreams tls = new TlsStreams();

    TcpShard(Arena arena) {
        streams = new TcpStreams(LIMITS, this);
        memory = new RoundMemory(arena);
    }

    /** Takes the segments of a batch into account. */
    void accept(SegmentEvents events, FrameBatch batch) {
        long[] rows = events.rows();
        for (int row = 0; row < events.end(); row += SegmentEvents.WIDTH) {
            segment(batch.segmentOf((int) rows[row + SegmentEvents.FRAME_INDEX]), rows, row);
        }
    }

    /** Takes the segments of a batch into account, and among them those that came in fragments, by their frames. */
    void accept(SegmentEvents events, FrameBatch batch, SegmentEvents late, RoundMemory reassembled) {
        long[] rows = events.rows();
        long[] lateRows = late.rows();
        int row = 0;
        for (int lateRow = 0; lateRow < late.end(); lateRow += SegmentEvents.WIDTH) {
            long number = lateRows[lateRow + SegmentEvents.FRAME];
            for (; row < events.end() && rows[row + SegmentEvents.FRAME] < number; row += SegmentEvents.WIDTH) {
                segment(batch.segmentOf((int) rows[row + SegmentEvents.FRAME_INDEX]), rows, row);
            }
            int chunk = FrameDecoder.IN_MEMORY - (int) lateRows[lateRow + SegmentEvents.FRAME_INDEX];
            segment(reassembled.segment(chunk), lateRows, lateRow);
        }
        for (; row < events.end(); row += SegmentEvents.WIDTH) {
            segment(batch.segmentOf((int) rows[row + SegmentEvents.FRAME_INDEX]), rows, row);
        }
    }

    private void segment(MemorySegment segment, long[] rows, int row) {
        streams.segment(
                segment,
                rows[row + SegmentEvents.SOURCE_HIGH],
                rows[row + SegmentEvents.SOURCE_LOW],
                (int) rows[row + SegmentEvents.PORTS] >>> 16,
                rows[row + SegmentEvents.DESTINATION_HIGH],
                rows[row + SegmentEvents.DESTINATION_LOW],
                (int) rows[row + SegmentEvents.PORTS] & 0xffff,
                rows[row + SegmentEvents.TCP_OFFSET],
                rows[row + SegmentEvents.PAYLOAD_OFFSET],
                (int) (rows[row + SegmentEvents.PAYLOAD_LENGTHS] >>> 32),
                (int) rows[row + SegmentEvents.PAYLOAD_LENGTHS],
                rows[row + SegmentEvents.TIMESTAMP],
                rows[row + SegmentEvents.FRAME],
                (int) rows[row + SegmentEvents.SCOPE]);
    }

    /** Tells the ends of all streams: what was held behind a hole comes out now. */
    void flush() {
        streams.flush();
    }

    /** The messages that this round completed, in the order in which they were completed. */
    List<SipPacket> messages() {
        return messages;
    }

    void endRound() {
        messages.clear();
        memory.clear();
    }

    TcpStreams streams() {
        return streams;
    }

    /**
     * A start line, or a WebSocket frame, is a place to start from; so is TLS, to be told once what it is and then left
     * alone. Other text may be the middle of a message.
     */
    @Override
    public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
        int first = NetworkOrder.u8(segment, payloadOffset);
        boolean webSocket = first == WEB_SOCKET_TEXT || first == WEB_SOCKET_BINARY;
        if (webSocket
                || TlsHello.isRecord(segment, payloadOffset, payloadLength)
                || SipRecognizer.match(segment, payloadOffset, payloadLength, text) == SipMatch.YES) {
            return Pickup.NOW;
        }
        return SipRecognizer.looksLikeText(segment, payloadOffset, payloadLength, text) ? Pickup.WAIT : Pickup.IGNORE;
    }

    @Override
    public void data(
            TcpStream stream, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
        SipDirection direction = (SipDirection) stream.attachment();
        if (direction == null) {
            if (TlsHello.isRecord(segment, offset, length)) {
                tls.see(stream.source(), stream.destination(), segment, offset, length, timestampNs, frameNumber);
                stream.ignore();
                return;
            }
            direction = new SipDirection(stream);
            stream.attachment(direction);
        }
        direction.data(segment, offset, length, timestampNs, frameNumber);
        if (direction.sip.isRejected()) {
            stream.ignore();
        }
    }

    @Override
    public void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber) {
        if (stream.isGapAcknowledged()) {
            long toldNs = stream.toldTimestampNs();
            captureLosses.add(Math.min(toldNs, timestampNs), Math.max(toldNs, timestampNs));
        }
        SipDirection direction = (SipDirection) stream.attachment();
        if (direction != null) {
            counters.at(frameNumber, timestampNs);
            direction.sip.gap(missingBytes);
        }
    }

    @Override
    public void end(TcpStream stream, End reason) {
        SipDirection direction = (SipDirection) stream.attachment();
        if (direction != null) {
            counters.at(direction.latestFrame, direction.latestNs);
            direction.sip.end();
        }
    }

    /** When bytes were sent and acknowledged that the capture has not. */
    LossTimes captureLosses() {
        return captureLosses;
    }

    TlsStreams tls() {
        return tls;
    }

    SipStreamCounters counters() {
        return counters;
    }

    void close() {
        streams.close();
    }

    /** One direction of a connection that may carry SIP. */
    private final class SipDirection implements SipSink {
        private final TcpStream stream;
        private final SipStream sip = new SipStream(buffers, counters);
        private long latestNs = Long.MIN_VALUE;
        private long latestFrame;

        SipDirection(TcpStream stream) {
            this.stream = stream;
        }

        /** Bytes that were held come after later ones in time: a message is complete when the last of it was captured. */
        void data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
            if (frameNumber > latestFrame) {
                latestFrame = frameNumber;
                latestNs = timestampNs;
            }
            sip.data(segment, offset, length, latestNs, latestFrame, this);
        }

        @Override
        public void message(byte[] octets, int offset, int length, long timestampNs, long frameNumber) {
            memory.copy(octets, offset, length);
            messages.add(new SipPacket(
                    SipMessageView.callIdHash(octets, offset, length),
                    timestampNs,
                    frameNumber,
                    memory.segment(memory.chunk()),
                    memory.offset(),
                    length,
                    stream.source(),
                    stream.destination(),
                    sip.transport(),
                    -1));
        }
    }
}
