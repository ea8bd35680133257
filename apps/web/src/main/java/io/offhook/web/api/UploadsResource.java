package io.offhook.web.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.InputState;
import io.offhook.web.http.BadRequestException;
import io.offhook.web.http.JsonReply;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Captures that users drop on the page: taken, listed, deleted. */
final class UploadsResource implements HttpService {
    private static final int ACCEPTED = 202;
    private static final int NO_CONTENT = 204;

    private final Uploads uploads;

    UploadsResource(Uploads uploads) {
        this.uploads = uploads;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/", this::list).post("/", this::add).delete("/{id}", this::delete);
    }

    private void add(ServerRequest request, ServerResponse response) throws IOException {
        String name = new Parameters(request).text("name");
        if (request.headers().contentLength().orElse(0) > uploads.mostBytes()) {
            throw new BadRequestException(
                    413,
                    "the capture is larger than " + uploads.mostBytes()
                            + " bytes, which is the limit here; offhook serve FILE has none");
        }
        Uploads.Upload upload;
        try (InputStream content = request.content().inputStream()) {
            upload = uploads.add(name == null ? "capture" : name, content);
        }
        response.status(ACCEPTED);
        JsonReply.send(response, out -> out.field("id", upload.id).field("name", upload.name));
    }

    private void list(ServerRequest request, ServerResponse response) throws SQLException {
        List<Listed> all = new ArrayList<>();
        for (Uploads.Upload upload : uploads.all()) {
            List<InputState> inputs =
                    upload.connections.data().inputs(); // before its calls: if it is ready, all are there
            all.add(new Listed(
                    upload,
                    inputs,
                    upload.connections.read(reader -> CallsResource.count(reader, "calls", new Condition()))));
        }
        JsonReply.send(response, out -> {
            out.array("uploads");
            all.forEach(listed -> write(listed, out));
            out.end();
        });
    }

    /** A capture as it was when it was looked at. */
    private record Listed(Uploads.Upload upload, List<InputState> inputs, long calls) {}

    private static void write(Listed listed, JsonFields out) {
        out.object().field("id", listed.upload.id).field("name", listed.upload.name);
        for (InputState input : listed.inputs) { // it is one file
            String state = switch (input.state()) {
                case READING, LISTENING -> "reading";
                case DONE -> "ready";
                case FAILED -> "failed";
            };
            out.field("state", state).field("percent", input.percent(), 1).field("message", input.message());
        }
        out.field("calls", listed.calls).end();
    }

    private void delete(ServerRequest request, ServerResponse response) {
        String id = request.path().pathParameters().first("id").orElse("");
        if (!uploads.remove(id)) {
            throw new BadRequestException(404, "there is no such capture");
        }
        response.status(NO_CONTENT);
        response.send();
    }
}
