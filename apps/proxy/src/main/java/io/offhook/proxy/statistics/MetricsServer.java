package io.offhook.proxy.statistics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.offhook.metrics.MetricsText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves {@code /metrics} by HTTP in the text format of Prometheus. Two threads answer, and the text is made at most once in
 * {@link #LEAST_INTERVAL_NS}, so that nobody who asks too often costs the proxy more. There is no authentication: listen on
 * an address that only those reach who may know.
 */
public final class MetricsServer implements AutoCloseable {
    /** Between two texts, in nanoseconds; who asks earlier gets the last one. */
    public static final long LEAST_INTERVAL_NS = 500_000_000L;

    private static final int BACKLOG = 16;
    private static final int THREADS = 2;

    private final ProxyStatistics statistics;
    private final HttpServer server;
    private final ExecutorService threads;
    private byte[] text = new byte[0];
    private long textNs;

    private MetricsServer(ProxyStatistics statistics, HttpServer server) {
        this.statistics = statistics;
        this.server = server;
        threads = Executors.newFixedThreadPool(
                THREADS,
                Thread.ofPlatform().daemon().name("offhook-metrics-", 0).factory());
    }

    /**
     * Starts to serve.
     *
     * @param address to listen on; port 0 for any
     * @throws IOException if the address cannot be had
     */
    public static MetricsServer open(InetSocketAddress address, ProxyStatistics statistics) throws IOException {
        HttpServer server = HttpServer.create(address, BACKLOG);
        MetricsServer metrics = new MetricsServer(statistics, server);
        server.createContext("/metrics", metrics::answer);
        server.setExecutor(metrics.threads);
        server.start();
        return metrics;
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean isKnown = exchange.getRequestURI().getPath().equals("/metrics");
            String method = exchange.getRequestMethod();
            if (!isKnown) {
                exchange.sendResponseHeaders(404, -1);
            } else if (method.equals("HEAD")) {
                exchange.sendResponseHeaders(200, -1);
            } else if (!method.equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                exchange.sendResponseHeaders(405, -1);
            } else {
                byte[] now = text();
                exchange.getResponseHeaders().set("Content-Type", MetricsText.CONTENT_TYPE);
                exchange.sendResponseHeaders(200, now.length);
                exchange.getResponseBody().write(now);
            }
        }
    }

    private synchronized byte[] text() {
        long nowNs = System.nanoTime();
        if (text.length == 0 || nowNs - textNs >= LEAST_INTERVAL_NS) {
            text = Metrics.text(statistics).getBytes(StandardCharsets.UTF_8);
            textNs = nowNs;
        }
        return text;
    }

    /** Ends at once. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
