package io.offhook.analysis.kept;

import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameSink;
import io.offhook.analysis.Pipeline;
import io.offhook.analysis.Round;
import io.offhook.analysis.RoundSink;
import io.offhook.analysis.Shards;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.rtp.RtpRows;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipText;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Finds what each frame of a round belongs to, and passes those that are kept on at its end. All RTP and RTCP is kept: to which
 * call it belongs may be known only later. Allocates nothing in the steady state.
 */
final class FrameKeys implements TrafficSink, RoundSink {
    /** More than the frames of a round, so that the number of a frame, modulo this, is its place. */
    private static final int PLACES = 1 << 16;

    private static final byte NOTHING = 0;
    /** Its key may be replaced by a better one. */
    private static final byte ANY = 1;
    /** Its key stays, whatever is found in it. */
    private static final byte FIXED = 2;

    private static final int SIPS_PORT = 5061;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int DTLS_MAJOR = 0xfe;
    private static final int DTLS_HEADER = 13;
    private static final int TCP_FLAGS = 13;
    private static final int SYN = 2;
    private static final int MOST_REQUEST = 2048;
    private static final byte[] WEB_SOCKET = {'s', 'e', 'c', '-', 'w', 'e', 'b', 's', 'o', 'c', 'k', 'e', 't'};

    /** How much is kept. */
    enum Extent {
        /** What may belong to calls. */
        WHOLE,
        /** The same, but of media only headers. */
        HEADERS,
        /** Each frame, as all of them were kept before and need keys. */
        ALL_FRAMES
    }

    private final KeptFrames to;
    private final Extent extent;
    private final boolean isOpened;
    private final ConnectionChoice choice = new ConnectionChoice();

    /** By place: what is known of the frame, and from {@link ConnectionChoice#OPENS} on, that it is TCP. */
    private final byte[] looks = new byte[PLACES];

    private final long[] keys = new long[PLACES];
    /** By place, where only headers are kept: the length of a frame of RTP up to its payload, or 0. */
    private final int[] headers;

    /** Connections in which something was found in this round: those of messages, of RTCP, and of RTP, each by shard. */
    private final Found[] found = new Found[Shards.SIP + 1 + Shards.RTP];

    /** Connections of a shard. */
    private static final class Found {
        private long[] connections = new long[16];
        private int count;

        void add(long connection) {
            if (count > 0 && connections[count - 1] == connection) {
                return;
            }
            if (count == connections.length) {
                connections = Arrays.copyOf(connections, 2 * count);
            }
            connections[count++] = connection;
        }
    }

    /**
     * Creates it for one run of a pipeline.
     *
     * @param isOpened whether there are keys for TLS, so that it may turn out to be SIP on any port
     */
    FrameKeys(KeptFrames to, Extent extent, boolean isOpened) {
        this.to = to;
        this.extent = extent;
        headers = new int[extent == Extent.HEADERS ? PLACES : 0];
        this.isOpened = isOpened;
        Arrays.setAll(found, _ -> new Found());
    }

    void addTo(Pipeline pipeline) {
        pipeline.frames(_ -> new Lane()).traffic(this).rounds(this);
    }

    private static int place(long frameNumber) {
        return (int) frameNumber & PLACES - 1;
    }

    /** Looks at frames whose events do not say enough. */
    private final class Lane implements FrameSink {
        private final SipText text = new SipText();

        @Override
        public void frame(DecodedFrame frame) {
            switch (frame.payload()) {
                case TCP -> {
                    int place = place(frame.number());
                    keys[place] = frame.hash();
                    looks[place] = look(frame.layers());
                }
                case FRAGMENT, STUN, SCTP -> {
                    int place = place(frame.number());
                    keys[place] = PacketKeys.OTHERS;
                    looks[place] = FIXED;
                }
                case OTHER -> {
                    if (isDtlsHandshake(frame.layers())) {
                        int place = place(frame.number());
                        keys[place] = PacketKeys.OTHERS;
                        looks[place] = FIXED;
                    }
                }
                case RTP -> {
                    if (extent == Extent.HEADERS) {
                        headers[place(frame.number())] = frame.lengthBeforeRtpPayload();
                    }
                }
                default -> {} // known by its events
            }
        }

        /** Whether a datagram begins with a handshake of DTLS in clear, which the keys of SRTP follow from (RFC 5764). */
        private static boolean isDtlsHandshake(PacketWalker walker) {
            if (walker.transport() < 0
                    || walker.layerType(walker.transport()) != LayerType.UDP
                    || walker.payloadLength() < DTLS_HEADER) {
                return false;
            }
            MemorySegment segment = walker.segment();
            long offset = walker.payloadOffset();
            return NetworkOrder.u8(segment, offset) == TLS_HANDSHAKE
                    && NetworkOrder.u8(segment, offset + 1) == DTLS_MAJOR
                    && NetworkOrder.u16(segment, offset + 3) == 0;
        }

