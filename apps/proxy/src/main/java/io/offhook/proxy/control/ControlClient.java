package io.offhook.proxy.control;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks a proxy that runs. Requests are answered one after the other. Single-threaded. */
public final class ControlClient implements AutoCloseable {
    private static final int MOST_LINE_OCTETS = 16 << 20;

    private final Path path;
    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    private ControlClient(Path path, SocketChannel channel) {
        this.path = path;
        this.channel = channel;
        in = new BufferedInputStream(Channels.newInputStream(channel));
        out = Channels.newOutputStream(channel);
    }

    /**
     * Connects.
     *
     * @throws ControlException if no proxy answers there; the message says what to do
     */
    public static ControlClient connect(Path path) {
        if (!Files.exists(path)) {
            boolean isHidden =
                    path.getParent() != null && Files.exists(path.getParent()) && !Files.isReadable(path.getParent());
            throw new ControlException(
                    isHidden
                            ? path.getParent() + " cannot be read: the proxy of another user; be that user"
                            : "no proxy runs with the control socket " + path
                                    + "; start one, or name its socket with --socket");
        }
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(path));
            return new ControlClient(path, channel);
        } catch (IOException e) {
            close(channel);
            if (e instanceof AccessDeniedException || !Files.isWritable(path)) {
                throw new ControlException(path + " may be opened by its owner only; be that user", e);
            }
            throw new ControlException(
                    "no proxy answers at the control socket " + path + " (" + e.getMessage()
                            + "); is it still running?",
                    e);
        }
    }

    private static void close(@Nullable SocketChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // nothing was sent yet
            }
        }
    }

    /**
     * Asks a command, and waits for its answer.
     *
     * @return the lines, each an object of JSON, without the last one
     * @throws ControlException if the command could not be done, with the proxy's words, or the proxy ended
     */
    public List<String> ask(ControlRequest request) {
        List<String> lines = new ArrayList<>();
        try {
            out.write((request.line() + "\n").getBytes(StandardCharsets.UTF_8));
            while (true) {
                String line = line();
                if (line.equals("{\"ok\":true}")) {
                    return lines;
                }
                if (line.startsWith("{\"ok\":false,\"error\":\"")) {
                    throw new ControlException(error(line));
                }
                lines.add(line);
            }
        } catch (IOException e) {
            throw new ControlException("the proxy at " + path + " ended the connection: " + e.getMessage(), e);
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        while (true) {
            int octet = in.read();
            if (octet < 0) {
                throw new IOException("it ended");
            }
            if (octet == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            if (line.size() == MOST_LINE_OCTETS) {
                throw new IOException("a line of more than " + MOST_LINE_OCTETS + " octets");
            }
            line.write(octet);
        }
    }

    /** The text of the last line, whose form is that of {@link ControlAnswer#failed}. */
    private static String error(String line) {
        String text = line.substring(line.indexOf(":\"") + 2, line.length() - 2);
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                plain.append(c);
                continue;
            }
            char next = text.charAt(++i);
            if (next == 'u') {
                plain.append((char) Integer.parseInt(text, i + 1, i + 5, 16));
                i += 4;
            } else {
                plain.append(Map.of('n', '\n', 'r', '\r', 't', '\t').getOrDefault(next, next));
            }
        }
        return plain.toString();
    }

    @Override
    public void close() {
        close(channel);
    }
}
