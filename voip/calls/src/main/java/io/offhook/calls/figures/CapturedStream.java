package io.offhook.calls.figures;

import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * A stream as it was captured: its key, where it began, and whose SDP said what its packets carry. A stream that began anew with
 * the same key, because another call got its ports, has another first frame.
 *
 * @param source its sender
 * @param destination its receiver
 * @param ssrc 32 bits, unsigned
 * @param firstFrame the number of its first packet's frame, which orders the streams of a capture
 * @param ownerCallId the Call-ID of the call whose SDP set its codecs while it ran; null if there was none yet
 */
public record CapturedStream(
        Endpoint source,
        Endpoint destination,
        long ssrc,
        long firstFrame,
        @Nullable String ownerCallId) {}
