package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.peers.LoopbackPorts;
import io.offhook.testkit.peers.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Linphone's console program with one account, without a sound card. It is controlled by what one would type. */
final class Linphone implements AutoCloseable {
    private static final long PATIENCE_S = 60;

    private final Process process;
    private final Writer typed;
    private final LinkedBlockingQueue<String> printed = new LinkedBlockingQueue<>();

    /** Whether it is not installed. */
    static boolean isMissing() {
        return Program.isMissing("linphonec", "--version");
    }

    /**
     * Starts one, which registers.
     *
     * @param folder its home
     * @param registrar with its transport: {@code <sip:127.0.0.1:5060;transport=tcp>}
     */
    Linphone(Path folder, String registrar, String user, String domain, String password) throws IOException {
        Files.createDirectories(folder.resolve(".local/share/linphone"));
        Path settings = Files.writeString(
                folder.resolve("linphonerc"), """
                [sip]
                sip_port=-1
                sip_tcp_port=-1
                sip_tls_port=0
                default_proxy=0
                ping_with_options=0
                [rtp]
                audio_rtp_port=%1$d
                [video]
                enabled=0
                [net]
                auto_net_state_mon=0
                [proxy_0]
                reg_proxy=%2$s
                reg_route=%2$s
                reg_identity=sip:%3$s@%4$s
                reg_expires=600
                reg_sendregister=1
                publish=0
                [auth_info_0]
                username=%3$s
                passwd=%5$s
                realm=%4$s
                """.formatted(LoopbackPorts.free(2), registrar, user, domain, password));
        // line by line, also to a pipe
        ProcessBuilder builder =
                new ProcessBuilder("stdbuf", "-oL", "linphonec", "-c", settings.toString()).redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("PULSE_RUNTIME_PATH", folder.toString());
        process = builder.start();
        typed = process.outputWriter();
        Thread.ofPlatform().daemon().start(this::read);
        type("soundcard use files");
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                printed.add(line);
            }
        } catch (IOException e) {
            printed.add("ended: " + e);
        }
        printed.add("ended");
    }

    void type(String command) throws IOException {
        typed.write(command + "\n");
        typed.flush();
    }

    void awaitRegistered() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        String status = "";
        while (!status.contains("identity=")) {
            assertThat(System.nanoTime() - end).as(status).isNegative();
            type("status register");
            status = await("regist");
            TimeUnit.MILLISECONDS.sleep(20); // its REGISTER is on the way
        }
    }

    /** Waits until it prints a line with a text. */
    String await(String text) throws InterruptedException {
        StringBuilder before = new StringBuilder();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (true) {
            String line = printed.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            assertThat(line).as("\"" + text + "\" after\n" + before).isNotNull().doesNotStartWith("ended");
            // its prompt repeats what was typed
            if (line.contains(text) && !line.contains("status register")) {
                return line;
            }
            before.append(line).append('\n');
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
