package io.offhook.store.query;

import io.offhook.store.CallStore;
import io.offhook.store.StoreException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets others ask the database of this process: DuckDB keeps its file to one process. It listens on a Unix domain socket
 * beside the database, which only its owner can open, and answers a few connections at a time, each one question after the
 * other.
 */
public final class SqlSocket implements AutoCloseable {
    /** The most connections that are answered at a time; the next one is told so. */
    public static final int MOST_CONNECTIONS = 4;

    /** The longest path of a socket in octets (sun_path of unix(7), with its end). */
    private static final int MOST_PATH_OCTETS = 107;

    private final CallStore store;
    private final Path path;
    private final ServerSocketChannel server;
    private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();
    private final Thread thread;

    private SqlSocket(CallStore store, Path path, ServerSocketChannel server) {
        this.store = store;
        this.path = path;
        this.server = server;
        thread = Thread.ofPlatform().daemon().name("offhook-sql").unstarted(this::accept);
    }

    /** Where the socket of a database is. */
    static Path path(Path database) {
        Path file = database.toAbsolutePath();
        return file.resolveSibling(file.getFileName() + ".sock");
    }

    /**
     * Begins to listen. A socket that a killed process left behind is replaced: whoever has the database open is the only one
     * who can listen.
     *
     * @param store open to write, in a file, until after this is closed
     * @throws IOException if the system refuses, or the path is too long for a socket
     */
    public static SqlSocket listen(CallStore store) throws IOException {
        Path file = store.file();
        if (file == null) {
            throw new IllegalArgumentException("a database in memory has no socket");
        }
        Path path = path(file);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            bind(server, path);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        SqlSocket socket = new SqlSocket(store, path, server);
        socket.thread.start();
        return socket;
    }

    /** Bound in a folder that is closed to others, until its mode is set; then it takes its place at once. */
    private static void bind(ServerSocketChannel server, Path path) throws IOException {
        boolean isPosix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] closed = isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        Path folder = Files.createTempDirectory(path.toAbsolutePath().getParent(), ".s", closed);
        Path bound = folder.resolve("s");
        try {
            int length = Math.max(octets(bound), octets(path));
            if (length > MOST_PATH_OCTETS) {
                throw new IOException("the path of the socket has " + length + " octets, and the system takes "
                        + MOST_PATH_OCTETS + ": " + path + "; choose a shorter one for the database");
            }
            server.bind(UnixDomainSocketAddress.of(bound));
            if (isPosix) {
                Files.setPosixFilePermissions(bound, PosixFilePermissions.fromString("rw-------"));
            }
            Files.move(bound, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(bound);
            Files.deleteIfExists(folder);
        }
    }

    private static int octets(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private void accept() {
        while (server.isOpen()) {
            SocketChannel channel;
            try {
                channel = server.accept();
            } catch (IOException _) {
                return; // closed
            }
            connections.add(channel);
            Thread.ofPlatform().daemon().name("offhook-sql-answer").start(() -> serve(channel));
        }
    }

    private void serve(SocketChannel channel) {
        try (channel) {
            SqlWire.Writer out =
                    new SqlWire.Writer(new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16));
            if (connections.size() > MOST_CONNECTIONS) {
                out.error("the database answers " + MOST_CONNECTIONS + " connections already; try again later");
                return;
            }
            DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
            SqlWire.Frame frame = SqlWire.read(in, SqlWire.MOST_REQUEST);
            while (frame != null) {
                frame = answer(frame, in, out, channel);
            }
        } catch (IOException _) {
            // it went away, or speaks something else
        } finally {
            connections.remove(channel);
        }
    }

    /** @return the next question; null if there is none */
    private SqlWire.@Nullable Frame answer(
            SqlWire.Frame frame, DataInputStream in, SqlWire.Writer out, SocketChannel channel) throws IOException {
        boolean isKnown = frame.kind() == SqlWire.QUESTION || frame.kind() == SqlWire.EXPORT;
        int version = isKnown ? frame.octet() : -1;
        if (version != SqlWire.VERSION) {
            out.error("the process that holds the database is another version of Offhook; use the same one for both");
            return null;
        }
        if (frame.kind() == SqlWire.EXPORT) {
            return ExportAnswer.answer(store, frame, in, out);
        }
        long rows = Math.clamp(frame.number(), 1, SqlLimits.MOST_ROWS);
        long timeMs = Math.clamp(frame.number(), 1, SqlLimits.MOST_TIME_MS);
        String sql = String.valueOf(frame.text());
        SqlListener listener;
        try (Connection connection = store.reader()) {
            SqlQuery query = new SqlQuery(connection, new SqlLimits(rows, timeMs));
            listener = SqlListener.start(in, () -> query.cancel("who asked went away"));
            try (SqlDeadline _ = SqlDeadline.after(timeMs + 1000, () -> close(channel))) {
                out.done(query.run(sql, new SqlRows() {
                    @Override
                    public void columns(List<SqlColumn> columns) throws IOException {
                        out.columns(columns);
                    }

                    @Override
                    public void row(List<@Nullable String> values) throws IOException {
                        out.row(values);
                    }
                }));
            } catch (SqlException e) {
                out.error(String.valueOf(e.getMessage()));
            }
        } catch (SQLException | StoreException e) {
            out.error(String.valueOf(e.getMessage()));
            return null;
        }
        return listener.next();
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close(); // who does not read what was asked for
        } catch (IOException _) {
            // it is closed
        }
    }

    /** Ends all connections, and removes the socket. */
    @Override
    public void close() throws IOException {
        server.close();
        connections.forEach(SqlSocket::close);
        Files.deleteIfExists(path);
    }
}
