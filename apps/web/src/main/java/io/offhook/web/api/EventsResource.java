package io.offhook.web.api;

import io.helidon.http.sse.SseEvent;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.sse.SseSink;
import io.offhook.web.data.CallData;
import io.offhook.web.data.InputState;
import io.offhook.web.http.BadRequestException;
import io.offhook.web.http.JsonReply;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;

/**
 * Server-sent events: that calls changed, at most twice a second, and a sign of life each 15 s. They say what to ask for
 * again, not what changed, so that a slow reader misses nothing and costs nothing.
 */
final class EventsResource implements AutoCloseable {
    private static final int MOST_READERS = 64;
    private static final int PAUSE_MS = 500;
    private static final int LOOKS_PER_SIGN = 30;

    private final DataSets data;
    private final Semaphore readers = new Semaphore(MOST_READERS);
    private volatile boolean isClosed;

    EventsResource(DataSets data) {
        this.data = data;
    }

    void events(ServerRequest request, ServerResponse response) {
        CallData shown = data.of(request).data();
        if (!readers.tryAcquire()) {
            throw new BadRequestException(429, "more than " + MOST_READERS + " pages follow the calls");
        }
        try (SseSink sink = response.sink(SseSink.TYPE)) {
            follow(shown, sink);
        } catch (UncheckedIOException _) {
            // the page was closed
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            readers.release();
        }
    }

    private void follow(CallData shown, SseSink sink) throws InterruptedException {
        String last = "";
        for (int looks = 0; !isClosed; looks++) {
            String state = state(shown);
            if (!state.equals(last) || looks >= LOOKS_PER_SIGN) {
                sink.emit(SseEvent.builder().name("change").data(state).build());
                last = state;
                looks = 0;
            }
            Thread.sleep(PAUSE_MS);
        }
    }

    private static String state(CallData shown) {
        long drops = shown.drops().stream().mapToLong(CallData.Drop::count).sum();
        boolean isReading = shown.inputs().stream().anyMatch(input -> input.state() == InputState.State.READING);
        byte[] json = JsonReply.document(out -> out.field("revision", shown.revision())
                .field("running", shown.running().ids().size())
                .field("drops", drops)
                .field("reading", isReading));
        return new String(json, StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
