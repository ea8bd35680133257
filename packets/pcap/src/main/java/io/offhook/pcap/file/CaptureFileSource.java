package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.PacketSource;
import java.util.List;

/**
 * Capture files as a source of frames, one file after its own order or several merged by time.
 *
 * <p>A batch that holds frames of a pipe or of a compressed file is given {@linkplain FrameBatch#buffer() memory of its
 * own} on first use. It comes from this source and ends with it, like the mapped files that other frames lie in: after
 * {@link #close()} no frame may be touched, and close waits for nobody.
 *
 * <p>A mapped file must not be cut shorter while it is read. Where another process does that, reading a frame beyond the
 * new end is an {@link InternalError} of the Java machine: {@link #hasLostMemory} tells whether that was it. {@link #next}
 * itself turns it into a {@link CaptureFault}. A file that grows is read up to the size it had when it was opened.
 */
public sealed interface CaptureFileSource extends PacketSource permits SingleFileSource, MergedFileSource {

    /** The files in the order given, and what was read of each; call it on the thread that calls {@link #next}. */
    List<CaptureFile> files();

    /** Bytes read so far, counted as they lie on disk (compressed ones as such). Any thread may ask. */
    long position();

    /** Bytes of all files as they lie on disk, or -1 when one of them is a pipe. Any thread may ask. */
    long size();
}
