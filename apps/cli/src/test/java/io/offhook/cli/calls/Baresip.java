package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.network.Namespace;
import io.offhook.testkit.network.Network;
import io.offhook.testkit.peers.Program;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A baresip, controlled by its module ctrl_tcp. In a namespace it ends with the network, else when it is closed. */
public final class Baresip implements AutoCloseable {
    /** How many ports of media it may use, for RTP and RTCP. */
    public static final int MEDIA_PORTS = 100;

    private static final long PATIENCE_S = 30;

    private final Process process;
    private final Path log;
    private final Socket control;
    private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();

    /**
     * Where and as whom it listens.
     *
     * @param account of its file accounts: {@code <sip:bob@10.0.0.2>;answermode=auto}
     * @param firstMediaPort of {@value #MEDIA_PORTS}
     * @param controlPort of ctrl_tcp
     * @param settings more lines of its file config
     */
    public record Setup(String account, String listensAt, int firstMediaPort, int controlPort, String settings) {
        /** Without more settings. */
        Setup(String account, String listensAt, int firstMediaPort, int controlPort) {
            this(account, listensAt, firstMediaPort, controlPort, "");
        }
    }

    /** Whether it is not installed. */
    public static boolean isMissing() {
        return Program.isMissing("baresip", "-h");
    }

    Baresip(Network network, Namespace namespace, Path folder, Setup setup) throws Exception {
        log = write(folder, setup);
        process = network.start(builder(namespace.command("baresip", "-4", "-f", folder.toString())));
        control = namespace.on(() -> connect(setup.controlPort()));
        Thread.ofPlatform().daemon().start(this::receive);
    }

    /** One that is in no namespace, on loopback. */
    public Baresip(Path folder, Setup setup) throws Exception {
        log = write(folder, setup);
        process = builder(List.of("baresip", "-4", "-f", folder.toString())).start();
        try {
            control = connect(setup.controlPort());
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
        Thread.ofPlatform().daemon().start(this::receive);
    }

    private static Path write(Path folder, Setup setup) throws IOException {
        Path log = Files.createDirectories(folder).resolve("log");
        Files.writeString(folder.resolve("accounts"), setup.account() + "\n");
        Files.writeString(folder.resolve("contacts"), "");
        Files.writeString(folder.resolve("config"), config(folder, setup) + setup.settings());
        return log;
    }

    private ProcessBuilder builder(List<String> command) {
        return new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
    }

    /** 440 Hz to the other side; five packets held back before they are played; what it counted, once a call ends. */
    private static String config(Path folder, Setup setup) {
        return """
                sip_listen %s
                rtp_ports %d-%d
                ctrl_tcp_listen 127.0.0.1:%d
                audio_source ausine,440,2
                audio_player aufile,%s/played.wav
                audio_alert aufile,%s/alert.wav
                ausrc_srate 48000
                ausrc_channels 2
                auplay_srate 8000
                auplay_channels 1
                rtp_stats yes
                jitter_buffer_delay 5-10
                module_path /usr/lib/baresip/modules
                module ausine.so
                module aufile.so
                module g711.so
                module_tmp account.so
                module_app rtcpsummary.so
                module_app menu.so
                module_app ctrl_tcp.so
                """.formatted(
                        setup.listensAt(),
                        setup.firstMediaPort(),
                        setup.firstMediaPort() + MEDIA_PORTS - 1,
                        setup.controlPort(),
                        folder,
                        folder);
    }

    private Socket connect(int port) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (ConnectException e) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    throw new IOException("baresip does not listen:\n" + Files.readString(log), e);
                }
                TimeUnit.MILLISECONDS.sleep(20); // it has just been started
            }
        }
    }

    /** Netstrings with a JSON document each: responses, and events such as CALL_ESTABLISHED. */
    private void receive() {
        try (DataInputStream in = new DataInputStream(control.getInputStream())) {
            while (true) {
                int length = 0;
                for (int next = in.readUnsignedByte(); next != ':'; next = in.readUnsignedByte()) {
                    length = 10 * length + next - '0';
                }
                messages.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
                in.readByte(); // the comma
            }
        } catch (IOException e) {
            messages.add("ended: " + e);
        }
    }

    /** Gives it a command of its menu: {@code dial}. */
    public void command(String name, String parameters) throws IOException {
        byte[] json = "{\"command\":\"%s\",\"params\":\"%s\",\"token\":\"t\"}"
                .formatted(name, parameters)
                .getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream netstring = new ByteArrayOutputStream();
        netstring.writeBytes((json.length + ":").getBytes(StandardCharsets.UTF_8));
        netstring.writeBytes(json);
        netstring.write(',');
        control.getOutputStream().write(netstring.toByteArray());
    }

    /** Waits until its registrar knows it. The event may be over before the control connection is there. */
    public void awaitRegistered() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        String status = "";
        while (!status.contains("OK")) {
            assertThat(System.nanoTime() - end).as(status).isNegative();
            command("reginfo", "");
            status = awaitMessage("\"response\":true");
            TimeUnit.MILLISECONDS.sleep(20); // its REGISTER is on the way
        }
    }

    /** Waits for an event, and returns it. */
    public String await(String event) throws InterruptedException {
        return awaitMessage("\"type\":\"" + event + "\"");
    }

    private String awaitMessage(String text) throws InterruptedException {
        StringBuilder before = new StringBuilder();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (true) {
            String message = messages.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            assertThat(message).as(text + " after\n" + before).isNotNull().doesNotStartWith("ended");
            if (message.contains(text)) {
                return message;
            }
            before.append(message).append('\n');
        }
    }

    /** Ends it, and returns all that it printed. */
    public String end() throws Exception {
        process.destroy();
        assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        return Files.readString(log);
    }

    /** The last number of a group in what it printed. */
    static int number(String printed, String expression) {
        Matcher matcher = Pattern.compile(expression).matcher(printed);
        int last = -1;
        while (matcher.find()) {
            last = Integer.parseInt(matcher.group(1));
        }
        assertThat(last).as(expression + " in\n" + printed).isNotNegative();
        return last;
    }

    @Override
    public void close() throws IOException {
        control.close();
        process.destroyForcibly();
    }
}
