package io.offhook.web.alert;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Posts notices as JSON. Redirections are not followed, and answers are not read. */
final class WebhookSender implements NoticeSender {
    private static final int TOO_MANY = 429;
    private static final int TIMED_OUT = 408;

    private final TargetConfig.Webhook config;
    private final HttpClient client;

    WebhookSender(TargetConfig.Webhook config) {
        this.config = config;
        client = HttpClient.newBuilder()
                .connectTimeout(Duration.ofNanos(config.timeoutNs()))
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    @Override
    public void send(Notice notice) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(config.url())
                .timeout(Duration.ofNanos(config.timeoutNs()))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(notice.json()));
        if (config.token() != null) {
            request.header("Authorization", "Bearer " + config.token());
        }
        int status = client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
        if (status >= 300 && status < 500 && status != TOO_MANY && status != TIMED_OUT) {
            throw new RefusedException("the webhook answered " + status);
        }
        if (status < 200 || status >= 300) {
            throw new IOException("the webhook answered " + status);
        }
    }
}
