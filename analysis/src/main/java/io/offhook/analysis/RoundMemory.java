package io.offhook.analysis;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Native memory for bytes that have no lasting place of their own (a reassembled datagram, a message gathered from
 * several segments), kept until the end of a round. Single-threaded. It grows by whole chunks, to what a round needed at
 * most; a round holds a bounded number of frames, and so a bounded number of bytes.
 */
final class RoundMemory {
    private static final long CHUNK_BYTES = 1 << 18;

    private final Arena arena;
    private final List<MemorySegment> chunks = new ArrayList<>();
    private int chunk = -1;
    private long used;
    private long last;

    RoundMemory(Arena arena) {
        this.arena = arena;
    }

    void clear() {
        chunk = chunks.isEmpty() ? -1 : 0;
        used = 0;
    }

    /** Copies bytes in; {@link #segment} and {@link #offset()} tell where they are. */
    void copy(MemorySegment source, long offset, int length) {
        while (chunk < 0 || used + length > chunks.get(chunk).byteSize()) {
            chunk++;
            used = 0;
            if (chunk == chunks.size()) {
                chunks.add(arena.allocate(Math.max(CHUNK_BYTES, length)));
            }
        }
        MemorySegment.copy(source, offset, chunks.get(chunk), used, length);
        last = used;
        used += length;
    }

    /** Where the last copy starts. */
    long offset() {
        return last;
    }

    /** The index of the chunk that holds the last copy. */
    int chunk() {
        return chunk;
    }

    MemorySegment segment(int chunk) {
        return chunks.get(chunk);
    }
}
