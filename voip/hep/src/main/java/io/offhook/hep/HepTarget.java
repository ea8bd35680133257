package io.offhook.hep;

import org.jspecify.annotations.Nullable;

/**
 * The collector.
 *
 * @param host its name or address; a name is looked up at each new connection
 * @param port 1 to 65535
 * @param transport how packets get there
 */
public record HepTarget(String host, int port, HepTransport transport) {
    /** How packets get to a collector. */
    public enum HepTransport {
        /** One packet a datagram. */
        UDP,
        /** One packet after the other. */
        TCP,
        /** TLS over TCP; the certificate must be for the host. */
        TLS
    }

    /**
     * Reads "udp:collector.example:9060", "tcp:192.0.2.1:9060" or "tls:[2001:db8::1]:9061".
     *
     * @throws IllegalArgumentException if it is none of these; the message says why
     */
    public static HepTarget parse(String text) {
        int first = text.indexOf(':');
        int last = text.lastIndexOf(':');
        HepTransport transport = first < 0 ? null : transport(text.substring(0, first));
        if (transport == null || last <= first + 1) {
            throw new IllegalArgumentException(
                    text + " is no collector: write udp:HOST:PORT, tcp:HOST:PORT or tls:HOST:PORT");
        }
        String host = text.substring(first + 1, last);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        if (!isBracketed && host.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    text + " has an IPv6 address without brackets: write [2001:db8::1]:9060");
        }
        try {
            int port = Integer.parseInt(text.substring(last + 1));
            return new HepTarget(isBracketed ? host.substring(1, host.length() - 1) : host, port, transport);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " has no port at its end", e);
        }
    }

    private static @Nullable HepTransport transport(String name) {
        return switch (name) {
            case "udp" -> HepTransport.UDP;
            case "tcp" -> HepTransport.TCP;
            case "tls" -> HepTransport.TLS;
            default -> null;
        };
    }

    /** Checks the port. */
    public HepTarget {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is outside 1 to 65535");
        }
    }
}
