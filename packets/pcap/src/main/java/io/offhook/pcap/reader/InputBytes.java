package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The frames of one file in the file's own order. */
public sealed interface InputBytes extends AutoCloseable permits FileInput, NoInput {

    /** Adds frames to a batch that was just cleared; adding none means that there are no more. */
    void fill(FrameBatch batch);

    /**
     * Returns what several threads read this file with at once; null if it must be read by one thread from start to
     * end.
     */
    default @Nullable Stretches stretches() {
        return null;
    }

    /**
     * Returns whether the frames stay in place until the source is closed; otherwise they are in the batch's buffer.
     */
    boolean isMapped();

    /**
     * Returns when the capture ended, as far as the file was read; {@link PacketSource#END_NOT_TOLD} if it does not
     * declare it.
     */
    default long endNs() {
        return PacketSource.END_NOT_TOLD;
    }

    /** Returns whether the file is now shorter than its mapping; if so, that is added to its faults. */
    default boolean isCutShort() {
        return false;
    }

    /** Returns the bytes read so far, as they are on disk. Thread-safe. */
    long position();

    /** Returns the size on disk in bytes, or -1. */
    long size();

    /** Returns the file's path, format, compression and size, and the packets counted in it so far. */
    CaptureFile describe();

    /** Returns the losses during the capture that the file declares, as far as it was read. */
    List<CaptureLoss> losses();

    /** Closes what it opened; the memory belongs to the source's arena. */
    @Override
    void close();
}
