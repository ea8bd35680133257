package io.offhook.flow;

import java.lang.foreign.MemorySegment;

/**
 * Is told of datagrams that stay incomplete, though they were captured from their beginning on: by a filter on ports, say,
 * which lets first fragments pass and no others. Called by {@link FragmentTable} on its thread; it must not call the table
 * from there.
 */
@FunctionalInterface
public interface DatagramBeginningHandler {

    /**
     * The beginning of an IP packet: its header, and its payload up to the first byte that is missing. The header's length
     * is that of the whole packet, where the last fragment told it, else the longest one.
     *
     * @param segment valid until the call returns
     * @param length bytes that are there, from the header on
     * @param wireLength what the header tells
     * @param timestampNs of the fragment that was captured first
     * @param frameNumber of that fragment
     * @return whether this was of use: then the datagram is {@linkplain FragmentTable#isBeginningTold() known} when it
     *     becomes complete after all
     */
    boolean beginning(
            MemorySegment segment, long offset, int length, int wireLength, long timestampNs, long frameNumber);
}
