package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;

/**
 * The {@linkplain FrameBatch#buffer() buffers} that a source gives to the batches it fills. Each source has its own,
 * because one left by another source ends with that source. Single-threaded.
 */
public final class BatchBuffers {
    private final IdentityHashMap<FrameBatch, MemorySegment> buffers = new IdentityHashMap<>();
    private final Arena arena;

    /** Creates buffers that are allocated from {@code arena}. */
    public BatchBuffers(Arena arena) {
        this.arena = arena;
    }

    /** Gives a batch its buffer of this source, of at least so many bytes, and returns it. */
    public MemorySegment give(FrameBatch batch, long leastBytes) {
        MemorySegment buffer = buffers.getOrDefault(batch, MemorySegment.NULL);
        if (buffer.byteSize() < leastBytes) {
            buffer = arena.allocate(RecordReader.grown(buffer.byteSize(), leastBytes));
            buffers.put(batch, buffer);
        }
        batch.buffer(buffer);
        return buffer;
    }
}
