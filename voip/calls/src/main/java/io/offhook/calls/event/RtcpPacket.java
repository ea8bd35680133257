package io.offhook.calls.event;

import io.offhook.packet.Endpoint;
import java.lang.foreign.MemorySegment;

/**
 * A compound RTCP packet as it was captured. Its bytes are borrowed from whoever passes it.
 *
 * @param timestampNs nanoseconds since the epoch
 * @param frameNumber 1-based
 * @param segment native memory with its bytes
 * @param offset of its first byte
 * @param length bytes captured
 * @param wireLength bytes sent
 * @param source the sender
 * @param destination the receiver
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
