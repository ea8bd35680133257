package io.offhook.pcap;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.MemorySegment;

/** Where frames go. Single-threaded. Closing flushes; a write that fails is an {@link java.io.UncheckedIOException}. */
public interface PacketSink extends AutoCloseable {

    /** Writes one frame; its bytes are copied before the call returns. */
    void write(MemorySegment segment, long offset, int capturedLength, int wireLength, long timestampNs, int linkType);

    /** Writes frame {@code i} of a batch. */
    default void write(FrameBatch batch, int i) {
        write(
                batch.segmentOf(i),
                batch.offset(i),
                batch.capturedLength(i),
                batch.wireLength(i),
                batch.timestampNs(i),
                batch.linkType(i));
    }

    @Override
    void close();
}
