package io.offhook.cli;

import java.lang.foreign.MemorySegment;

/** Is told the layers of a packet with their fields, outermost first. Names are in camelCase. */
interface PrintSink {

    /**
     * A layer begins; the fields that follow are its.
     *
     * @param offset of its header, in bytes from the frame's start
     * @param length bytes of its header that were captured
     * @param isCut whether its header goes on after what was captured, or has what cannot be
     */
    void layer(String label, int offset, int length, boolean isCut);

    void number(String name, long value);

    void flag(String name, boolean value);

    /** Text as it was captured: whoever shows it masks it. */
    void text(String name, String value);

    /** A header of SIP, name and value as written. */
    void header(String name, String value);

    /** Bytes where they lie: valid until this returns. */
    void bytes(String name, MemorySegment segment, long offset, int length);
}
