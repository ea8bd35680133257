package io.offhook.analysis;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Native memory, until the end of a round, for bytes without a place of their own: reassembled datagrams, and messages
 * gathered from several segments. Single-threaded. It grows by whole chunks to the most that any round has needed,
 * which is bounded, as a round has a bounded number of frames.
 */
final class RoundMemory {
    /** The usual chunk is small, since a new one is filled with zeros by code that is not yet compiled. */
    private static final long CHUNK_BYTES = 1 << 16;

    private final Arena arena;
    private final List<MemorySegment> chunks = new ArrayList<>();
    /** The same chunks. */
    private final List<ByteBuffer> buffers = new ArrayList<>();

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

    /** Copies bytes in; {@link #segment} and {@link #offset()} return their location. */
    void copy(MemorySegment source, long offset, int length) {
        makeRoom(length);
        MemorySegment.copy(source, offset, chunks.get(chunk), last, length);
    }

    /** As above, from an array; uses a buffer, because the copy of a segment generates classes on first use. */
    void copy(byte[] source, int offset, int length) {
        makeRoom(length);
        buffers.get(chunk).put((int) last, source, offset, length);
    }

    private void makeRoom(int length) {
        while (chunk < 0 || used + length > chunks.get(chunk).byteSize()) {
            chunk++;
            used = 0;
            if (chunk == chunks.size()) {
                MemorySegment added = arena.allocate(Math.max(CHUNK_BYTES, length));
                chunks.add(added);
                buffers.add(added.asByteBuffer());
            }
        }
        last = used;
        used += length;
    }

    /** The offset of the last copy in its chunk. */
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
