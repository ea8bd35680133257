package io.offhook.forward;

/**
 * The owner of packet buffers. A buffer is returned to its owner exactly once, after its packet was sent or dropped.
 */
public interface PacketBuffers {
    /**
     * Takes a buffer back, which is no longer read.
     *
     * @param handle the handle that the owner passed with the packet
     */
    void free(long handle);
}
