package io.offhook.rtp;

import java.lang.foreign.MemorySegment;

/**
 * Opens the encrypted packets of one RTP stream: SRTP (RFC 3711, 6188, 7714), or whatever has its keys elsewhere. It has
 * state (rollover counter, replay window): packets are given in the order of capture, by one thread at a time.
 */
public interface PayloadOpener {
    /** The packet cannot be opened: its tag is not authentic, it is too short, or there is no key for it. */
    int CLOSED = -1;

    /**
     * Opens a packet.
     *
     * @param packet contains the RTP packet as captured, from its header to its authentication tag
     * @param offset of its first byte in {@code packet}
     * @param length its bytes, all of them captured
     * @param opened receives the RTP packet without encryption and tag, its header unchanged; holds {@code length} bytes or
     *     more
     * @return bytes of the opened packet, or {@link #CLOSED}
     */
    int open(MemorySegment packet, long offset, int length, MemorySegment opened);

    /**
     * Opens the packet under a view.
     *
     * @param captured octets of it that were captured, header included
     * @param opened receives the packet, as in {@link #open(MemorySegment, long, int, MemorySegment)}
     * @return bytes of the opened packet, or {@link #CLOSED}, also for a packet that {@code opened} has no room for
     */
    default int open(RtpView packet, int captured, MemorySegment opened) {
        long start = packet.payloadOffset() - packet.headerLength();
        return captured > opened.byteSize() ? CLOSED : open(packet.segment(), start, captured, opened);
    }
}
