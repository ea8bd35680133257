package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** A borrowed window on bytes: reusable, single-threaded, and valid only as long as the wrapped bytes. */
public interface View {
    /**
     * Wraps what starts at {@code offset}; after OK every accessor is in bounds, otherwise the view is unchanged.
     *
     * @param length the number of bytes available from {@code offset}, those of the payload too
     */
    WrapStatus wrap(MemorySegment segment, long offset, int length);
}
