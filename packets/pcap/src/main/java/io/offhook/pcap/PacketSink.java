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
     * Packets of an interface were lost, behind the frames that were written so far and before its next one: for formats
     * that can tell of it.
     *
     * @param interfaceIndex of the source that frames come from
     * @param systemDrops by the kernel or the network card, since the program was too slow
     * @param ownDrops by the program, since it could not write them as fast as they came
     */
    default void lost(int interfaceIndex, long systemDrops, long ownDrops) {}

    /**
     * It is that time, and no other frame has come until now: for a live capture, now and then.
     *
     * @param nowNs nanoseconds since the epoch, by the clock that frames have their times from
     */
    default void time(long nowNs) {}

    /**
     * Hands on what was written so far, compressed data too, so that who reads the file meanwhile, or after a crash, finds
     * all of it. Costs a system call, and in compressed files bytes: not for every frame.
     */
    void flush();

    @Override
    void close();
}
