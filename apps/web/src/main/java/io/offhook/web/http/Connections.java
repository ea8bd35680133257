package io.offhook.web.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import io.offhook.web.access.ClientPlace;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server: how many an address has, and since when each waits for a request that is whole. A client that sends
 * its headers byte by byte is as idle as one that sends nothing. As a filter, it learns when requests begin and end. Thread-safe.
 */
public final class Connections implements ServerConnectionSelector, Filter {
    private final ServerConnectionSelector http =
            Http1ConnectionSelector.builder().config(Http1Config.create()).build();
    private final int mostOfAddress;
    private final boolean isLoopbackFree;
    private final LongSupplier clockNs;
    private final Map<String, Integer> open = new HashMap<>();
    private final Map<Thread, Watched> serving = new ConcurrentHashMap<>();

    /**
     * Begins without any.
     *
     * @param mostOfAddress connections of an address, or of the /64 of an IPv6 address, at a time
     * @param isLoopbackFree whether programs of this machine, such as a proxy, may have any number
     * @param clockNs a clock that never goes back, in nanoseconds
     */
    public Connections(int mostOfAddress, boolean isLoopbackFree, LongSupplier clockNs) {
        this.mostOfAddress = mostOfAddress;
        this.isLoopbackFree = isLoopbackFree;
        this.clockNs = clockNs;
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        return new Watched(
                http.connection(context), String.valueOf(context.remotePeer().host()));
    }

    /** The headers of a request are complete. */
    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        Watched connection = serving.get(Thread.currentThread());
        if (connection == null) {
            chain.proceed();
            return;
        }
        connection.isAnswering = true;
        try {
            chain.proceed();
        } finally {
            connection.waitingSinceNs = clockNs.getAsLong();
            connection.isAnswering = false;
        }
    }

    /** Takes a place; false if the address has as many as it may. */
    boolean take(String place) {
        synchronized (open) {
            int already = open.getOrDefault(place, 0);
            if (already >= mostOfAddress) {
                return false;
            }
            open.put(place, already + 1);
            return true;
        }
    }

    /** Gives a place back. */
    void giveBack(String place) {
        synchronized (open) {
            open.computeIfPresent(place, (_, already) -> already == 1 ? null : already - 1);
        }
    }

    /** A connection with what is known of its use. */
    private final class Watched implements ServerConnection {
        private final ServerConnection connection;
        private final @Nullable String place;
        private volatile boolean isAnswering;
        private volatile long waitingSinceNs = clockNs.getAsLong();

        Watched(ServerConnection connection, String address) {
            this.connection = connection;
            place = isLoopbackFree && ClientPlace.isLoopback(address) ? null : ClientPlace.of(address);
        }

        @Override
        public void handle(Limit limit) throws InterruptedException {
            if (place != null && !take(place)) {
                throw new CloseConnectionException("too many connections of one address");
            }
            serving.put(Thread.currentThread(), this);
            try {
                connection.handle(limit);
            } finally {
                serving.remove(Thread.currentThread());
                if (place != null) {
                    giveBack(place);
                }
            }
        }

        @Override
        public Duration idleTime() {
            return isAnswering ? Duration.ZERO : Duration.ofNanos(clockNs.getAsLong() - waitingSinceNs);
        }

        /** Nobody answers a request that is not there yet: its reading is interrupted in any case. */
        @Override
        public void close(boolean interrupt) {
            connection.close(interrupt || !isAnswering);
        }
    }
}
