package io.offhook.proxy.dns;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipTransport;

/**
 * Where a message goes.
 *
 * @param transport how it gets there
 * @param address where
 * @param port 1 to 65535
 * @param serverName whom a certificate must be for: the host of the URI, not what it was resolved to (RFC 5922, 7.1)
 */
public record Destination(SipTransport transport, IpAddress address, int port, String serverName) {
    /** The transport, address and port, for logs. */
    @Override
    public String toString() {
        String host = address.isIpv4() ? address.toString() : "[" + address + "]";
        return transport + " " + host + ":" + port;
    }
}
