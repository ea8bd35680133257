package io.offhook.web.alert;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** As much of SMTP (RFC 5321) as a client needs that sends a mail; what it was sent is kept. */
final class SmtpServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    private final String extensions;
    private final Thread thread;

    final List<String> commands = Collections.synchronizedList(new ArrayList<>());
    final List<String> mail = Collections.synchronizedList(new ArrayList<>());

    /** @param extensions what EHLO is answered with, a line each */
    SmtpServer(String... extensions) throws IOException {
        StringBuilder lines = new StringBuilder("250-test\r\n");
        for (String extension : extensions) {
            lines.append("250-").append(extension).append("\r\n");
        }
        this.extensions = lines + "250 SIZE 1000000\r\n";
        thread = Thread.ofVirtual().start(this::serve);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                serve(client);
            } catch (IOException _) {
                // the client has left, or the test is over
            }
        }
    }

    private void serve(Socket client) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
        OutputStream out = client.getOutputStream();
        say(out, "220 test\r\n");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            commands.add(line);
            String verb = line.split(" ", 2)[0];
            switch (verb) {
                case "EHLO" -> say(out, extensions);
                case "AUTH" -> say(out, "235 ok\r\n");
                case "STARTTLS" -> {
                    say(out, "454 not now\r\n");
                }
                case "DATA" -> {
                    say(out, "354 go on\r\n");
                    for (String text = in.readLine(); text != null && !text.equals("."); text = in.readLine()) {
                        mail.add(text);
                    }
                    say(out, "250 taken\r\n");
                }
                case "QUIT" -> {
                    say(out, "221 bye\r\n");
                    return;
                }
                default -> say(out, "250 ok\r\n");
            }
        }
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
