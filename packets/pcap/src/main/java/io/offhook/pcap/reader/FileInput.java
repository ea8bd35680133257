package io.offhook.pcap.reader;

import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureLoss;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file whose format is known: what its reader finds, until damage or the end of the file. */
abstract sealed class FileInput implements InputBytes permits MappedInput, StreamedInput {
    final String path;
    final RecordReader reader;
    final FaultList faults;
    final ByteWindow window = new ByteWindow();
    /** Whether there are no more frames. */
    boolean ended;

    private final CaptureCompression compression;
    private final long size;

    /** @param size the bytes on disk, -1 if unknown */
    FileInput(String path, CaptureCompression compression, long size, RecordReader reader, FaultList faults) {
        this.path = path;
        this.compression = compression;
        this.size = size;
        this.reader = reader;
        this.faults = faults;
    }

    /** Ends the frames; because of a fault unless that is null. */
    final void end(@Nullable CaptureFault fault) {
        ended = true;
        faults.add(fault);
    }

    @Override
    public final long endNs() {
        return reader.endNs();
    }

    @Override
    public final long size() {
        return size;
    }

    @Override
    public final List<CaptureLoss> losses() {
        return reader.losses();
    }

    @Override
    public final CaptureFile describe() {
        return reader.describe(path, compression, size);
    }
}
