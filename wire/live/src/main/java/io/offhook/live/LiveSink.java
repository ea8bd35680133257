package io.offhook.live;

import io.offhook.pcap.PacketSink;

/**
 * Sends frames on a network interface. A frame that cannot be sent causes no exception; it is counted by cause. {@link
 * #flush} sends at the latest what was written; it waits for room, but not forever.
 */
public interface LiveSink extends PacketSink {
    /** Returns whether the interface accepts frames of a link type. */
    boolean takes(int linkType);

    /** Returns whether the interface has disappeared, so that nothing will be sent any more. */
    boolean isGone();

    /** Returns what became of the frames so far; any thread may call it. */
    SendCounts counts();
}
