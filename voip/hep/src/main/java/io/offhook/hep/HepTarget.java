package io.offhook.hep;

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

    /** Checks the port. */
    public HepTarget {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is outside 1 to 65535");
        }
    }
}
