package io.offhook.store.query;

import io.offhook.store.ExportRequest;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks through the process that holds a database. */
final class SqlClient implements SqlSession {
    private final SocketChannel channel;
    private final DataInputStream in;
    private final SqlWire.Writer out;

    private SqlClient(SocketChannel channel) {
        this.channel = channel;
        in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
        out = new SqlWire.Writer(new BufferedOutputStream(Channels.newOutputStream(channel)));
    }

    /** @return null if nobody listens beside the database */
    static @Nullable SqlClient connect(Path database) throws IOException {
        Path path = SqlSocket.path(database);
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
            return new SqlClient(channel);
        } catch (IOException _) {
            channel.close();
            return null; // left behind by a process that was killed, or of another user: DuckDB says what is the matter
        }
    }

    @Override
    public SqlResult ask(String sql, SqlLimits limits, SqlRows rows) throws IOException {
        out.question(sql, limits);
        int columns = 0;
        while (true) {
            SqlWire.Frame frame = SqlWire.read(in, SqlWire.MOST_FRAME);
            if (frame == null) {
                throw new SqlException("the process that holds the database ended before it answered");
            }
            switch (frame.kind()) {
                case SqlWire.COLUMNS -> columns = columns(frame, rows);
                case SqlWire.ROW -> row(frame, columns, rows);
                case SqlWire.DONE -> {
                    return new SqlResult(frame.number(), frame.octet() != 0);
                }
                case SqlWire.ERROR -> throw new SqlException(String.valueOf(frame.text()));
                default -> throw new IOException("the socket has a frame of kind " + frame.kind());
            }
        }
    }

    /**
     * Has the process that holds the database export it.
     *
     * @return the folder that has the files until this is closed
     */
    Exported export(ExportRequest request) throws IOException {
        out.export(request);
        SqlWire.Frame frame = SqlWire.read(in, SqlWire.MOST_FRAME);
        if (frame == null) {
            throw new SqlException("the process that holds the database ended before it had exported");
        }
        if (frame.kind() == SqlWire.ERROR) {
            throw new SqlException(String.valueOf(frame.text()));
        }
        if (frame.kind() != SqlWire.FOLDER) {
            throw new IOException("the socket has a frame of kind " + frame.kind());
        }
        Path folder = Path.of(String.valueOf(frame.text()));
        Map<String, Long> rows = new LinkedHashMap<>();
        int count = frame.word();
        for (int i = 0; i < count; i++) {
            String table = String.valueOf(frame.text());
            rows.put(table, frame.number());
        }
        return new Exported(folder, rows);
    }

    /**
     * What was exported.
     *
     * @param folder has the files
     * @param rows by table
     */
    record Exported(Path folder, Map<String, Long> rows) {}

    private static int columns(SqlWire.Frame frame, SqlRows rows) throws IOException {
        int count = frame.word();
        List<SqlColumn> columns = new ArrayList<>();
        SqlColumn.Kind[] kinds = SqlColumn.Kind.values();
        for (int i = 0; i < count; i++) {
            int kind = frame.octet();
            columns.add(new SqlColumn(
                    String.valueOf(frame.text()), kind < kinds.length ? kinds[kind] : SqlColumn.Kind.TEXT));
        }
        rows.columns(columns);
        return count;
    }

    private static void row(SqlWire.Frame frame, int columns, SqlRows rows) throws IOException {
        List<@Nullable String> values = new ArrayList<>(columns);
        for (int i = 0; i < columns; i++) {
            values.add(frame.text());
        }
        rows.row(values);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
