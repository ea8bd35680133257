package io.offhook.web.metrics;

import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.offhook.metrics.MetricHistogram;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of a server; it stands before all that answers. */
public final class HttpCounts implements Filter {
    private static final String API = "/api/v1/";
    private static final Set<String> RESOURCES =
            Set.of("calls", "streams", "registrations", "totals", "statistics", "system", "uploads", "alerts");

    /** Whose answers take as long as somebody listens. */
    private static final Set<String> LASTING = Set.of("events", "audio", "packets", "waveform");

    private static final double NS_PER_SECOND = 1e9;
    private static final int LEAST_CODE = 100;
    private static final int MOST_CODE = 599;

    private final Map<Key, LongAdder> requests = new ConcurrentSkipListMap<>();
    private final MetricHistogram duration =
            new MetricHistogram(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10);

    /** Creates one that has counted nothing. */
    public HttpCounts() {}

    /** What is counted apart: at most some ten routes, and codes as answered. */
    record Key(String route, int code) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byRoute = route.compareTo(other.route);
            return byRoute != 0 ? byRoute : Integer.compare(code, other.code);
        }
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        long sinceNs = System.nanoTime();
        String route = route(request.path().path());
        boolean isMeasured = !LASTING.contains(last(request.path().path())) && !route.equals("uploads");
        response.whenSent(() -> {
            int code = Math.clamp(response.status().code(), LEAST_CODE, MOST_CODE);
            requests.computeIfAbsent(new Key(route, code), _ -> new LongAdder()).increment();
            if (isMeasured) {
                duration.add((System.nanoTime() - sinceNs) / NS_PER_SECOND);
            }
        });
        chain.proceed();
    }

    /** The part of the server that a path is of: whatever is asked for, it is one of a few. */
    static String route(String path) {
        if (path.startsWith(API)) {
            int end = path.indexOf('/', API.length());
            String resource = path.substring(API.length(), end < 0 ? path.length() : end);
            return RESOURCES.contains(resource) || resource.equals("events") ? resource : "api";
        }
        return switch (path) {
            case "/metrics", "/health" -> path.substring(1);
            default -> "page";
        };
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    Map<Key, LongAdder> requests() {
        return requests;
    }

    MetricHistogram duration() {
        return duration;
    }
}
