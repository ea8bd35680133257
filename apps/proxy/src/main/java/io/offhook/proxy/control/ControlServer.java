package io.offhook.proxy.control;

import io.offhook.proxy.log.Log;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers commands at a control socket. Each connection is a virtual thread, at most {@link #MOST_CONNECTIONS} of them; on
 * one, requests are answered one after the other. A command that fails costs its own answer only.
 */
public final class ControlServer implements AutoCloseable {
    /** The most connections at once. */
    public static final int MOST_CONNECTIONS = 16;

    private final Path path;
    private final ServerSocketChannel channel;
    private final Map<String, ControlCommand> commands = new TreeMap<>();
    private final Log log;
    private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

    private ControlServer(Path path, ServerSocketChannel channel, Collection<? extends ControlCommand> all, Log log) {
        this.path = path;
        this.channel = channel;
        this.log = log;
        for (ControlCommand command : all) {
            if (commands.put(command.name(), command) != null) {
                throw new IllegalArgumentException("there are two commands " + command.name());
            }
        }
    }

    /**
     * Opens the socket, readable by its owner only, and answers from then on.
     *
     * @param path of the socket; its folder is made if there is none
     * @param log of {@link io.offhook.proxy.log.LogCategory#CONTROL}
     * @throws ControlException if another proxy answers there, or others could reach the socket
     * @throws IOException if the system refuses
     */
    public static ControlServer open(Path path, Collection<? extends ControlCommand> commands, Log log)
            throws IOException {
        ServerSocketChannel channel = ControlSocket.open(path);
        ControlServer server = new ControlServer(path, channel, commands, log);
        Thread.ofVirtual().name("offhook-control").start(server::accept);
        return server;
    }

    /** Where it listens. */
    public Path path() {
        return path;
    }

    private void accept() {
        while (true) {
            SocketChannel connection = accepted();
            if (connection == null) {
                return;
            }
            if (connections.size() >= MOST_CONNECTIONS) {
                refuse(connection);
            } else {
                connections.add(connection);
                Thread.ofVirtual().name("offhook-control").start(() -> serve(connection));
            }
        }
    }

    private @Nullable SocketChannel accepted() {
        while (true) {
            try {
                return channel.accept();
            } catch (ClosedChannelException e) {
                return null;
            } catch (IOException e) {
                if (!channel.isOpen()) {
                    return null;
                }
                log.warning("a connection to the control socket was not accepted: " + e);
                pause();
            }
        }
    }

    /** Without descriptors, the next attempt would fail at once, again and again. */
    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void refuse(SocketChannel connection) {
        try (connection) {
            new ControlAnswer(Channels.newOutputStream(connection))
                    .failed("there are " + MOST_CONNECTIONS + " connections already; end one and try again");
        } catch (IOException e) {
            // it is gone already
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            InputStream in = Channels.newInputStream(connection);
            BufferedOutputStream out = new BufferedOutputStream(Channels.newOutputStream(connection));
            ControlAnswer answer = new ControlAnswer(out);
            byte[] line = new byte[ControlRequest.MOST_OCTETS];
            while (true) {
                int length = read(in, line);
                if (length < 0) {
                    return;
                }
                if (length == line.length) {
                    answer.failed("the request is longer than " + ControlRequest.MOST_OCTETS + " octets");
                    return;
                }
                answer(ControlRequest.parse(new String(line, 0, length, StandardCharsets.UTF_8)), answer);
            }
        } catch (IOException e) {
            if (log.isDebug()) {
                log.debug("a connection to the control socket ended: " + e);
            }
        } finally {
            connections.remove(connection);
        }
    }

    /** @return the length of a line without its end; that of the array if it is too long; -1 at the end */
    private static int read(InputStream in, byte[] line) throws IOException {
        int length = 0;
        while (length < line.length) {
            int octet = in.read();
            if (octet < 0) {
                return length == 0 ? -1 : length;
            }
            if (octet == '\n') {
                return length;
            }
            line[length++] = (byte) octet;
        }
        return length;
    }

    private void answer(ControlRequest request, ControlAnswer answer) throws IOException {
        ControlCommand command = commands.get(request.command());
        if (command == null) {
            answer.failed(
                    "there is no command " + request.command() + "; there are " + String.join(", ", commands.keySet()));
            return;
        }
        if (log.isDebug()) {
            log.debug("command " + request.command() + " " + String.join(" ", request.words()));
        }
        try {
            command.run(request, answer);
        } catch (ControlException e) {
            answer.failed(String.valueOf(e.getMessage()));
            return;
        } catch (RuntimeException e) {
            log.error("command " + request.command() + " failed, a bug in Offhook: " + e);
            answer.failed("internal error (a bug in Offhook): " + e);
            return;
        }
        answer.done();
    }

    /** Ends all connections and removes the socket. */
    @Override
    public void close() throws IOException {
        channel.close();
        for (SocketChannel connection : connections) {
            connection.close();
        }
        Files.deleteIfExists(path);
    }
}
