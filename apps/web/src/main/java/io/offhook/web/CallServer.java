package io.offhook.web;

import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.HttpException;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.offhook.transport.TlsIdentity;
import io.offhook.web.access.PasswordCheck;
import io.offhook.web.alert.AlertConfig;
import io.offhook.web.alert.Alerts;
import io.offhook.web.alert.AlertsResource;
import io.offhook.web.api.Api;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CaptureReader;
import io.offhook.web.data.ReadConnections;
import io.offhook.web.http.BadRequestException;
import io.offhook.web.http.Connections;
import io.offhook.web.http.Guard;
import io.offhook.web.http.JsonReply;
import io.offhook.web.http.PageFiles;
import io.offhook.web.metrics.CallMetrics;
import io.offhook.web.metrics.HttpCounts;
import io.offhook.web.metrics.MetricsResource;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A running server; requests run on virtual threads. {@link #close} ends it, within two seconds. */
public final class CallServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 1024;
    private static final int BACKLOG = 128;
    private static final int NOT_FOUND = 404;

    /** A connection that nobody uses takes the place of one that somebody waits for. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    private static final Duration IDLE_LOOKS = Duration.ofSeconds(5);

    /** So that four addresses at least are needed to take all of them. */
    private static final int MOST_OF_ADDRESS = 256;

    /**
     * What connections may do.
     *
     * @param mostOfAddress connections of an address at a time
     * @param isLoopbackFree whether those of this machine are not counted
     * @param idle how long one may wait for a request, its headers included, or for the next bytes of its content
     * @param looks how often that is looked at
     */
    record Limits(int mostOfAddress, boolean isLoopbackFree, Duration idle, Duration looks) {}

    /** Kept, since loggers without a reference forget their level. */
    private static final Logger LIBRARY = Logger.getLogger("io.helidon");

    private static final Logger LIBRARY_REQUESTS = Logger.getLogger("io.helidon.webserver.http1");

    private final WebServer server;
    private final Api api;
    private final Alerts alerts;
    private final URI uri;

    private CallServer(WebServer server, Api api, Alerts alerts, URI uri) {
        this.server = server;
        this.api = api;
        this.alerts = alerts;
        this.uri = uri;
    }

    /**
     * Listens.
     *
     * @param own the calls that the page shows first; closed by its owner, after the server
     * @param reader reads what users drop on the page
     * @param metrics of the same calls
     * @param alertConfig what watches them
     * @param failures receives what requests failed by that is no fault of theirs
     * @throws IllegalStateException if the port is taken
     */
    public static CallServer start(
            ServerSettings settings,
            CallData own,
            CaptureReader reader,
            CallMetrics metrics,
            AlertConfig alertConfig,
            Consumer<Exception> failures) {
        int most = settings.isLoopback() ? Integer.MAX_VALUE : MOST_OF_ADDRESS;
        Limits limits = new Limits(most, true, IDLE, IDLE_LOOKS);
        return start(settings, own, reader, metrics, alertConfig, failures, limits);
    }

    /** As above, with limits of connections. */
    static CallServer start(
            ServerSettings settings,
            CallData own,
            CaptureReader reader,
            CallMetrics metrics,
            AlertConfig alertConfig,
            Consumer<Exception> failures,
            Limits limits) {
        LIBRARY.setLevel(Level.WARNING); // it announces itself at each start
        LIBRARY_REQUESTS.setLevel(Level.OFF); // twenty lines for each request that is not HTTP, which anybody can send
        HttpCounts http = new HttpCounts();
        Connections connections = new Connections(limits.mostOfAddress, limits.isLoopbackFree, System::nanoTime);
        HttpRouting.Builder routing = routing(settings, connections, http, failures);
        Api api = new Api(
                own,
                reader,
                new Api.Settings(settings.version(), settings.isAudioAllowed(), settings.mostUploadBytes()));
        api.register(routing);
        Alerts alerts = Alerts.start(alertConfig, own);
        routing.get("/api/v1/alerts", new AlertsResource(alerts)::alerts)
                .get("/metrics", new MetricsResource(metrics, own, http, alerts, settings.version())::metrics);
        try {
            WebServer server =
                    config(settings, connections, limits, routing).build().start();
            return new CallServer(server, api, alerts, uri(settings, server.port()));
        } catch (RuntimeException e) {
            alerts.close();
            throw e;
        }
    }

    /** What holds for all paths, and the files of the page. */
    private static HttpRouting.Builder routing(
            ServerSettings settings, Connections connections, HttpCounts http, Consumer<Exception> failures) {
        PageFiles page = new PageFiles();
        PasswordCheck passwords = new PasswordCheck(settings.passwordHashes(), System::nanoTime);
        return HttpRouting.builder()
                .addFilter(connections)
                .addFilter(http)
                .addFilter(new Guard(passwords, settings.isLoopback(), page.importMapSource()))
                .error(BadRequestException.class, (request, response, e) -> {
                    if (e.status() != NOT_FOUND || !page.sendNotFound(request, response)) {
                        JsonReply.error(response, e.status(), String.valueOf(e.getMessage()));
                    }
                })
                .error(
                        ReadConnections.BusyException.class,
                        (request, response, e) -> JsonReply.error(response, 503, String.valueOf(e.getMessage())))
                .error(
                        HttpException.class,
                        (request, response, e) -> { // no such path, or a request that HTTP does not allow
                            if (e.status().code() != NOT_FOUND || !page.sendNotFound(request, response)) {
                                JsonReply.error(response, e.status().code(), String.valueOf(e.getMessage()));
                            }
                        })
                .error(Exception.class, (request, response, e) -> {
                    failures.accept(e);
                    JsonReply.error(response, 500, "internal error (a bug in Offhook): " + e);
                })
                .register(page);
    }

    private static WebServerConfig.Builder config(
            ServerSettings settings, Connections connections, Limits limits, HttpRouting.Builder routing) {
        WebServerConfig.Builder config = WebServerConfig.builder()
                .address(settings.listen().getAddress())
                .port(settings.listen().getPort())
                .backlog(BACKLOG)
                .maxTcpConnections(MOST_CONNECTIONS)
                .connectionOptions(options -> options.tcpNoDelay(true).readTimeout(limits.idle))
                .protocolsDiscoverServices(false)
                .addConnectionSelector(connections)
                .idleConnectionTimeout(limits.idle)
                .idleConnectionPeriod(limits.looks)
                .shutdownHook(false)
                .shutdownGracePeriod(Duration.ofMillis(500))
                .featuresDiscoverServices(false)
                .directHandlers(DirectHandlers.builder()
                        .addHandler(DirectHandler.EventType.INTERNAL_ERROR, CallServer::unreadable)
                        .build())
                .routing(routing);
        TlsIdentity tls = settings.tls();
        if (tls != null) {
            config.tls(Tls.builder()
                    .privateKey(tls.key())
                    .privateKeyCertChain(tls.chain())
                    .build());
        }
        return config;
    }

    /**
     * Answers what failed before it reached a path, which is a request that cannot be read: what fails behind that is
     * answered by the routing.
     */
    private static DirectHandler.TransportResponse unreadable(
            DirectHandler.TransportRequest request,
            DirectHandler.EventType event,
            Status status,
            ServerResponseHeaders headers,
            String message) {
        return DirectHandler.TransportResponse.builder()
                .status(Status.BAD_REQUEST_400)
                .headers(headers)
                .keepAlive(false)
                .entity("the request is not HTTP")
                .build();
    }

    private static URI uri(ServerSettings settings, int port) {
        String host = settings.listen().getAddress().getHostAddress();
        return URI.create((settings.tls() == null ? "http" : "https") + "://"
                + (host.contains(":") ? '[' + host + ']' : host) + ':' + port + '/');
    }

    /** The address of the page. */
    public URI uri() {
        return uri;
    }

    @Override
    public void close() {
        api.close();
        server.stop();
        alerts.close();
        api.closeData();
    }
}
