package io.offhook.store.query;

import io.offhook.store.ExportRequest;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is said over the socket. Each frame is its length in 4 bytes, without these, big-endian, a byte that says what it is,
 * and the rest; texts are UTF-8 with 4 bytes of length before, -1 for NULL.
 *
 * <pre>
 *  client   Q  version (1), most rows (8), time in ms (8), SQL
 *  server   C  count (4), each column: kind (1), name
 *           R  a value for each column
 *           D  rows (8), whether there are more (1)
 *           E  why the question was not answered
 *
 *  client   X  version (1), format (1), since (8), until (8), count (4), each table: name
 *  server   F  folder, count (4), each table: name, rows (8); the folder is deleted when the client says more, or goes
 *           E  why nothing was exported
 * </pre>
 */
final class SqlWire {
    static final int VERSION = 1;

    /** The longest SQL, and the longest frame that a client sends. */
    static final int MOST_REQUEST = 1 << 20;

    /** The longest frame that a server sends: one row. */
    static final int MOST_FRAME = 256 << 20;

    static final int QUESTION = 'Q';
    static final int EXPORT = 'X';
    static final int COLUMNS = 'C';
    static final int ROW = 'R';
    static final int DONE = 'D';
    static final int ERROR = 'E';
    static final int FOLDER = 'F';

    private SqlWire() {}

    /** A frame that was read. */
    static final class Frame {
        private final int kind;
        private final byte[] octets;
        private int at = 1;

        private Frame(byte[] octets) {
            this.octets = octets;
            kind = octets[0] & 0xff;
        }

        int kind() {
            return kind;
        }

        /** @throws IOException at the end of the frame, as all others */
        int octet() throws IOException {
            return (int) number(1);
        }

        int word() throws IOException {
            return (int) number(Integer.BYTES);
        }

        long number() throws IOException {
            return number(Long.BYTES);
        }

        private long number(int length) throws IOException {
            if (octets.length - at < length) {
                throw new IOException("a frame of the socket is too short");
            }
            long value = 0;
            for (int i = 0; i < length; i++) {
                value = value << 8 | octets[at++] & 0xff;
            }
            return value;
        }

        @Nullable
        String text() throws IOException {
            int length = word();
            if (length == -1) {
                return null;
            }
            if (length < 0 || length > octets.length - at) {
                throw new IOException("a text of the socket has an impossible length");
            }
            at += length;
            return new String(octets, at - length, length, StandardCharsets.UTF_8);
        }
    }

    /** @return null at the end */
    static @Nullable Frame read(DataInputStream in, int most) throws IOException {
        int length;
        try {
            length = in.readInt();
        } catch (EOFException _) {
            return null;
        }
        if (length < 1 || length > most) {
            throw new IOException("a frame of the socket has " + length + " octets, and may have 1 to " + most);
        }
        byte[] octets = new byte[length];
        in.readFully(octets);
        return new Frame(octets);
    }

    /** Writes frames; buffered by the caller. */
    static final class Writer {
        private final DataOutputStream out;

        Writer(OutputStream out) {
            this.out = new DataOutputStream(out);
        }

        void question(String sql, SqlLimits limits) throws IOException {
            byte[] text = sql.getBytes(StandardCharsets.UTF_8);
            out.writeInt(1 + 1 + Long.BYTES + Long.BYTES + Integer.BYTES + text.length);
            out.writeByte(QUESTION);
            out.writeByte(VERSION);
            out.writeLong(limits.rows());
            out.writeLong(limits.timeMs());
            text(text);
            out.flush();
        }

        @SuppressWarnings("EnumOrdinal") // their order is part of the protocol, whose version both sides name
        void export(ExportRequest request) throws IOException {
            List<byte[]> names = new ArrayList<>();
            int length = 1 + 1 + 1 + Long.BYTES + Long.BYTES + Integer.BYTES;
            for (String table : request.tables()) {
                byte[] name = table.getBytes(StandardCharsets.UTF_8);
                names.add(name);
                length += Integer.BYTES + name.length;
            }
            out.writeInt(length);
            out.writeByte(EXPORT);
            out.writeByte(VERSION);
            out.writeByte(request.format().ordinal());
            out.writeLong(request.sinceNs());
            out.writeLong(request.untilNs());
            out.writeInt(names.size());
            for (byte[] name : names) {
                text(name);
            }
            out.flush();
        }

        void folder(String path, Map<String, Long> rows) throws IOException {
            byte[] folder = path.getBytes(StandardCharsets.UTF_8);
            int length = 1 + Integer.BYTES + folder.length + Integer.BYTES;
            for (String table : rows.keySet()) {
                length += Integer.BYTES + table.getBytes(StandardCharsets.UTF_8).length + Long.BYTES;
            }
            out.writeInt(length);
            out.writeByte(FOLDER);
            text(folder);
            out.writeInt(rows.size());
            for (Map.Entry<String, Long> table : rows.entrySet()) {
                text(table.getKey().getBytes(StandardCharsets.UTF_8));
                out.writeLong(table.getValue());
            }
            out.flush();
        }

        @SuppressWarnings("EnumOrdinal") // as above
        void columns(List<SqlColumn> columns) throws IOException {
            List<byte[]> names = new ArrayList<>(columns.size());
            int length = 1 + Integer.BYTES;
            for (SqlColumn column : columns) {
                byte[] name = column.name().getBytes(StandardCharsets.UTF_8);
                names.add(name);
                length += 1 + Integer.BYTES + name.length;
            }
            out.writeInt(length);
            out.writeByte(COLUMNS);
            out.writeInt(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                out.writeByte(columns.get(i).kind().ordinal());
                text(names.get(i));
            }
        }

        void row(List<@Nullable String> values) throws IOException {
            byte[][] texts = new byte[values.size()][];
            long length = 1;
            for (int i = 0; i < texts.length; i++) {
                String value = values.get(i);
                length += Integer.BYTES;
                if (value != null) {
                    texts[i] = value.getBytes(StandardCharsets.UTF_8);
                    length += texts[i].length;
                }
            }
            if (length > MOST_FRAME) {
                throw new SqlException("a row has " + length + " octets, and may have " + MOST_FRAME);
            }
            out.writeInt((int) length);
            out.writeByte(ROW);
            for (byte[] text : texts) {
                text(text);
            }
        }

        void done(SqlResult result) throws IOException {
            out.writeInt(1 + Long.BYTES + 1);
            out.writeByte(DONE);
            out.writeLong(result.rows());
            out.writeBoolean(result.isCut());
            out.flush();
        }

        void error(String message) throws IOException {
            byte[] text = message.getBytes(StandardCharsets.UTF_8);
            out.writeInt(1 + Integer.BYTES + text.length);
            out.writeByte(ERROR);
            text(text);
            out.flush();
        }

        private void text(byte @Nullable [] text) throws IOException {
            if (text == null) {
                out.writeInt(-1);
            } else {
                out.writeInt(text.length);
                out.write(text);
            }
        }
    }
}
