package io.offhook.analysis;

import io.offhook.packet.Endpoint;

/**
 * SIP over TLS to one server: calls are made there, and cannot be seen.
 *
 * @param server where the connections go to
 * @param streams connections, 1 or more
 * @param firstFrame the first packet of TLS in them, 1-based
 * @param lastFrame the first packet of TLS in the last of them
 * @param firstNs time of the first, nanoseconds since the epoch
 * @param lastNs time of the last
 */
public record EncryptedSignalling(
        Endpoint server, long streams, long firstFrame, long lastFrame, long firstNs, long lastNs) {

    /** The port of SIP over TLS (RFC 3261, 19.1.2). */
    public static final int PORT = 5061;
}
