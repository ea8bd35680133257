package io.offhook.analysis;

import io.offhook.packet.Endpoint;

/**
 * SIP over TLS to one server: there are calls, but they cannot be read.
 *
 * @param server the server of the connections
 * @param streams connections, 1 or more
 * @param firstFrame the first TLS packet of the connections, 1-based
 * @param lastFrame the first TLS packet of the last connection
 * @param firstNs time of {@code firstFrame}, nanoseconds since the epoch
 * @param lastNs time of {@code lastFrame}
 */
public record EncryptedSignalling(
        Endpoint server, long streams, long firstFrame, long lastFrame, long firstNs, long lastNs) {

    /** The port of SIP over TLS (RFC 3261, 19.1.2). */
    public static final int PORT = 5061;
}
