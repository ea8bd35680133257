package io.offhook.collector;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a collector receives.
 *
 * @param transport how packets come
 * @param address the address and port to bind, resolved; port 0 for one that the system chooses
 */
public record HepListener(Transport transport, InetSocketAddress address) {
    /** How packets come. */
    public enum Transport {
        /** One packet a datagram. */
        UDP("udp"),
        /** One packet after the other. */
        TCP("tcp"),
        /** One packet after the other, in TLS. */
        TLS("tls");

        private final String label;

        Transport(String label) {
            this.label = label;
        }

        /** Its name in text: "udp", "tcp" or "tls". */
        public String label() {
            return label;
        }
    }

    /** Checks the address. */
    public HepListener {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("the address " + address.getHostString() + " is not resolved");
        }
    }

    /**
     * Reads "udp:9060", which is port 9060 of all IPv4 addresses, "tcp:192.0.2.1:9060", or "tls:[::]:9061".
     *
     * @throws IllegalArgumentException if it is none of these; the message says why
     */
    public static HepListener parse(String text) {
        int end = text.indexOf(':');
        Transport transport = end < 0 ? null : transport(text.substring(0, end));
        if (transport == null) {
            throw new IllegalArgumentException(
                    text + " does not begin with udp:, tcp: or tls:; write udp:9060 or tcp:192.0.2.1:9060");
        }
        String place = text.substring(end + 1);
        int colon = place.lastIndexOf(':');
        String host = colon < 0 ? "0.0.0.0" : place.substring(0, colon);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        IpAddress address = IpAddress.parse(isBracketed ? host.substring(1, host.length() - 1) : host);
        if (address == null || isBracketed == address.isIpv4()) {
            throw new IllegalArgumentException(
                    text + " has no IP address of this machine before the port: write 192.0.2.1:9060 or [::]:9060");
        }
        int port = port(text, place.substring(colon + 1));
        return new HepListener(transport, Endpoint.of(address, port).toInetSocketAddress());
    }

    private static @Nullable Transport transport(String name) {
        for (Transport transport : Transport.values()) {
            if (transport.label().equals(name)) {
                return transport;
            }
        }
        return null;
    }

    private static int port(String text, String port) {
        try {
            int number = Integer.parseInt(port);
            if (number >= 0 && number <= 65_535) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new IllegalArgumentException(text + " has no port of 0 to 65535 at its end");
    }

    /** "udp:0.0.0.0:9060". */
    @Override
    public String toString() {
        return transport.label() + ':' + Endpoint.of(address);
    }
}
