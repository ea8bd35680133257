package io.offhook.cli.xray;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM that runs DelayingSipServer, and a client of it: both on loopback. */
final class DelayingServer implements AutoCloseable {
    private static final int PATIENCE_MS = 60_000;
    private static final Pattern CPU = Pattern.compile("X-Cpu-Ms: (\\d+)");

    private final Process process;
    private final DatagramSocket client;
    private final int port;
    private int requests;

    /** Starts it, and waits until it serves. */
    DelayingServer(String... options) throws IOException, URISyntaxException {
        Path source = Path.of(Objects.requireNonNull(DelayingServer.class.getResource("/DelayingSipServer.java"))
                .toURI());
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        ProcessBuilder builder = new ProcessBuilder(java);
        builder.command().addAll(List.of(options));
        builder.command().add(source.toString());
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        if (line == null) {
            throw new IOException("it does not start");
        }
        port = Integer.parseInt(line);
        client = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        client.setSoTimeout(PATIENCE_MS);
    }

    long pid() {
        return process.pid();
    }

    int port() {
        return port;
    }

    /** Sends a request, whose Call-ID is what is to be done. */
    void send(String what, int ms) throws IOException {
        requests++;
        String request = String.join(
                "\r\n",
                "OPTIONS sip:b@127.0.0.1:" + port + " SIP/2.0",
                "Via: SIP/2.0/UDP 127.0.0.1:" + client.getLocalPort() + ";branch=z9hG4bK-" + requests,
                "Max-Forwards: 70",
                "From: <sip:a@127.0.0.1>;tag=1",
                "To: <sip:b@127.0.0.1>",
                "Call-ID: " + what + "-" + ms,
                "CSeq: " + requests + " OPTIONS",
                "X-Do: " + what + " " + ms,
                "Content-Length: 0",
                "",
                "");
        byte[] octets = request.getBytes(StandardCharsets.UTF_8);
        client.send(new DatagramPacket(octets, octets.length, InetAddress.getLoopbackAddress(), port));
    }

    /** Awaits the next answer. @return the processor time that the server says it took, in milliseconds */
    int receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        client.receive(packet);
        Matcher cpu = CPU.matcher(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8));
        if (!cpu.find()) {
            throw new IOException("an answer without X-Cpu-Ms");
        }
        return Integer.parseInt(cpu.group(1));
    }

    int ask(String what, int ms) throws IOException {
        send(what, ms);
        return receive();
    }

    /** Ends the server, and waits until it is gone. */
    void end() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        client.close();
    }
}
