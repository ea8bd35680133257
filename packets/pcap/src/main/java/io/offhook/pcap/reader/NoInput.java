package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureLoss;
import java.util.List;

/**
 * A file that could not be opened, or is not a capture; the fault list has the reason.
 *
 * @param path the path of the file, as given
 * @param compression its compression, as far as it was recognised
 * @param size its size in bytes; 0 if unknown
 */
public record NoInput(String path, CaptureCompression compression, long size) implements InputBytes {

    @Override
    public void fill(FrameBatch batch) {}

    @Override
    public boolean isMapped() {
        return true;
    }

    @Override
    public long position() {
        return Math.max(size, 0);
    }

    @Override
    public List<CaptureLoss> losses() {
        return List.of();
    }

    @Override
    public CaptureFile describe() {
        return new CaptureFile(path, null, compression, size, 0, 0, 0);
    }

    @Override
    public void close() {}
}
