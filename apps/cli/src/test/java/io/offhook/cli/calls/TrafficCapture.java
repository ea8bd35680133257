package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.network.Namespace;
import io.offhook.testkit.network.Network;
import io.offhook.testkit.peers.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A tcpdump in a namespace, which captures from its construction on. It ends with the network. */
final class TrafficCapture implements AutoCloseable {
    private static final int DISCARD = 9; // RFC 863
    private static final String LAST = "the last packet of the capture";
    private static final long PATIENCE_S = 30;

    private final Process process;
    private final BufferedReader lines;
    private final Namespace namespace;
    private final Path file;
    private final String host;

    /** @param host an address to which packets leave by the device */
    TrafficCapture(Network network, Namespace namespace, String device, Path file, String host) throws IOException {
        this.namespace = namespace;
        this.file = file;
        this.host = host;
        process = network.start(new ProcessBuilder(namespace.command(
                        "env",
                        "--default-signal=INT",
                        "tcpdump",
                        "--immediate-mode",
                        "-U",
                        "-Z",
                        "root",
                        "-s", // with more, the buffer of "any" has room for eight packets
                        "2048",
                        "-B",
                        "8192",
                        "-i",
                        device,
                        "-w",
                        file.toString()))
                .redirectErrorStream(true));
        lines = process.inputReader();
        StringBuilder printed = new StringBuilder();
        for (String line = lines.readLine(); ; line = lines.readLine()) {
            printed.append(line).append('\n');
            assertThat(line).as(printed.toString()).isNotNull();
            if (line.contains("listening on")) {
                return;
            }
        }
    }

    /** Ends it once it has written all packets so far: an interrupted tcpdump leaves those that the kernel still has. */
    void end() throws Exception {
        namespace.on(() -> {
            try (DatagramSocket socket = new DatagramSocket()) {
                byte[] payload = LAST.getBytes(StandardCharsets.US_ASCII);
                socket.send(new DatagramPacket(payload, payload.length, InetAddress.getByName(host), DISCARD));
            }
            return host;
        });
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!text(file).contains(LAST)) {
            assertThat(System.nanoTime() - end).as("packets reach the file").isNegative();
            TimeUnit.MILLISECONDS.sleep(20); // tcpdump reads them
        }
        Program.run("kill", "-INT", Long.toString(process.pid()));
        assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        assertThat(lines.lines()).contains("0 packets dropped by kernel");
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        process.destroy();
    }
}
