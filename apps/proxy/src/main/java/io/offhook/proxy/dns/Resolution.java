package io.offhook.proxy.dns;

import java.util.List;

/**
 * Where a URI leads.
 *
 * @param status whether it leads somewhere, and if not, why
 * @param destinations in the order of trying; empty unless {@link Status#FOUND}
 */
public record Resolution(Status status, List<Destination> destinations) {
    /** How a search ended. */
    public enum Status {
        /** With at least one destination. */
        FOUND,
        /** The name does not exist, has no address, or declares that it offers no SIP: 404 or 604 fit (RFC 3261, 21.4.5). */
        NO_DESTINATION,
        /** No DNS server answered: it may work later, 503 or 500 fits. */
        FAILED,
        /** Too many questions were open. */
        REFUSED,
        /** The URI demands a transport that is not allowed here, or is no SIP URI. */
        UNSUPPORTED
    }

    /** Copies what is given. */
    public Resolution {
        destinations = List.copyOf(destinations);
    }

    static Resolution none(Status status) {
        return new Resolution(status, List.of());
    }
}
