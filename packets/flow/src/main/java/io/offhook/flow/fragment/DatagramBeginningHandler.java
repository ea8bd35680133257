package io.offhook.flow.fragment;

import java.lang.foreign.MemorySegment;

/**
 * Receives the beginnings of datagrams that stay incomplete although their first fragment was captured, for example
 * because a capture filter on ports lets only first fragments pass. {@link FragmentTable} calls it on its own thread;
 * the handler must not call the table.
 */
@FunctionalInterface
public interface DatagramBeginningHandler {

    /**
     * Reports the beginning of an IP packet: its header, and its payload up to the first missing byte. The length field
     * of the header is that of the whole packet if the last fragment was captured, otherwise the longest possible.
     *
     * @param segment memory with the packet; valid until the call returns
     * @param offset the first byte of the IP header in the segment
     * @param length bytes present, from the header on
     * @param wireLength the length of the packet by its header, in bytes
     * @param timestampNs the time of the fragment captured first, in nanoseconds since the epoch
     * @param frameNumber the number of the frame with that fragment
     * @return whether the beginning was of use. If so, the datagram is
     *     {@linkplain FragmentTable#isBeginningReported() marked} if it is completed later
     */
    boolean beginning(
            MemorySegment segment, long offset, int length, int wireLength, long timestampNs, long frameNumber);
}
