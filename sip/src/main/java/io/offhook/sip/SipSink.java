package io.offhook.sip;

/** Takes the messages that a stream consists of, in their order. */
@FunctionalInterface
public interface SipSink {
    /**
     * One whole message.
     *
     * @param octets the delivered bytes, or a buffer of the stream; borrowed: valid until this returns, not to be written
     * @param offset where its start line stands
     * @param length bytes from there to the end of its body
     * @param timestampNs of the packet that completed it, ns since the epoch
     * @param frameNumber of that packet
     */
    void message(byte[] octets, int offset, int length, long timestampNs, long frameNumber);
}
