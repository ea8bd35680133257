package io.offhook.sip;

import java.lang.foreign.MemorySegment;

/** Takes the messages that a stream consists of, in their order. */
@FunctionalInterface
public interface SipSink {
    /**
     * One whole message.
     *
     * @param segment the delivered bytes, or a buffer of the stream; borrowed: valid until this returns
     * @param offset where its start line stands
     * @param length bytes from there to the end of its body
     * @param timestampNs of the packet that completed it, ns since the epoch
     * @param frameNumber of that packet
     */
    void message(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber);
}
