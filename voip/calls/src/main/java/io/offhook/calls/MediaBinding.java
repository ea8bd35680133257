package io.offhook.calls;

import io.offhook.calls.binding.CallSpan;
import io.offhook.calls.sdp.MediaLine;
import io.offhook.calls.sdp.MediaLines;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.Codec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint at which one side of a call said, in SDP, that it receives media, and from when on.
 *
 * @param call the call whose SDP it was
 * @param side who receives there
 * @param endpoint address and port
 * @param lines the media lines of the SDP
 * @param line which of them names the endpoint
 * @param rtcp where it receives RTCP, if that is not the next port; or null
 * @param fromNs when the SDP was seen, nanoseconds since the epoch
 * @param frameNumber the packet that completed it
 */
record MediaBinding(
        Call call,
        Side side,
        Endpoint endpoint,
        MediaLines lines,
        int line,
        @Nullable Endpoint rtcp,
        long fromNs,
        long frameNumber) {
    /** Behind all frames: everything that was captured counts. */
    static final long ALL_FRAMES = Long.MAX_VALUE;

    /** Where it receives RTCP (RFC 3550, 11; RFC 3605; RFC 5761); null where there is no such port. */
    @Nullable
    Endpoint rtcpEndpoint() {
        return rtcp != null || endpoint.port() == 0xffff ? rtcp : endpoint.withPort(endpoint.port() + 1);
    }

    /** Likewise, and its own endpoint, as RTCP may come there too. */
    List<Endpoint> rtcpEndpoints() {
        Endpoint own = rtcpEndpoint();
        return own == null || own.equals(endpoint) ? List.of(endpoint) : List.of(endpoint, own);
    }

    /** Whether the line that names it is of audio. */
    boolean isAudio() {
        return lines.at(line).type().equals("audio");
    }

    /** Whether the call has the endpoint at a time, by what was captured before a frame. */
    boolean holdsAt(long timestampNs, long frame) {
        long firstSeenNs = call.media().states().firstSeenNs(frame);
        long endNs = call.media().endNs(CallSpan.AFTER_NS, frame);
        return CallSpan.overlapNs(timestampNs, timestampNs, firstSeenNs, endNs) >= 0;
    }

    /** Whether its SDP was captured before a frame, and its call not yet given up. */
    boolean isKnownTo(long frame) {
        return frameNumber < frame && !call.media().isRemovedBefore(frame);
    }

    /** Whether another one of the same call is equal. */
    boolean says(Side otherSide, Endpoint otherEndpoint, MediaLines otherLines, int otherLine) {
        return side == otherSide && line == otherLine && endpoint.equals(otherEndpoint) && lines.equals(otherLines);
    }

    /**
     * The line that a payload type belongs to: of this SDP, or of another one that named the endpoint, as the last one
     * may have offered something else there in vain (T.38, for example).
     */
    MediaLine lineOf(int payloadType) {
        return lineOf(payloadType, ALL_FRAMES);
    }

    /** The same by what was captured before a frame. */
    MediaLine lineOf(int payloadType, long frame) {
        MediaLine best = lines.lineOf(line, payloadType);
        if (best.lists(payloadType)) {
            return best;
        }
        for (MediaBinding other : call.media().bindings()) {
            if (other.frameNumber < frame && other.side == side && other.endpoint.equals(endpoint)) {
                MediaLine known = other.lines.lineOf(other.line, payloadType);
                if (known.lists(payloadType)) {
                    return known;
                }
                best = best.isRtp() ? best : known;
            }
        }
        return best;
    }

    /**
     * Octets of the authentication tag behind each payload of a type, between this endpoint and the other side: that of
     * the suite that both have, so the shorter one if one of them has a choice; -1 if it is not encrypted.
     */
    int tagOctets(int payloadType) {
        return tagOctets(payloadType, ALL_FRAMES);
    }

    /** The same by what was captured before a frame. */
    int tagOctets(int payloadType, long frame) {
        MediaLine own = lineOf(payloadType, frame);
        if (!isEncrypted(own, frame)) {
            return -1;
        }
        int shortest = own.tagOctets();
        for (MediaBinding other : call.media().bindings()) {
            if (other.frameNumber < frame && other.side != side && other.line == line) {
                shortest =
                        Math.min(shortest, other.lines.lineOf(line, payloadType).tagOctets());
            }
        }
        return shortest;
    }

    /** SRTP by its protocol, if the call agreed on that, or by the keys of both sides, which it need not ask for (RFC 8643). */
    private boolean isEncrypted(MediaLine own, long frame) {
        MediaStates states = call.media().states();
        return own.isEncrypted() && states.isEncrypted(frame) || own.isKeyed() && states.isKeyedByBoth(frame);
    }

    /** What the SDP says that a payload type is, or null. */
    @Nullable
    Codec codec(int payloadType) {
        return codec(payloadType, ALL_FRAMES);
    }

    /** The same by what was captured before a frame. */
    @Nullable
    Codec codec(int payloadType, long frame) {
        return lineOf(payloadType, frame).codec(payloadType);
    }

    /**
     * What a payload type is that this side sends to an endpoint which no SDP names, as behind NAT, or null: what the other
     * side calls it (RFC 3264, 5.1), which has been told by its SDP all the same; otherwise what this side does.
     */
    @Nullable
    Codec codecSent(int payloadType) {
        return codecSent(payloadType, ALL_FRAMES);
    }

    /** The same by what was captured before a frame. */
    @Nullable
    Codec codecSent(int payloadType, long frame) {
        Codec found = null;
        for (MediaBinding other : call.media().bindings()) {
            MediaLine known = other.lines.lineOf(other.line, payloadType);
            if (other.frameNumber < frame && other.side != side && other.line == line && known.lists(payloadType)) {
                found = known.codec(payloadType);
            }
        }
        return found != null ? found : codec(payloadType, frame);
    }
}
