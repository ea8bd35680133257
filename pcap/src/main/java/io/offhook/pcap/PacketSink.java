package io.offhook.pcap;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.MemorySegment;

/**
 * Where frames go. Single-threaded. Closing flushes; a write that fails is an {@link java.io.UncheckedIOException}.
 *
 * <p>What has gone to a file at any time ends behind a whole frame, unless that alone is larger than the buffer (256 KiB)
 * or the file is compressed: a file whose writer was killed can be read up to there.
 */
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

    /**
     * Hands on what was written so far, compressed data too, so that who reads the file meanwhile, or after a crash, finds
     * all of it. Costs a system call, and in compressed files bytes: not for every frame.
     */
    void flush();

    @Override
    void close();
}
