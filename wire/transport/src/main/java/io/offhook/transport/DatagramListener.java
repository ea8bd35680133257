package io.offhook.transport;

import java.net.InetSocketAddress;

/**
 * An address at which each lane has a socket.
 *
 * @param address the address, resolved; port 0 for one that the system chooses. A wildcard of IPv6 receives nothing over
 *     IPv4, which is a listener of its own; with the JDK's channels, which cannot do so, it receives both, and there must be no
 *     listener for IPv4 at the same port
 * @param receiveBuffer the size of the receive buffer of each socket in bytes, which the system may reduce (on Linux, without
 *     CAP_NET_ADMIN, to {@code net.core.rmem_max}); 0 for the system's default
 * @param sendBuffer the size of the send buffer of each socket in bytes, likewise
 * @param dscp the differentiated services code point of what is sent, 0 to 63; RFC 4594 recommends 40 (CS5) for signalling
 */
public record DatagramListener(InetSocketAddress address, int receiveBuffer, int sendBuffer, int dscp) {
    /** Checks the values. */
    public DatagramListener {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("the address of " + address.getHostString() + " is not resolved");
        }
        if (receiveBuffer < 0 || sendBuffer < 0) {
            throw new IllegalArgumentException(
                    "the buffers have " + receiveBuffer + " and " + sendBuffer + " bytes; use 0 or more");
        }
        if (dscp < 0 || dscp > 63) {
            throw new IllegalArgumentException("dscp " + dscp + " is outside 0 to 63");
        }
    }

    /** A listener with the system's own buffers and no traffic class. */
    public static DatagramListener at(InetSocketAddress address) {
        return new DatagramListener(address, 0, 0, 0);
    }
}
