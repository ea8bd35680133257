package io.offhook.analysis;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Native memory for bytes that have no lasting place of their own (a reassembled datagram, a message gathered from
 * several segments), kept until the end of a round. Single-threaded. It grows by whole chunks, to what a round needed at
 * most; a round holds a bounded number of frames, and so a bounded number of bytes.
 */
final class RoundMemory {
    /** Each is filled with zeros first, by code that is interpreted when the first ones are made. */
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

    /** Copies bytes in; {@link #segment} and {@link #offset()} tell where they are. */
    void copy(MemorySegment source, long offset, int length) {
        makeRoom(length);
        MemorySegment.copy(source, offset, chunks.get(chunk), last, length);
    }

    /** The same with bytes of an array; by a buffer, for a segment's own copy generates classes when it is first used. */
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
