package io.offhook.pcap;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.MemorySegment;

/**
 * Takes frames to be written. Single-threaded. Closing flushes; a failed write throws {@link
 * java.io.UncheckedIOException}.
 *
 * <p>At any time, the file ends after a whole frame, unless that frame alone exceeds the buffer (256 KiB) or the file
 * is compressed: if the process is killed, its file can be read up to there.
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
     * Notes that packets of an interface were lost between its last frame and its next one, for formats that can record
     * it.
     *
     * @param interfaceIndex the index of the interface in the source of the frames
     * @param systemDrops the packets dropped by the kernel or the network card, because the program was too slow
     * @param ownDrops the packets dropped by the program, because it could not write them as fast as they arrived
     */
    default void lost(int interfaceIndex, long systemDrops, long ownDrops) {}

    /**
     * Notes that no further frame arrived until this time; a live capture calls it now and then.
     *
     * @param nowNs nanoseconds since the epoch, by the clock of the frames' timestamps
     */
    default void time(long nowNs) {}

    /**
     * Writes out everything buffered, including compressed data, so that a reader of the growing file, or of the file
     * after a crash, finds all of it. It costs a system call, and extra bytes in compressed files: do not call it for
     * every frame.
     */
    void flush();

    @Override
    void close();
}
