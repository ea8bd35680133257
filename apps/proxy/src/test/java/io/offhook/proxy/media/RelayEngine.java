package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigReader;
import io.offhook.testkit.peers.Rtpengine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real rtpengine, and a client of the test to ask it. */
final class RelayEngine implements AutoCloseable {
    private final Rtpengine engine;
    private final MediaRelay client;

    private RelayEngine(Rtpengine engine) throws IOException {
        this.engine = engine;
        client = new MediaRelay(ConfigReader.of(MediaConfig.schema())
                .read(
                        "engines: [{address: '127.0.0.1:" + engine.control()
                                + "'}]\nping-every: 100ms\nretry-after: 2s\ntries: 5\n",
                        "proxy.yaml"));
    }

    static RelayEngine start(Path folder) throws IOException {
        return new RelayEngine(Rtpengine.start(folder));
    }

    /** Starts one at a port for commands. */
    static RelayEngine start(Path folder, int control) throws IOException {
        return new RelayEngine(Rtpengine.start(folder, control));
    }

    /** The port for commands. */
    int control() {
        return engine.control();
    }

    MediaRelay client() {
        return client;
    }

    /** The answer to a command of the test. */
    MediaReply send(MediaRequest request) throws Exception {
        return client.send(request).toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    /** Whether it knows a call. */
    boolean knows(String callId) throws Exception {
        MediaReply query = send(MediaRequest.query(callId));
        if (!query.isOk()) {
            assertThat(query.reason()).containsIgnoringCase("unknown call-id");
        }
        return query.isOk();
    }

    /** Waits until it no longer knows a call, as what ends media is sent beside the messages. */
    void awaitEnd(String callId) throws Exception {
        while (knows(callId)) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Ends it without a word to anybody. */
    void kill() throws InterruptedException {
        engine.kill();
    }

    @Override
    public void close() {
        client.close();
        engine.close();
    }
}
