package io.offhook.proxy.limit;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.List;
import java.util.Set;

/**
 * Decides whether a reply may go to a source that has not shown that it receives what is sent to it. The source of a UDP
 * datagram can be forged, so a reply must be of no use to somebody who wants to hit another: it is at most three times as
 * large as the request (the factor that QUIC allows, RFC 9000, 8.1), and goes to no group of hosts and not to the proxy
 * itself. Thread-safe.
 */
public final class UnauthenticatedReply {
    /** The most bytes of a reply for each byte of the request. */
    public static final int MOST_FACTOR = 3;

    /** The decision. */
    public enum Decision {
        /** It may be sent. */
        ALLOWED,
        /** It is more than three times as large as the request. */
        TOO_LARGE,
        /** The source is multicast, broadcast or unspecified. */
        NOT_ONE_HOST,
        /** The source port is 0. */
        PORT_ZERO,
        /** The source is a listener of the proxy, which would answer itself. */
        OURSELVES
    }

    private final Set<Endpoint> own;
    private final Set<IpAddress> broadcast;

    /**
     * Creates the rule.
     *
     * @param own addresses and ports of the proxy's listeners; of one that listens on all addresses, each of them
     * @param broadcast broadcast addresses of the host's networks
     */
    public UnauthenticatedReply(List<Endpoint> own, List<IpAddress> broadcast) {
        this.own = Set.copyOf(own);
        this.broadcast = Set.copyOf(broadcast);
    }

    /**
     * Decides.
     *
     * @param replyBytes the size of the reply
     * @param requestBytes the size of the request, as received
     * @param to where the request came from and the reply would go
     */
    public Decision decide(int replyBytes, int requestBytes, Endpoint to) {
        if (to.port() == 0) {
            return Decision.PORT_ZERO;
        }
        if (!isOneHost(to)) {
            return Decision.NOT_ONE_HOST;
        }
        if (own.contains(to)) {
            return Decision.OURSELVES;
        }
        return replyBytes > (long) MOST_FACTOR * requestBytes ? Decision.TOO_LARGE : Decision.ALLOWED;
    }

    private boolean isOneHost(Endpoint to) {
        if (to.isUnspecified() || broadcast.contains(to.address())) {
            return false;
        }
        if (to.isIpv4()) {
            int first = (int) (to.low() >>> 24) & 0xff;
            return first != 0 && first < 224; // 224/4 is multicast (RFC 5771), 240/4 reserved and broadcast (RFC 1112)
        }
        return to.high() >>> 56 != 0xff; // RFC 4291, 2.7
    }
}
