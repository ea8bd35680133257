package io.offhook.web.metrics;

import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.metrics.MetricsText;
import io.offhook.web.alert.Alerts;
import io.offhook.web.data.CallData;
import java.nio.charset.StandardCharsets;

/** Answers {@code GET /metrics}, without reading the database. */
public final class MetricsResource {
    private final Sources sources;
    private final HighWater highWater = new HighWater();
    private final long startedMs = System.currentTimeMillis();

    /** Where the values come from. */
    record Sources(CallMetrics calls, CallData data, HttpCounts http, Alerts alerts, String version) {}

    /**
     * Creates it.
     *
     * @param calls what was counted of calls
     * @param data what is read, and its database
     * @param http what was counted of requests
     * @param alerts how they are doing
     * @param version of Offhook
     */
    public MetricsResource(CallMetrics calls, CallData data, HttpCounts http, Alerts alerts, String version) {
        sources = new Sources(calls, data, http, alerts, version);
    }

    /** Answers a request. */
    public void metrics(ServerRequest request, ServerResponse response) {
        response.header("Content-Type", MetricsText.CONTENT_TYPE);
        response.header("Cache-Control", "no-store");
        response.send(text().getBytes(StandardCharsets.UTF_8));
    }

    /** All metrics as they are now. */
    String text() {
        return new MetricsDocument(sources, highWater, startedMs).text();
    }
}
