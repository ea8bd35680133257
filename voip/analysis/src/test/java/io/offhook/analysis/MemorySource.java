package io.offhook.analysis;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import io.offhook.testkit.traffic.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Frames from memory, in batches of a chosen size. */
final class MemorySource implements PacketSource {
    private final List<Frame> frames;
    private final int perBatch;
    private final List<CaptureLoss> losses;
    private final MemorySegment bytes;
    private final List<CaptureInterface> interfaces = new ArrayList<>();
    private int next;
    private long offset;

    MemorySource(List<Frame> frames, int perBatch) {
        this(frames, perBatch, List.of());
    }

    /** @param losses what it says that it lost itself */
    MemorySource(List<Frame> frames, int perBatch, List<CaptureLoss> losses) {
        this.losses = losses;
        this.frames = frames;
        this.perBatch = perBatch;
        long size = frames.stream().mapToLong(frame -> frame.bytes().length).sum();
        bytes = Arena.ofAuto().allocate(Math.max(1, size));
        long at = 0;
        for (Frame frame : frames) {
            MemorySegment.copy(frame.bytes(), 0, bytes, ValueLayout.JAVA_BYTE, at, frame.bytes().length);
            at += frame.bytes().length;
            interfaceOf(frame.linkType());
        }
    }

    private int interfaceOf(int linkType) {
        for (int i = 0; i < interfaces.size(); i++) {
            if (interfaces.get(i).linkType() == linkType) {
                return i;
            }
        }
        interfaces.add(new CaptureInterface("memory", linkType, 0, 1_000_000_000, 0, null));
        return interfaces.size() - 1;
    }

    @Override
    public boolean next(FrameBatch batch) {
        batch.clear(next + 1L);
        if (next == frames.size()) {
            return false;
        }
        int segment = batch.addSegment(bytes);
        for (int i = 0; i < perBatch && next < frames.size() && !batch.isFull(); i++) {
            Frame frame = frames.get(next++);
            batch.add(
                    segment,
                    offset,
                    frame.bytes().length,
                    frame.wireLength(),
                    frame.timestampNs(),
                    interfaceOf(frame.linkType()),
                    frame.linkType());
            offset += frame.bytes().length;
        }
        return true;
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return interfaces;
    }

    @Override
    public List<CaptureLoss> losses() {
        return losses;
    }

    @Override
    public List<CaptureFault> faults() {
        return List.of();
    }

    @Override
    public void close() {}
}
