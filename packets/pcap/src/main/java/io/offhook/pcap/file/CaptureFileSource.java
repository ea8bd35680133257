package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.PacketSource;
import java.util.List;

/**
 * Capture files as a source of frames: one file in its own order, or several merged by time.
 *
 * <p>A batch that holds frames of a pipe or of a compressed file gets {@linkplain FrameBatch#buffer() memory of its
 * own} on first use. That memory belongs to this source, as the mapped files do: after {@link #close()}, which waits
 * for nobody, no frame may be accessed.
 *
 * <p>A mapped file must not be truncated while it is read. If another process does so, reading a frame beyond the new
 * end is an {@link InternalError} of the JVM; {@link #hasLostMemory} returns whether that was the cause. {@link #next}
 * itself turns it into a {@link CaptureFault}. A growing file is read up to the size it had when it was opened.
 */
public sealed interface CaptureFileSource extends PacketSource permits OpenedFilesSource {

    /**
     * Returns the files in the order given, with what was read of each; to be called on the thread that calls {@link
     * #next}.
     */
    List<CaptureFile> files();

    /** Returns the bytes read so far, as they are on disk (before decompression). Thread-safe. */
    long position();

    /** Returns the total size on disk of all files, in bytes; -1 if one of them is a pipe. Thread-safe. */
    long size();
}
