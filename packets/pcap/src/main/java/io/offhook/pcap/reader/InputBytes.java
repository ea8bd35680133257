package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The frames of one file in the file's own order. */
public sealed interface InputBytes extends AutoCloseable permits MappedInput, StreamedInput, NoInput {

    /** Adds frames to a batch that was just cleared; none at all means that there are no more. */
    void fill(FrameBatch batch);

    /** How several threads read it at once; null where one must read it from its beginning to its end. */
    default @Nullable Stretches stretches() {
        return null;
    }

    /** Whether the frames stay where they are until the source is closed; else they lie in the batch's buffer. */
    boolean isMapped();

    /** When capturing ended, as far as the file was read; {@link PacketSource#END_NOT_TOLD} where it does not say. */
    default long endNs() {
        return PacketSource.END_NOT_TOLD;
    }

    /** Whether the file is shorter by now than what was mapped of it, which is a fault of it then. */
    default boolean isCutShort() {
        return false;
    }

    /** Bytes read so far as they lie on disk. Any thread may ask. */
    long position();

    /** Bytes on disk, or -1. */
    long size();

    /** Returns the file's path, format, compression and size, and the packets counted in it so far. */
    CaptureFile describe();

    /** The packets that the file says were lost while it was captured, as far as it was read. */
    List<CaptureLoss> losses();

    /** Closes what it opened; memory belongs to the source's arena. */
    @Override
    void close();
}
