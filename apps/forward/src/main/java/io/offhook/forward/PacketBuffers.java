package io.offhook.forward;

/** Whose memory a packet lies in. A buffer goes back to its owner once, when its packet was sent or dropped. */
public interface PacketBuffers {
    /**
     * Takes a buffer back: nothing of it is read any more.
     *
     * @param handle as the owner gave it with the packet
     */
    void free(long handle);
}
