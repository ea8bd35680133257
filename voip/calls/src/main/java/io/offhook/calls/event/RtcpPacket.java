package io.offhook.calls.event;

import io.offhook.packet.Endpoint;
import java.lang.foreign.MemorySegment;

/**
 * A compound RTCP packet as it was captured. Its bytes are borrowed: valid until the machine it is given to returns.
 *
 * @param timestampNs nanoseconds since the epoch
 * @param frameNumber 1-based
 * @param segment where its bytes are
 * @param offset of its first byte
 * @param length bytes captured
 * @param wireLength bytes sent
 * @param source who sent it
 * @param destination whom it was sent to
 */
public record RtcpPacket(
        long timestampNs,
        long frameNumber,
        MemorySegment segment,
        long offset,
        int length,
        int wireLength,
        Endpoint source,
        Endpoint destination) {}
