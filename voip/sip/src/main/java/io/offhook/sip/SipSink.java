package io.offhook.sip;

/** Receives the messages of a stream, in order. */
@FunctionalInterface
public interface SipSink {
    /**
     * Passes one complete message.
     *
     * @param octets the delivered bytes, or a buffer of the stream; borrowed until this method returns, and must not be
     *     modified
     * @param offset the start of the start line
     * @param length bytes from there to the end of the body
     * @param timestampNs the time of the packet that completed the message, in nanoseconds since the epoch
     * @param frameNumber the number of that packet's frame
     */
    void message(byte[] octets, int offset, int length, long timestampNs, long frameNumber);
}
