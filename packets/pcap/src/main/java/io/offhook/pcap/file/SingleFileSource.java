package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.reader.FaultList;
import io.offhook.pcap.reader.InputBytes;
import io.offhook.pcap.reader.InterfaceTable;
import java.lang.foreign.Arena;
import java.util.List;

/** One file, in its own order. */
final class SingleFileSource implements CaptureFileSource {
    private final Arena arena;
    private final InterfaceTable interfaces;
    private final FaultList faults;
    private final InputBytes input;

    private long nextNumber = 1;
    private boolean closed;

    SingleFileSource(Arena arena, InterfaceTable interfaces, FaultList faults, InputBytes input) {
        this.arena = arena;
        this.interfaces = interfaces;
        this.faults = faults;
        this.input = input;
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (closed) {
            throw new IllegalStateException("the source is closed");
        }
        batch.clear(nextNumber);
        input.fill(batch);
        nextNumber += batch.count();
        return batch.count() > 0;
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return interfaces.snapshot();
    }

    @Override
    public List<CaptureFault> faults() {
        return faults.snapshot();
    }

    @Override
    public List<CaptureLoss> losses() {
        return input.losses();
    }

    @Override
    public long endNs() {
        return input.endNs();
    }

    @Override
    public boolean hasLostMemory() {
        return input.isCutShort();
    }

    @Override
    public List<CaptureFile> files() {
        return List.of(input.describe());
    }

    @Override
    public long position() {
        return input.position();
    }

    @Override
    public long size() {
        return input.size();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            input.close();
            arena.close();
        }
    }
}
