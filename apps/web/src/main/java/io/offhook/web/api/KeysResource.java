package io.offhook.web.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.CallData;
import io.offhook.web.http.BadRequestException;
import io.offhook.web.http.JsonReply;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Keys that a user adds for a call's view: taken, listed without the keys, forgotten. */
final class KeysResource implements HttpService {
    /** Of the text with the keys: some ten thousand sessions. */
    static final int MOST_BYTES = 4 << 20;

    private static final String COOKIE = "offhook-keys";
    private static final int BUFFER = 1 << 13;
    private static final long MOST_NS = 30_000_000_000L;
    private static final int ACCEPTED = 202;
    private static final int NO_CONTENT = 204;

    private final DataSets data;
    private final KeyedCalls keyed;

    KeysResource(DataSets data, KeyedCalls keyed) {
        this.data = data;
        this.keyed = keyed;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/", this::list).delete("/{id}", this::delete);
    }

    /** The session of whoever asks, or null. */
    static @Nullable String session(ServerRequest request) {
        return request.headers().cookies().first(COOKIE).orElse(null);
    }

    /** Takes keys for a call. */
    void add(ServerRequest request, ServerResponse response) throws SQLException, IOException {
        String in = new Parameters(request).text("in");
        if (in != null && in.startsWith(KeyedCalls.PREFIX)) {
            throw new BadRequestException(
                    400, "this is a view with keys already; give all of them together to the call itself");
        }
        if (request.headers().contentLength().orElse(0) > MOST_BYTES) {
            throw tooLong();
        }
        CallData.CallKey call = CallsResource.key(data.of(request), request);
        String known = session(request);
        String session = known == null ? keyed.newSession() : known;
        KeyedCalls.Opened opened;
        try (Arena arena = Arena.ofConfined();
                InputStream content = request.content().inputStream()) {
            MemorySegment text = arena.allocate(MOST_BYTES);
            try {
                long length = read(content, text);
                opened = keyed.open(session, call, in, data.of(request).data(), text.asSlice(0, length));
            } finally {
                text.fill((byte) 0);
            }
        }
        if (known == null) {
            response.header(
                    "Set-Cookie",
                    COOKIE + '=' + session + "; Path=/api/v1; HttpOnly; SameSite=Strict"
                            + (request.isSecure() ? "; Secure" : ""));
        }
        response.status(ACCEPTED);
        JsonReply.send(response, out -> out.field("in", opened.id));
    }

    private static BadRequestException tooLong() {
        return new BadRequestException(
                413,
                "the keys are longer than " + MOST_BYTES
                        + " bytes; give only the lines of this call's sessions, or all to" + " offhook serve --keylog");
    }

    /** Reads all of a text into native memory, by a buffer that is overwritten. */
    private static long read(InputStream content, MemorySegment to) {
        byte[] buffer = new byte[BUFFER];
        long beganNs = System.nanoTime();
        long length = 0;
        try {
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                if (length + read > MOST_BYTES) {
                    throw tooLong();
                }
                if (System.nanoTime() - beganNs > MOST_NS) {
                    throw new BadRequestException(408, "the keys took longer than 30 seconds to arrive");
                }
                MemorySegment.copy(buffer, 0, to, ValueLayout.JAVA_BYTE, length, read);
                length += read;
            }
            return length;
        } catch (BadRequestException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // of many kinds; all are a fault of whoever sends
            throw new BadRequestException(
                    400, "the keys did not arrive whole: " + e.getClass().getSimpleName());
        } finally {
            Arrays.fill(buffer, (byte) 0);
        }
    }

    private void list(ServerRequest request, ServerResponse response) {
        JsonReply.send(response, out -> {
            out.array("views");
            for (KeyedCalls.Opened opened : keyed.all(session(request))) {
                write(opened, out);
            }
            out.end();
        });
    }

    private static void write(KeyedCalls.Opened opened, JsonFields out) {
        out.object()
                .field("in", opened.id)
                .field("ofCall", String.valueOf(opened.of.id()))
                .field("ofIn", opened.in)
                .field("state", opened.call.state().name().toLowerCase(Locale.ROOT))
                .field("leftMs", opened.leftMs());
        opened.call.write(out);
        out.end();
    }

    private void delete(ServerRequest request, ServerResponse response) {
        String id = request.path().pathParameters().first("id").orElse("");
        if (!keyed.remove(id, session(request))) {
            throw new BadRequestException(404, "there is no such view");
        }
        response.status(NO_CONTENT);
        response.send();
    }
}
