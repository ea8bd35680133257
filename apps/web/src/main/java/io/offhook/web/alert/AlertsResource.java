package io.offhook.web.alert;

import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.web.http.JsonReply;

/** Answers {@code GET /api/v1/alerts}: how many rules there are, and the alerts that are raised. */
public final class AlertsResource {
    private final Alerts alerts;

    /**
     * Creates it.
     *
     * @param alerts whose state is shown
     */
    public AlertsResource(Alerts alerts) {
        this.alerts = alerts;
    }

    /** Answers a request. */
    public void alerts(ServerRequest request, ServerResponse response) {
        JsonReply.send(response, out -> {
            out.field("rules", alerts.rules());
            out.array("alerts");
            for (Alert alert : alerts.current()) {
                out.object();
                alert.write(out);
                out.end();
            }
            out.end();
        });
    }
}
