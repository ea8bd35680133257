package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** Is told the layers of a packet and their fields, in the order of the bytes, by {@link LayerFields}. */
public interface FieldVisitor {
    /**
     * A layer begins; the fields that follow are its.
     *
     * @param offset of its header, in bytes from the frame's start
     * @param headerLength bytes of its header that were captured
     * @param isCut whether its header goes on after what was captured: then only the fields that are there follow
     */
    void layer(LayerType type, int offset, int headerLength, boolean isCut);

    /**
     * A number, unsigned.
     *
     * @param name in camelCase
     */
    void number(String name, long value);

    /** A bit, or another thing that is so or not. */
    void flag(String name, boolean value);

    /** An address, mostly. */
    void text(String name, String value);

    /** Bytes where they lie: valid until the visitor returns. */
    void bytes(String name, MemorySegment segment, long offset, int length);
}
