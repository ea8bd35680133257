package io.offhook.testkit.peers;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** An rtpengine on the loopback interface, without its kernel module. It ends the media of a call at once. */
public final class Rtpengine implements AutoCloseable {
    private static final int MEDIA_PORTS = 400;
    private static final byte[] PING = "test d7:command4:pinge".getBytes(StandardCharsets.US_ASCII);

    private final int control;
    private final Process process;
    private final Path log;

    private Rtpengine(int control, Process process, Path log) {
        this.control = control;
        this.process = process;
        this.log = log;
    }

    /** Whether it is not installed. */
    public static boolean isMissing() {
        return Program.isMissing("rtpengine", "--version");
    }

    /** Starts one at free ports, and waits until it answers. */
    public static Rtpengine start(Path folder) throws IOException {
        return start(folder, LoopbackPorts.free(2 + MEDIA_PORTS));
    }

    /**
     * Starts one, and waits until it answers.
     *
     * @param folder where its log is written
     * @param control the UDP port for commands; those of media are above
     */
    public static Rtpengine start(Path folder, int control) throws IOException {
        int media = control + 2 & ~1;
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
                        "--port-max=" + (media + MEDIA_PORTS - 1),
                        "--delete-delay=0",
                        "--num-threads=1")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Rtpengine engine = new Rtpengine(control, process, log);
        engine.awaitAnswer();
        return engine;
    }

    private void awaitAnswer() throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(InetAddress.getLoopbackAddress(), control);
            socket.setSoTimeout(1000);
            while (true) {
                if (!process.isAlive()) {
                    throw new AssertionError("rtpengine has ended: " + Files.readString(log));
                }
                try {
                    socket.send(new DatagramPacket(PING, PING.length));
                    socket.receive(new DatagramPacket(new byte[500], 500));
                    return;
                } catch (PortUnreachableException | SocketTimeoutException _) {
                    LockSupport.parkNanos(10_000_000); // it has just been started
                }
            }
        }
    }

    /** The UDP port for commands. */
    public int control() {
        return control;
    }

    /** Ends it without a word to anybody. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
