package io.offhook.cluster.calls;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import io.offhook.testkit.traffic.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Frames of one link type from memory, a few at a time, as they come from an interface: rounds are short. */
final class SmallRounds implements PacketSource {
    private static final int PER_BATCH = 15;

    private final List<Frame> frames;
    private final MemorySegment bytes;
    private int next;
    private long offset;

    SmallRounds(List<Frame> frames) {
        this.frames = frames;
        bytes = Arena.ofAuto().allocate(octets(frames));
        long at = 0;
        for (Frame frame : frames) {
            MemorySegment.copy(frame.bytes(), 0, bytes, ValueLayout.JAVA_BYTE, at, frame.bytes().length);
            at += frame.bytes().length;
        }
    }

    static long octets(List<Frame> frames) {
        return frames.stream().mapToLong(frame -> frame.bytes().length).sum();
    }

    @Override
    public boolean next(FrameBatch batch) {
        batch.clear(next + 1L);
        if (next == frames.size()) {
            return false;
        }
        int segment = batch.addSegment(bytes);
        for (int i = 0; i < PER_BATCH && next < frames.size() && !batch.isFull(); i++) {
            Frame frame = frames.get(next++);
            int length = frame.bytes().length;
            batch.add(segment, offset, length, frame.wireLength(), frame.timestampNs(), 0, frame.linkType());
            offset += length;
        }
        return true;
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return List.of(new CaptureInterface("memory", frames.getFirst().linkType(), 0, 1_000_000_000, 0, null));
    }

    @Override
    public List<CaptureFault> faults() {
        return List.of();
    }

    @Override
    public void close() {
        // the memory is collected
    }
}
