package io.offhook.decrypt;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Native memory of secrets that live and die together: {@link #close} overwrites all of it, then frees it. Used by one
 * thread at a time, not always the same.
 */
final class SecretMemory implements AutoCloseable {
    private static final int SLAB_BYTES = 4096;
    /** Secrets no longer than this can be given back. */
    private static final int SLOT_BYTES = 64;

    /** Shared, since the shards of a pipeline move between its lanes. */
    private final Arena arena = Arena.ofShared();

    private final List<MemorySegment> slabs = new ArrayList<>(1);
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>(0);
    private long used = SLAB_BYTES;
    private boolean isClosed;

    /** Allocates a secret of zeros. */
    Secret allocate(int length) {
        if (length <= SLOT_BYTES) {
            MemorySegment slot = free.pollLast();
            MemorySegment whole = slot == null ? cut(SLOT_BYTES) : slot;
            return new Secret(whole.asSlice(0, length), whole);
        }
        MemorySegment whole = cut(length);
        return new Secret(whole, whole);
    }

    /** Overwrites a secret and takes its memory back. */
    void free(Secret secret) {
        if (!isClosed) {
            secret.destroy();
            if (secret.slot().byteSize() == SLOT_BYTES) {
                free.addLast(secret.slot());
            }
        }
    }

    private MemorySegment cut(int length) {
        if (used + length > lastSize()) {
            slabs.add(arena.allocate(Math.max(SLAB_BYTES, length)));
            used = 0;
        }
        MemorySegment bytes = slabs.getLast().asSlice(used, length);
        used += length;
        return bytes;
    }

    private long lastSize() {
        return slabs.isEmpty() ? 0 : slabs.getLast().byteSize();
    }

    /** Moves bytes here: the array is overwritten. */
    Secret take(byte[] bytes) {
        return take(bytes, 0, bytes.length);
    }

    /** Moves a part of an array here: the part is overwritten. */
    Secret take(byte[] bytes, int from, int length) {
        Secret secret = allocate(length);
        secret.put(bytes, from);
        Arrays.fill(bytes, from, from + length, (byte) 0);
        return secret;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Overwrites and frees all secrets; a second time has no effect. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            slabs.forEach(slab -> slab.fill((byte) 0));
            arena.close();
        }
    }
}
