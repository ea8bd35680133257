package io.offhook.analysis;

import java.lang.foreign.MemorySegment;

/** Reads one direction of a TCP connection. Single-threaded. */
public interface StreamReader {
    /**
     * Receives the next bytes, in order, each once.
     *
     * @param segment borrowed until this returns
     * @param timestampNs of the packet that carried them, nanoseconds since the epoch
     * @param frameNumber of that packet, 1-based
     * @return whether more is wanted; after false nothing is called any more
     */
    boolean data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber);

    /** Bytes are missing here; time and number are those of the next packet after the gap. */
    default void gap(long missingBytes, long timestampNs, long frameNumber) {}

    /** The stream has ended, or another method of this reader threw: nothing is called any more. */
    default void end() {}
}
