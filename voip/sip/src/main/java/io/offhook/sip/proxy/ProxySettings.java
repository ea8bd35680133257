package io.offhook.sip.proxy;

import java.util.Set;

/**
 * How a core treats requests.
 *
 * @param presence how much of it, and of what is behind it, others see
 * @param forking how requests are sent to several targets
 * @param timerC how long an INVITE may ring after each provisional response, in ns; more than 3 minutes (16.6 step 11)
 * @param maxForwards the Max-Forwards of a request without one (RFC 3261, 16.6 step 3), 1 to 255
 * @param tcpAbove requests longer than this many bytes go by TCP rather than UDP where a listener has it and the URI does not
 *     ask for UDP, and by UDP if that fails (18.1.1); 1,300 by default, 65535 for never
 * @param supported option tags that Proxy-Require may name, in lower case
 * @param secrets what all lanes share, and nobody else knows
 */
public record ProxySettings(
        Presence presence,
        Forking forking,
        long timerC,
        int maxForwards,
        int tcpAbove,
        Set<String> supported,
        Secrets secrets) {
    /**
     * How much of the proxy, and of what is behind it, others see.
     *
     * @param recordsRoute whether it stays on the way of dialogs (RFC 3261, 16.6 step 4)
     * @param hidesTopology whether addresses in Via, Record-Route and Contact of one side are hidden from the other; needs
     *     {@code recordsRoute}
     */
    public record Presence(boolean recordsRoute, boolean hidesTopology) {
        /** Checks the values. */
        public Presence {
            if (hidesTopology && !recordsRoute) {
                throw new IllegalArgumentException("only a proxy that records its route can hide others");
            }
        }
    }

    /**
     * How requests are sent to several targets.
     *
     * @param recursesOn3xx whether it tries the contacts of a 3xx itself (RFC 3261, 16.7 step 4)
     * @param mostBranches the most branches of one request, serial ones too, 1 or more
     */
    public record Forking(boolean recursesOn3xx, int mostBranches) {}

    /**
     * What all lanes share, and nobody else knows.
     *
     * @param secret a random number
     * @param routeKey what Record-Route is signed with; requests of a dialog pass as long as it is the same
     */
    public record Secrets(long secret, RouteKey routeKey) {
        /** Nothing of them. */
        @Override
        public String toString() {
            return "Secrets";
        }
    }

    private static final long SECOND = 1_000_000_000;
    private static final int TCP_ABOVE = 1300;

    /** Checks the values. */
    public ProxySettings {
        supported = Set.copyOf(supported);
        if (forking.mostBranches() < 1 || timerC < 1 || maxForwards < 1 || maxForwards > 255 || tcpAbove < 1) {
            throw new IllegalArgumentException("most branches " + forking.mostBranches() + ", timer C " + timerC
                    + ", Max-Forwards " + maxForwards + " and TCP above " + tcpAbove
                    + " bytes must be 1 or more, Max-Forwards at most 255");
        }
    }

    /** Whether it stays on the way of dialogs. */
    public boolean recordsRoute() {
        return presence.recordsRoute();
    }

    /** Whether addresses of one side are hidden from the other. */
    public boolean hidesTopology() {
        return presence.hidesTopology();
    }

    /** The random number that all lanes share. */
    public long secret() {
        return secrets.secret();
    }

    /** What Record-Route is signed with. */
    public RouteKey routeKey() {
        return secrets.routeKey();
    }

    /** Whether it tries the contacts of a 3xx itself. */
    public boolean recursesOn3xx() {
        return forking.recursesOn3xx();
    }

    /** The most branches of one request. */
    public int mostBranches() {
        return forking.mostBranches();
    }

    /** These with another presence. */
    public ProxySettings with(Presence other) {
        return new ProxySettings(other, forking, timerC, maxForwards, tcpAbove, supported, secrets);
    }

    /** These with other forking. */
    public ProxySettings with(Forking other) {
        return new ProxySettings(presence, other, timerC, maxForwards, tcpAbove, supported, secrets);
    }

    /** These with other secrets. */
    public ProxySettings with(Secrets other) {
        return new ProxySettings(presence, forking, timerC, maxForwards, tcpAbove, supported, other);
    }

    /** These with another length, in bytes, above which requests go by TCP. */
    public ProxySettings withTcpAbove(int bytes) {
        return new ProxySettings(presence, forking, timerC, maxForwards, bytes, supported, secrets);
    }

    /** These with other option tags that Proxy-Require may name. */
    public ProxySettings withSupported(Set<String> tags) {
        return new ProxySettings(presence, forking, timerC, maxForwards, tcpAbove, tags, secrets);
    }

    /** A proxy that stays on the way, with the values of the RFCs. */
    public static ProxySettings standard(long secret) {
        Secrets secrets = new Secrets(secret, new RouteKey(secret, ~secret));
        return new ProxySettings(
                new Presence(true, false), new Forking(false, 10), 181 * SECOND, 70, TCP_ABOVE, Set.of(), secrets);
    }
}
