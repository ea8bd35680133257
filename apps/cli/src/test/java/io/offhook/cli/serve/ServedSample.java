package io.offhook.cli.serve;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.cli.Json;
import io.offhook.pcap.PacketSource;
import io.offhook.web.CallServer;
import io.offhook.web.ServerSettings;
import io.offhook.web.alert.AlertConfig;
import io.offhook.web.data.InputState;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A server that shows captures, on a free port. */
final class ServedSample implements AutoCloseable {
    private final ServedStore store;
    private final FilledByFiles filling;
    private final CallServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Exception> failures = new ArrayList<>();

    private ServedSample(List<String> files, UnaryOperator<PacketSource> selection) throws IOException {
        AnalysisOptions options = AnalysisOptions.defaults();
        AnalysisOptions rated = options.withMedia(options.media().withIntervals(true));
        store = ServedStore.open(null);
        ServedCalls calls = new ServedCalls(store);
        filling = new FilledByFiles(files, String.join(", ", files), calls.metrics(), selection);
        calls.filledBy(filling);
        ServerSettings settings = new ServerSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), List.of(), null, true, 1 << 24, "0");
        server = CallServer.start(
                settings, calls, new DroppedCaptures(rated), calls.metrics(), AlertConfig.NONE, failures::add);
        filling.start(store.store(), rated, null, InputStream.nullInputStream());
    }

    /** Serves these files, which were read to their end. */
    static ServedSample of(String... files) throws Exception {
        return of(UnaryOperator.identity(), files);
    }

    /** As above, of the frames that are selected. */
    static ServedSample of(UnaryOperator<PacketSource> selection, String... files) throws Exception {
        ServedSample sample = new ServedSample(List.of(files), selection);
        while (sample.filling.inputs().stream().anyMatch(input -> input.state() == InputState.State.READING)) {
            Thread.sleep(10);
        }
        return sample;
    }

    URI uri() {
        return server.uri();
    }

    /** Asks for something that is there. */
    Map<String, Object> get(String path) throws Exception {
        HttpResponse<String> response = response(path);
        if (response.statusCode() != 200) {
            throw new AssertionError(path + ": " + response.statusCode() + ' ' + response.body());
        }
        return Json.object(response.body());
    }

    HttpResponse<String> response(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri().resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> response(String path, String cookie) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri().resolve(path))
                        .header("Cookie", cookie)
                        .build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
    }

    /** Deletes something. @return the status */
    int delete(String path, String cookie) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(uri().resolve(path))
                                .header("Cookie", cookie)
                                .header("X-Offhook", "1")
                                .DELETE()
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** Posts as a page of another origin does. @return the status */
    int postFrom(String origin, String path, byte[] content) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(uri().resolve(path))
                                .header("Origin", origin)
                                .header("X-Offhook", "1")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(content))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    HttpResponse<byte[]> bytes(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri().resolve(path)).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    HttpResponse<String> post(String path, byte[] content) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri().resolve(path))
                        .header("X-Offhook", "1")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(content))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
        filling.close();
        store.close();
        if (!failures.isEmpty()) {
            throw new AssertionError("a request failed", failures.getFirst());
        }
    }
}
