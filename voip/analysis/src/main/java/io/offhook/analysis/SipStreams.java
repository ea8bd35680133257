package io.offhook.analysis;

import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.packet.NetworkOrder;
import io.offhook.sip.SipBufferPool;
import io.offhook.sip.SipMatch;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipSink;
import io.offhook.sip.SipStream;
import io.offhook.sip.SipStreamCounters;
import io.offhook.sip.SipText;
import java.lang.foreign.MemorySegment;

/** SIP over TCP, as text or in WebSocket frames; the default for streams that no other protocol recognizes. */
final class SipStreams implements StreamProtocol {
    /** The first byte of a whole text or binary message (RFC 6455, 5.2). */
    private static final int WEB_SOCKET_TEXT = 0x81;

    private static final int WEB_SOCKET_BINARY = 0x82;

    /** The most buffer memory for messages that span segments, of all streams of the shard. */
    private static final long BUFFER_BYTES = 4L << 20;

    private final SipBufferPool buffers = new SipBufferPool(BUFFER_BYTES);
    private final SipText text = new SipText();
    private final SipStreamCounters counters = new SipStreamCounters();

    /** A start line or a WebSocket frame starts a stream. Other text may be the middle of a message. */
    @Override
    public Pickup pickup(MemorySegment segment, long offset, int length) {
        int first = NetworkOrder.u8(segment, offset);
        boolean webSocket = first == WEB_SOCKET_TEXT || first == WEB_SOCKET_BINARY;
        if (webSocket || SipRecognizer.match(segment, offset, length, text) == SipMatch.YES) {
            return Pickup.NOW;
        }
        return SipRecognizer.looksLikeText(segment, offset, length, text) ? Pickup.WAIT : Pickup.IGNORE;
    }

    @Override
    public StreamReader begin(TcpStream stream, StreamOutput out) {
        return new Reader(stream, out);
    }

    SipStreamCounters counters() {
        return counters;
    }

    /** One direction of a connection that may carry SIP. */
    private final class Reader implements StreamReader, SipSink {
        private final TcpStream stream;
        private final StreamOutput out;
        private final SipStream sip = new SipStream(buffers, counters);
        private long latestNs = Long.MIN_VALUE;
        private long latestFrame;

        Reader(TcpStream stream, StreamOutput out) {
            this.stream = stream;
            this.out = out;
        }

        /** Held bytes are passed after later ones: a message is complete when the last of its packets was captured. */
        @Override
        public boolean data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
            if (frameNumber > latestFrame) {
                latestFrame = frameNumber;
                latestNs = timestampNs;
            }
            sip.data(segment, offset, length, latestNs, latestFrame, this);
            return !sip.isRejected();
        }

        @Override
        public void gap(long missingBytes, long timestampNs, long frameNumber) {
            counters.at(frameNumber, timestampNs);
            sip.gap(missingBytes);
        }

        @Override
        public void end() {
            counters.at(latestFrame, latestNs);
            sip.end();
        }

        @Override
        public void message(byte[] octets, int offset, int length, long timestampNs, long frameNumber) {
            out.message(
                    stream,
                    new StreamMessage(
                            octets, offset, length, timestampNs, frameNumber, sip.messageStart(), sip.messageEnd()),
                    sip.transport());
        }
    }
}
