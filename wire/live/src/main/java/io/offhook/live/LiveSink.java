package io.offhook.live;

import io.offhook.pcap.PacketSink;

/**
 * Frames onto a network interface. A frame that cannot be sent is no exception: it is counted, by cause. What was written is
 * sent at the latest by {@link #flush}, which waits for room, but not for ever.
 */
public interface LiveSink extends PacketSink {
    /** Whether frames of a link type are of the form that the interface takes. */
    boolean takes(int linkType);

    /** Whether the interface has disappeared: nothing will be sent any more. */
    boolean isGone();

    /** What became of the frames so far; any thread may ask. */
    SendCounts counts();
}
