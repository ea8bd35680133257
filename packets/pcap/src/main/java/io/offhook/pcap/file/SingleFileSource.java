package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.ConcurrentFill;
import io.offhook.pcap.reader.FaultList;
import io.offhook.pcap.reader.InputBytes;
import io.offhook.pcap.reader.InterfaceTable;
import io.offhook.pcap.reader.Stretches;
import java.lang.foreign.Arena;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One file, in its own order. */
final class SingleFileSource implements CaptureFileSource {
    private final Arena arena;
    private final InterfaceTable interfaces;
    private final FaultList faults;
    private final InputBytes input;

    private final @Nullable ConcurrentFill concurrently;

    private long nextNumber = 1;
    private boolean closed;

    SingleFileSource(Arena arena, InterfaceTable interfaces, FaultList faults, InputBytes input) {
        this.arena = arena;
        this.interfaces = interfaces;
        this.faults = faults;
        this.input = input;
        Stretches stretches = input.stretches();
        concurrently = stretches == null ? null : new Rounds(stretches);
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
    public @Nullable ConcurrentFill concurrently() {
        return concurrently;
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

    /** Numbers frames across rounds. */
    private final class Rounds implements ConcurrentFill {
        private final Stretches stretches;

        Rounds(Stretches stretches) {
            this.stretches = stretches;
        }

        @Override
        public boolean begin(int batches, int capacity) {
            return !closed && stretches.begin(batches, capacity, nextNumber);
        }

        @Override
        public boolean fill(int i, FrameBatch batch) {
            return stretches.fill(i, batch);
        }

        @Override
        public void end() {
            nextNumber += stretches.end();
        }
    }
}
