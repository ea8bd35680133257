package io.offhook.analysis;

import io.offhook.flow.FlowHash;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.rtp.RtpRows;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipText;

/**
 * The current frame: its bytes, its layers, its payload. There is one instance for each lane, reused for each frame;
 * all of it is borrowed until {@link FrameSink#frame} returns. Single-threaded.
 *
 * <p>In a {@link FrameLoop} a frame is walked when its layers are first asked for.
 */
public final class DecodedFrame {
    private static final int TCP = 6;
    private static final int SSRC = 8;

    private final Recognizer recognizer;
    private final PacketWalker walker;
    private FrameBatch batch;
    private int index;
    private boolean isWalked;
    private boolean isRecognized;
    private Payload payload = Payload.OTHER;

    DecodedFrame(PacketWalker walker, Recognizer recognizer, FrameBatch batch) {
        this.walker = walker;
        this.recognizer = recognizer;
        this.batch = batch;
    }

    /** Sets a frame that is not yet walked. */
    void at(FrameBatch batch, int index) {
        this.batch = batch;
        this.index = index;
        isWalked = false;
        isRecognized = false;
    }

    /** Sets a frame that was walked, with its payload. */
    void decoded(FrameBatch batch, int index, Payload payload) {
        this.batch = batch;
        this.index = index;
        this.payload = payload;
        isWalked = true;
        isRecognized = true;
    }

    /** The batch that contains the frame. */
    public FrameBatch batch() {
        return batch;
    }

    /** The index of the frame in the batch. */
    public int index() {
        return index;
    }

    /** The number of the frame in the source, 1-based. */
    public long number() {
        return batch.number(index);
    }

    /** The time of capture, nanoseconds since the epoch. */
    public long timestampNs() {
        return batch.timestampNs(index);
    }

    /** The layers of the frame, outermost first. */
    public PacketWalker layers() {
        if (!isWalked) {
            isWalked = true;
            walker.walk(batch, index);
        }
        return walker;
    }

    /** What the frame carries. */
    public Payload payload() {
        if (!isRecognized) {
            isRecognized = true;
            PacketWalker of = layers();
            payload = of.outermostFragment() >= 0
                    ? Payload.FRAGMENT
                    : of.transport() < 0 ? Payload.OTHER : recognizer.of(of);
        }
        return payload;
    }

    /**
     * A hash of what the frame belongs to: of the Call-ID for SIP, as {@link
     * io.offhook.calls.event.SipPacket#callIdHash()}; of the stream for RTP, as {@link RtpRows#hash(int)}; of the
     * connection for TCP, the same in both directions. 0 for everything else.
     */
    public long hash() {
        return switch (payload()) {
            case SIP -> {
                SipText text = recognizer.text();
                yield SipMessageView.callIdHash(text.octets(), 0, text.length());
            }
            case RTP -> streamHash();
            case TCP ->
                FlowHash.of(
                        walker.sourceHigh(),
                        walker.sourceLow(),
                        walker.sourcePort(),
                        walker.destinationHigh(),
                        walker.destinationLow(),
                        walker.destinationPort(),
                        TCP);
            default -> 0;
        };
    }

    private long streamHash() {
        long ssrc = NetworkOrder.u32(walker.segment(), walker.payloadOffset() + SSRC);
        long portsSsrc = (long) walker.sourcePort() << 48 | (long) walker.destinationPort() << 32 | ssrc;
        return walker.layerType(walker.network()) == LayerType.IPV4
                ? RtpRows.hash(RtpRows.addresses(walker.sourceLow(), walker.destinationLow()), portsSsrc)
                : RtpRows.hash(
                        walker.sourceHigh(),
                        walker.sourceLow(),
                        walker.destinationHigh(),
                        walker.destinationLow(),
                        portsSsrc);
    }

    /** Octets of the frame before the payload of RTP, which {@link #payload} says that it carries: all headers and extensions. */
    public int lengthBeforeRtpPayload() {
        long offset = walker.payloadOffset();
        int length = walker.payloadLength();
        long start = NetworkOrder.bits64(walker.segment(), offset);
        int header = Recognizer.rtpHeaderLength(walker.segment(), offset, length, start);
        return (int) (offset - batch.offset(index)) + Math.min(header, length);
    }

    /** The link type of the frame, a {@link LinkType} value. */
    public int linkType() {
        return batch.linkType(index);
    }
}
