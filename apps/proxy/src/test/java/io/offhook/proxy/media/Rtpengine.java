package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigReader;
import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real rtpengine on the loopback interface, without its kernel module, and a client of the test to ask it. */
final class Rtpengine implements AutoCloseable {
    private final int control;
    private final Process process;
    private final MediaRelay client;

    private Rtpengine(int control, Process process, MediaRelay client) {
        this.control = control;
        this.process = process;
        this.client = client;
    }

    static boolean isMissing() {
        return Program.isMissing("rtpengine", "--version");
    }

    /** Starts one, and waits until it answers. */
    static Rtpengine start(Path folder) throws Exception {
        int control;
        try (DatagramSocket one = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            control = one.getLocalPort();
        }
        return start(folder, control);
    }

    /** Starts one at a port for commands. */
    static Rtpengine start(Path folder, int control) throws Exception {
        int media = Math.min(control + 2 & ~1, 65_000);
        Path log = folder.resolve("rtpengine-" + control + ".log");
        Process process = new ProcessBuilder(
                        "rtpengine",
                        "--config-file=none",
                        "--foreground",
                        "--log-stderr",
                        "--table=-1",
                        "--interface=127.0.0.1",
                        "--listen-ng=127.0.0.1:" + control,
                        "--port-min=" + media,
                        "--port-max=" + (media + 400),
                        "--delete-delay=0",
                        "--num-threads=1")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        MediaRelay client = new MediaRelay(ConfigReader.of(MediaConfig.schema())
                .read(
                        "engines: [{address: '127.0.0.1:" + control
                                + "'}]\nping-every: 100ms\nretry-after: 2s\ntries: 5\n",
                        "proxy.yaml"));
        Rtpengine engine = new Rtpengine(control, process, client);
        while (!engine.send(MediaRequest.ping()).isOk()) {
            assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
            LockSupport.parkNanos(10_000_000); // it has just been started
        }
        return engine;
    }

    /** The port for commands. */
    int control() {
        return control;
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
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        client.close();
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
