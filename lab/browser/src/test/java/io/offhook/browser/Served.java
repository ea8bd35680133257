package io.offhook.browser;

import io.offhook.cli.Main;
import io.offhook.testkit.peers.JavaProcess;
import io.offhook.testkit.peers.LoopbackPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook serve} in a process of its own, which has announced its page. */
final class Served implements AutoCloseable {
    private final Process process;
    private final String uri;

    private Served(Process process, String uri) {
        this.process = process;
        this.uri = uri;
    }

    static Served start(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("serve", "--listen", "127.0.0.1:" + LoopbackPorts.free()));
        all.addAll(List.of(arguments));
        Process process = new ProcessBuilder(JavaProcess.command(
                        List.of("--enable-native-access=ALL-UNNAMED"), Main.class, all.toArray(String[]::new)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader lines = process.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("The page is at ")) {
                return new Served(process, line.split(" ", -1)[4]);
            }
        }
        process.destroy();
        throw new IOException("offhook serve ended with " + process.exitValue());
    }

    /** The address of a view, from "/" on. */
    String at(String path) {
        return uri.substring(0, uri.length() - 1) + path;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
