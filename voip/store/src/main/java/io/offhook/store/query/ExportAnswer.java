package io.offhook.store.query;

import io.offhook.store.CallStore;
import io.offhook.store.ExportFormat;
import io.offhook.store.ExportRequest;
import io.offhook.store.TableExport;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Exports for somebody at the socket: to a folder of the server's own choice beside the database, which is where alone this process
 * writes. The client takes the files from there.
 */
final class ExportAnswer {
    private ExportAnswer() {}

    /** @return the next frame; null if there is none */
    static SqlWire.@Nullable Frame answer(CallStore store, SqlWire.Frame frame, DataInputStream in, SqlWire.Writer out)
            throws IOException {
        TableExport export;
        try {
            export = TableExport.beside(store, request(frame));
        } catch (IllegalArgumentException e) {
            out.error(String.valueOf(e.getMessage()));
            return null;
        }
        try {
            SqlListener listener = SqlListener.start(in, export::cancel);
            try {
                Map<String, Long> rows = export.run();
                out.folder(export.folder().toString(), rows);
            } catch (IOException e) {
                out.error(String.valueOf(e.getMessage()));
            }
            return listener.next();
        } finally {
            export.delete();
        }
    }

    private static ExportRequest request(SqlWire.Frame frame) throws IOException {
        ExportFormat[] formats = ExportFormat.values();
        int format = frame.octet();
        long since = frame.number();
        long until = frame.number();
        int count = frame.word();
        if (format >= formats.length
                || count < 0
                || count > ExportRequest.allTables().size()) {
            throw new IllegalArgumentException("it is another version of Offhook that asks");
        }
        List<String> tables = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tables.add(String.valueOf(frame.text()));
        }
        return new ExportRequest(tables, formats[format], since, until);
    }
}
