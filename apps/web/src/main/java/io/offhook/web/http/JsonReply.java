package io.offhook.web.http;

import io.helidon.webserver.http.ServerResponse;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Answers in JSON. */
public final class JsonReply {
    private static final int FIRST_BYTES = 4096;

    private JsonReply() {}

    /** A document, made by a consumer that writes into the object that is open. */
    public static byte[] document(Consumer<JsonFields> content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(FIRST_BYTES);
        try (JsonFields json = new JsonFields(bytes, TimeForm.EPOCH)) {
            json.object();
            content.accept(json);
            json.end();
        }
        return bytes.toByteArray();
    }

    /** Sends a document, made by a consumer that writes into the object that is open. */
    public static void send(ServerResponse response, Consumer<JsonFields> content) {
        sendDocument(response, document(content));
    }

    /** Sends a document. */
    public static void sendDocument(ServerResponse response, byte[] json) {
        response.header("Content-Type", "application/json");
        response.header("Cache-Control", "no-store");
        response.send(json);
    }

    /** Sends a document. */
    public static void sendText(ServerResponse response, String json) {
        sendDocument(response, json.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends an error: {@code {"error":"…"}}. */
    public static void error(ServerResponse response, int status, String message) {
        response.status(status);
        send(response, out -> out.field("error", message));
    }
}
