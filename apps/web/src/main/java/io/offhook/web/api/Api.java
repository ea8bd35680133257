package io.offhook.web.api;

import io.helidon.webserver.http.HttpRouting;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CaptureReader;
import io.offhook.web.http.JsonReply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The paths below {@code /api/v1}, {@code /metrics} and {@code /health}. */
public final class Api implements AutoCloseable {
    private final Settings settings;
    private final Uploads uploads;
    private final KeyedCalls keyed;
    private final DataSets data;
    private final EventsResource events;

    /**
     * What the API allows, and says of itself.
     *
     * @param version of Offhook
     * @param isAudioAllowed whether calls can be listened to
     * @param mostUploadBytes of a dropped capture
     */
    public record Settings(String version, boolean isAudioAllowed, long mostUploadBytes) {}

    /**
     * Creates it.
     *
     * @param own the calls of the server
     * @param reader reads what users drop on the page
     */
    public Api(CallData own, CaptureReader reader, Settings settings) {
        this.settings = settings;
        uploads = new Uploads(reader, settings.mostUploadBytes(), System::nanoTime);
        keyed = new KeyedCalls(System::nanoTime);
        data = new DataSets(own, uploads, keyed);
        events = new EventsResource(data);
    }

    /** Adds all paths. */
    public void register(HttpRouting.Builder routing) {
        TotalsResource totals = new TotalsResource(data);
        StatisticsResource statistics = new StatisticsResource(data);
        SystemResource system = new SystemResource(data, settings);
        KeysResource keys = new KeysResource(data, keyed);
        AudioResource audio = new AudioResource(data, settings.isAudioAllowed());
        CallsResource calls = new CallsResource(data, audio, keys);
        routing.register("/api/v1/calls", calls)
                .register("/api/v1/keys", keys)
                .register("/api/v1/uploads", new UploadsResource(uploads))
                .get("/api/v1/streams", (request, response) -> ListResource.STREAMS.streams(data, request, response))
                .get("/api/v1/packets", calls::packetsOfSeveral)
                .register("/api/v1/registrations", new RegistrationsResource(data))
                .get("/api/v1/totals", totals::totals)
                .get("/api/v1/statistics", statistics::statistics)
                .get("/api/v1/system", system::system)
                .get("/api/v1/events", events::events)
                .get("/api/v1/openapi.json", (request, response) -> JsonReply.sendDocument(response, document()))
                .get("/health", (request, response) -> JsonReply.send(response, out -> out.field("status", "up")));
    }

    /** The description of this interface (OpenAPI 3.1). */
    private static byte[] document() {
        try (InputStream in = Api.class.getResourceAsStream("openapi.json")) {
            return Objects.requireNonNull(in, "openapi.json is missing").readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the streams of events; the rest is closed by {@link #closeData}, when no request reads it any more. */
    @Override
    public void close() {
        events.close();
    }

    /** Closes the connections to databases, and deletes dropped captures. */
    public void closeData() {
        data.close();
    }
}
