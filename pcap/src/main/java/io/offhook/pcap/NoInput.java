package io.offhook.pcap;

import io.offhook.packet.FrameBatch;
import java.util.List;

/** A file that could not be opened, or is no capture; why was told to the fault list. */
record NoInput(String path, CaptureCompression compression, long size) implements CaptureInput {

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