        private byte look(PacketWalker walker) {
            MemorySegment segment = walker.segment();
            int flags = NetworkOrder.u8(segment, walker.layerOffset(walker.transport()) + TCP_FLAGS);
            if ((flags & SYN) != 0) {
                return ConnectionChoice.OPENS;
            }
            long offset = walker.payloadOffset();
            int length = walker.payloadLength();
            if (length < 8) { // keep-alives have up to 4 bytes (RFC 5626, 3.5.1)
                return ConnectionChoice.EMPTY;
            }
            int first = NetworkOrder.u8(segment, offset);
            if (first == TLS_HANDSHAKE && NetworkOrder.u8(segment, offset + 1) == 3) {
                boolean isSips = walker.sourcePort() == SIPS_PORT || walker.destinationPort() == SIPS_PORT;
                return isSips ? ConnectionChoice.SIP : isOpened ? ConnectionChoice.TLS : ConnectionChoice.PAYLOAD;
            }
            return SipRecognizer.isMessageStart(segment, offset, length, text)
                            || first == 'G' && isWebSocket(segment, offset, Math.min(length, MOST_REQUEST))
                    ? ConnectionChoice.SIP
                    : ConnectionChoice.PAYLOAD;
        }

        private static boolean isWebSocket(MemorySegment segment, long offset, int length) {
            int matched = 0;
            for (int i = 0; i < length && matched < WEB_SOCKET.length; i++) {
                int octet = NetworkOrder.u8(segment, offset + i);
                int lower = octet >= 'A' && octet <= 'Z' ? octet + 0x20 : octet;
                matched = lower == WEB_SOCKET[matched] ? matched + 1 : lower == WEB_SOCKET[0] ? 1 : 0;
            }
            return matched == WEB_SOCKET.length;
        }
    }

    @Override
    public void sip(int shard, SipPacket message) {
        found(message.frameNumber(), PacketKeys.message(message.callIdHash()), found[shard]);
    }

    @Override
    public void rtcp(RtcpPacket packet) {
        found(packet.frameNumber(), PacketKeys.rtcp(packet.source(), packet.destination()), found[Shards.SIP]);
    }

    @Override
    public void icmp(IcmpEvent event) {
        found(event.frameNumber(), PacketKeys.OTHERS, found[Shards.SIP]);
    }

    @Override
    public void measured(MediaReport report) {
        String callId = report.callId();
        long key = callId == null ? PacketKeys.OTHERS : PacketKeys.message(SipMessageView.callIdHash(callId));
        found(report.frameNumber(), key, found[Shards.SIP]);
    }

    @Override
    public void rtp(int shard, RtpRows rows) {
        Found connections = found[Shards.SIP + 1 + shard];
        for (int row = 0; row < rows.end(); row += RtpRows.WIDTH) {
            if (extent != Extent.HEADERS || headers[place(rows.frame(row))] > 0) {
                found(rows.frame(row), rows.hash(row), connections);
            }
        }
    }

    private void found(long frameNumber, long key, Found connections) {
        int place = place(frameNumber);
        byte look = looks[place];
        if (look >= ConnectionChoice.OPENS) {
            connections.add(keys[place]);
        } else if (look != FIXED) {
            keys[place] = key;
            looks[place] = ANY;
        }
    }

    @Override
    public void round(Round round) {
        try {
            for (Found shard : found) {
                for (int i = 0; i < shard.count; i++) {
                    choice.found(shard.connections[i]);
                }
                shard.count = 0;
            }
            for (int i = 0; i < round.batches(); i++) {
                FrameBatch batch = round.batch(i);
                for (int frame = 0; frame < batch.count(); frame++) {
                    pass(batch, frame);
                }
            }
            to.endOfRound();
        } finally {
            Arrays.fill(looks, NOTHING);
            Arrays.fill(headers, 0);
        }
    }

    private void pass(FrameBatch batch, int i) {
        int place = place(batch.number(i));
        byte look = looks[place];
        int captured = batch.capturedLength(i);
        if (extent == Extent.ALL_FRAMES) {
            to.frame(batch, i, captured, look == NOTHING ? PacketKeys.OTHERS : keys[place]);
        } else if (look != NOTHING && (look < ConnectionChoice.OPENS || choice.keeps(keys[place], look))) {
            boolean isCut = extent == Extent.HEADERS && headers[place] > 0;
            to.frame(batch, i, isCut ? Math.min(captured, headers[place]) : captured, keys[place]);
        }
    }
}
