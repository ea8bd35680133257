package io.offhook.pcap;

import java.lang.foreign.MemorySegment;

/** Where frames go. Single-threaded. Closing flushes; a write that fails is an {@link java.io.UncheckedIOException}. */
public interface PacketSink extends AutoCloseable {

    /** Writes one frame; its bytes are copied before the call returns. */
    void write(
            MemorySegment segment, long offset, int capturedLength, int wireLength, long timestampNs, int linkType);

    @Override
    void close();
}
