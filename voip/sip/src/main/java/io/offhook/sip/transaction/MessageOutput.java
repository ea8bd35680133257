package io.offhook.sip.transaction;

import io.offhook.sip.SipHop;

/** Where a transaction layer sends messages. */
@FunctionalInterface
public interface MessageOutput {
    /**
     * Sends a message.
     *
     * @param to where to; the connection of a stream, if it is known, is preferred
     * @param octets the array with the message, which is copied or sent before the method returns
     * @param offset the first byte of the message
     * @param length its length in bytes
     * @return false if it is known that it cannot be sent; errors found later are reported to {@link
     *     TransactionLayer#transportFailed}
     */
    boolean send(SipHop to, byte[] octets, int offset, int length);
}
