package io.offhook.calls.event;

import java.lang.foreign.MemorySegment;

/**
 * A compound RTCP packet as it was captured. Its bytes are borrowed from whoever passes it.
 *
 * @param context when and where it was captured
 * @param segment native memory with its bytes
 * @param offset of its first byte
 * @param length bytes captured
 * @param wireLength bytes sent
 */
public record RtcpPacket(PacketContext context, MemorySegment segment, long offset, int length, int wireLength)
        implements CapturedPacket {

    /** The same packet with another frame number; the bytes stay where they are. */
    public RtcpPacket withFrameNumber(long number) {
        return new RtcpPacket(context.withFrameNumber(number), segment, offset, length, wireLength);
    }
}
