package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.network.Namespace;
import io.offhook.testkit.network.Network;
import io.offhook.testkit.peers.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A tcpdump in a namespace, which captures from its construction on. It ends with the network. */
final class TrafficCapture implements AutoCloseable {
    private final Process process;

    TrafficCapture(Network network, Namespace namespace, String device, Path file) throws IOException {
        process = network.start(new ProcessBuilder(namespace.command(
                        "env",
                        "--default-signal=INT",
                        "tcpdump",
                        "--immediate-mode",
                        "-U",
                        "-Z",
                        "root",
                        "-s",
                        "0",
                        "-i",
                        device,
                        "-w",
                        file.toString()))
                .redirectErrorStream(true));
        BufferedReader lines = process.inputReader();
        StringBuilder printed = new StringBuilder();
        for (String line = lines.readLine(); ; line = lines.readLine()) {
            printed.append(line).append('\n');
            assertThat(line).as(printed.toString()).isNotNull();
            if (line.contains("listening on")) {
                return;
            }
        }
    }

    /** Ends it; the file is complete then. */
    void end() throws IOException, InterruptedException {
        Program.run("kill", "-INT", Long.toString(process.pid()));
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
