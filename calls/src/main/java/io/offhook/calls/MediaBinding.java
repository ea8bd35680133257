package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadType;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SdpCodec;
import io.offhook.sip.SessionDescription;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint at which one side of a call said, in SDP, that it receives media, and from when on.
 *
 * @param call the call whose SDP it was
 * @param side who receives there
 * @param endpoint address and port
 * @param description the SDP
 * @param media the line of it that names the endpoint
 * @param fromNs when the SDP was seen, nanoseconds since the epoch
 * @param frameNumber the packet that completed it
 */
record MediaBinding(
        Call call,
        Side side,
        Endpoint endpoint,
        SessionDescription description,
        MediaDescription media,
        long fromNs,
        long frameNumber) {
    /** Media may be on its way before its SDP is seen (RFC 3264, 5.1), and for a while after the BYE. */
    private static final long BEFORE_NS = 10_000_000_000L;

    private static final long AFTER_NS = 5_000_000_000L;

    /** Nanoseconds of [firstNs, lastNs] in which the call has the endpoint; -1 when it never does. */
    long overlapNs(long firstNs, long lastNs) {
        long from = Math.max(firstNs, call.firstSeenNs() - BEFORE_NS);
        long until = Math.min(lastNs, call.mediaEndNs(AFTER_NS));
        return until < from ? -1 : until - from;
    }

    boolean holdsAt(long timestampNs) {
        return overlapNs(timestampNs, timestampNs) >= 0;
    }

    /** The line that a payload type belongs to: the endpoint's own, or another one of its bundle (RFC 9143). */
    MediaDescription mediaOf(int payloadType) {
        if (media.codec(payloadType) != null) {
            return media;
        }
        for (MediaDescription other : description.media()) {
            if (other.codec(payloadType) != null) {
                return other;
            }
        }
        return media;
    }

    /** What the SDP says that a payload type is, or null. */
    @Nullable
    Codec codec(int payloadType) {
        SdpCodec codec = mediaOf(payloadType).codec(payloadType);
        return codec == null ? null : codecOf(codec);
    }

    /** A format of SDP as a codec; the static payload types need no rtpmap (RFC 3551, 6). */
    static @Nullable Codec codecOf(SdpCodec codec) {
        return codec.encodingName().isEmpty() || codec.clockRate() <= 0
                ? PayloadType.staticCodec(codec.payloadType())
                : new Codec(codec.encodingName(), codec.clockRate(), Math.max(1, codec.channels()));
    }
}
