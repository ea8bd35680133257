package io.offhook.proxy.lane;

import io.offhook.sip.SipHop;

/** Sends messages over connections: TCP, TLS, WebSocket. Thread-safe. */
@FunctionalInterface
public interface StreamOutput {
    /**
     * Sends a message over the hop's connection, one that is open to its address, or a new one.
     *
     * @return false if it is known that it cannot be sent
     */
    boolean send(SipHop to, byte[] octets, int offset, int length);
}
