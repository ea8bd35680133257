package io.offhook.sip.proxy;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipTransport;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One address at which the proxy is reached, as it appears in messages.
 *
 * @param transport the transport
 * @param host the host in Via and Record-Route: an address (IPv6 in brackets) or a name
 * @param port the port in Via and Record-Route, 1 to 65535
 * @param isIpv6 whether it reaches IPv6 addresses rather than IPv4
 */
public record ProxyListener(SipTransport transport, String host, int port, boolean isIpv6) {
    /** Checks the values. */
    public ProxyListener {
        if (host.isEmpty() || port < 1 || port > 0xffff) {
            throw new IllegalArgumentException(
                    "listener " + host + ":" + port + " needs a host and a port, 1 to 65535");
        }
    }

    /** A listener whose host is an address. */
    public static ProxyListener of(SipTransport transport, IpAddress address, int port) {
        String host = address.isIpv4() ? address.toString() : "[" + address + "]";
        return new ProxyListener(transport, host, port, !address.isIpv4());
    }

    /** What precedes the branch in our Via, with the header's name. */
    byte[] viaPrefix() {
        return ascii("Via: SIP/2.0/" + transport.name() + " " + hostPort() + ";branch=");
    }

    /** The URI of Record-Route from the host on: {@code 192.0.2.1:5060;transport=tcp;lr}. */
    byte[] routeSuffix() {
        return ascii(hostPort() + parameter() + ";lr");
    }

    /** Its own URI, as a Contact has it; a sips URI needs no transport. */
    String uri(boolean isSecure) {
        return isSecure ? "sips:" + hostPort() : "sip:" + hostPort() + parameter();
    }

    private String parameter() {
        return switch (transport) {
            case UDP -> "";
            case TLS -> ";transport=tls";
            default -> ";transport=" + transport.name().toLowerCase(Locale.ROOT);
        };
    }

    private String hostPort() {
        return host + ":" + port;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
